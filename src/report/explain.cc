#include "report/explain.h"

#include <algorithm>

#include "cert/advice.h"
#include "report/clean_text.h"
#include "report/difference.h"
#include "report/numbers.h"
#include "verdict/pass_name.h"
#include "verdict/reason_codes.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxMessage = 299;
constexpr std::size_t kMaxExplanation = 4000;
constexpr std::size_t kMaxFault = 600;
constexpr std::size_t kMaxError = 1600;
constexpr std::size_t kMaxId = 80;
constexpr std::size_t kMaxPath = 400;
constexpr std::size_t kMaxCompanions = 5;
constexpr std::size_t kMaxLogs = 3;

/// The divergence to show. The judgement has the weightiest first; where arm A itself wavers, one
/// of its own says more.
const Divergence* FirstDivergence(const Judgement& judgement) {
  const auto& all = judgement.divergences;
  if (HasCode(judgement, ReasonCode::kSelfIdentity) ||
      HasCode(judgement, ReasonCode::kRestartUnstable)) {
    const auto serial =
        std::find_if(all.begin(), all.end(), [](const Divergence& d) { return d.arm == Arm::kA; });
    if (serial != all.end()) return &*serial;
  }
  return all.empty() ? nullptr : &all.front();
}

/// The compared values of that difference where the judgement kept them.
const FieldDifference* ValuesOf(const Judgement& judgement, const Divergence& divergence) {
  for (const PairReport* pair : {&judgement.ac, &judgement.ab, &judgement.aa2}) {
    for (const FieldDifference& difference : pair->per_id) {
      if (difference.test_id == divergence.test_id && difference.field == divergence.field) {
        return &difference;
      }
    }
  }
  return nullptr;
}

MarkedPair TextsOf(const Judgement& judgement, const Divergence& divergence, std::size_t radius) {
  if (!divergence.x_around.empty() || !divergence.y_around.empty()) {
    return MarkFirstDifference(divergence.x_around, divergence.y_around, radius);
  }
  const FieldDifference* values = ValuesOf(judgement, divergence);
  if (values == nullptr) return {};
  if (values->x.if_string() != nullptr && values->y.if_string() != nullptr) {
    return MarkFirstDifference(*values->x.if_string(), *values->y.if_string(), radius);
  }
  return {CleanLine(CompactText(values->x), 2 * radius),
          CleanLine(CompactText(values->y), 2 * radius)};
}

/// The ids that differ, for the pair that decided.
std::string DifferingIds(const Judgement& judgement) {
  const auto count = [](const PairReport& pair) {
    const auto ids = pair.n_compared + static_cast<std::int64_t>(pair.only_x.size()) +
                     static_cast<std::int64_t>(pair.only_y.size());
    return std::to_string(pair.n_divergent) + " of " + Count(ids, "id");
  };
  const bool serial = HasCode(judgement, ReasonCode::kSelfIdentity);
  if (judgement.ac.n_divergent > 0 && !serial) return count(judgement.ac) + " differ";
  if (judgement.aa2.n_divergent > 0) return count(judgement.aa2) + " differ in arm A's own repeat";
  if (judgement.ab.n_divergent > 0) return count(judgement.ab) + " differ between arms A and B";
  const auto tokens = static_cast<std::int64_t>(judgement.token_divergence_ids.size());
  if (tokens > 0) return Count(tokens, "id") + " scored alike but gave another output";
  return "scored outputs agree";
}

std::string Codes(const Judgement& judgement) {
  std::string codes;
  for (const std::string& code : judgement.reason_codes) {
    codes += (codes.empty() ? "" : ", ") + CleanLine(code, 40);
    if (codes.size() > 200) break;
  }
  return codes;
}

const PassReport* FirstIneffective(const Judgement& judgement) {
  const auto found = std::find_if(judgement.passes.begin(), judgement.passes.end(),
                                  [](const PassReport& pass) { return !pass.effective; });
  return found == judgement.passes.end() ? nullptr : &*found;
}

/// What the evidence lacks, in numbers.
std::string MissingEvidence(const CellFacts& facts) {
  const Judgement& judgement = facts.judgement;
  std::string text = Codes(judgement);
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  const PassReport* ineffective = FirstIneffective(judgement);
  if (judgement.effective_n < facts.cell.dispatch_n) {
    add("widest " + std::to_string(judgement.effective_n) + " < " +
        std::to_string(facts.cell.dispatch_n));
  }
  if (HasCode(judgement, ReasonCode::kFloor)) {
    const CompletionFloor& floor = judgement.floor;
    add(std::to_string(floor.n_ok_a) + " ok in A and " + std::to_string(floor.n_ok_c) + " in C, " +
        std::to_string(floor.required_ok) + " needed");
  }
  if (HasCode(judgement, ReasonCode::kFewPrompts)) {
    add(Count(judgement.statistics.n_effective_prompts, "distinct prompt") + " compared");
  }
  if (ineffective != nullptr) {
    add(PassName(ineffective->pass) + " does not count: " + CleanLine(ineffective->why_not, 120));
  }
  return text.empty() ? "the evidence does not suffice" : text;
}

/// What went wrong in a RED without a numeric difference.
std::string Cause(const Judgement& judgement) {
  if (!judgement.first_cause.empty()) return judgement.first_cause;
  return judgement.mismatch.value_or(DifferingIds(judgement));
}

std::string Summary(const CellFacts& facts) {
  const Judgement& judgement = facts.judgement;
  if (facts.error) return CleanLine(facts.error->Text(), 240);
  switch (judgement.verdict) {
    case Verdict::kGreen: {
      std::string text = Count(judgement.ac.n_compared, "id") + " compared in " +
                         std::to_string(judgement.n_passes_effective) + " batched " +
                         (judgement.n_passes_effective == 1 ? "pass" : "passes") + ", none differs";
      if (const auto& bound = judgement.statistics.rule_of_three) {
        text += "; divergence rate at most " + Figure(*bound) + " (95 %)";
      }
      return text;
    }
    case Verdict::kRed: {
      if (judgement.transport_only) {
        return "infrastructure, not a numeric difference: " + CleanLine(Cause(judgement), 180);
      }
      std::string text = DifferingIds(judgement);
      if (judgement.divergence_class)
        text += " (" + CleanLine(*judgement.divergence_class, 40) + ")";
      return text;
    }
    case Verdict::kAmber: {
      std::string text = DifferingIds(judgement);
      if (const std::string codes = Codes(judgement); !codes.empty()) text += " (" + codes + ")";
      return text;
    }
    case Verdict::kUnverified:
      return MissingEvidence(facts);
  }
  return "";
}

std::string Verb(const CellFacts& facts) {
  if (facts.error) return std::string("ERROR (") + ErrorCodeName(facts.error->code) + ")";
  return VerdictName(facts.judgement.verdict);
}

void AppendDifference(const Judgement& judgement, const Divergence& divergence, std::string& out) {
  out += "\nFirst difference: id " + CleanLine(divergence.test_id, kMaxId) + ", field " +
         CleanLine(divergence.field, 40) + ", in " + ArmPassName(divergence.arm, divergence.pass);
  if (divergence.slot) out += ", slot " + std::to_string(*divergence.slot);
  if (divergence.observed_width) {
    out += ", " + std::to_string(*divergence.observed_width) + " in service";
  }
  out += "\n";
  std::string where;
  const auto add = [&where](const std::string& text) {
    where += (where.empty() ? "  at " : ", ") + text;
  };
  if (divergence.token_index) add("token " + std::to_string(*divergence.token_index));
  if (divergence.byte_offset) add("byte " + std::to_string(*divergence.byte_offset));
  if (divergence.code_point_offset) {
    add("character " + std::to_string(*divergence.code_point_offset));
  }
  if (!where.empty()) out += where + "\n";
  if (divergence.margin) {
    out += "  best token led by " + Figure(*divergence.margin) + " nats in arm A" +
           (divergence.not_explained_by_rounding ? ": not explained by rounding\n" : "\n");
  }
  if (!divergence.leak_donor.empty()) {
    out += "  this is the answer of id " + CleanLine(divergence.leak_donor, kMaxId) +
           ", which was in flight: a leak, not rounding\n";
  }
  if (!divergence.companions.empty()) {
    out += "  in service with";
    const std::size_t shown = std::min(divergence.companions.size(), kMaxCompanions);
    for (std::size_t i = 0; i < shown; ++i) {
      out += (i == 0 ? " " : ", ") + CleanLine(divergence.companions[i], 40);
    }
    if (shown < divergence.companions.size()) {
      out += " and " + std::to_string(divergence.companions.size() - shown) + " more";
    }
    out += "\n";
  }
  if (!divergence.cause.empty()) out += "  " + CleanLine(divergence.cause, 200) + "\n";
  const MarkedPair texts = TextsOf(judgement, divergence, 80);
  if (!texts.x.empty() || !texts.y.empty()) {
    const std::string label = ArmPassName(divergence.arm, divergence.pass);
    const std::size_t width = std::max<std::size_t>(label.size(), 1);
    out += "  A" + std::string(width - 1, ' ') + " | " + texts.x + "\n";
    out += "  " + label + " | " + texts.y + "\n";
  }
}

void AppendEvidence(const CellFacts& facts, std::string& out) {
  const Judgement& judgement = facts.judgement;
  out += "\nEvidence: " + Count(judgement.ac.n_compared, "id") + " compared, " +
         Count(judgement.statistics.n_comparisons, "comparison") + ", " +
         Count(judgement.statistics.n_effective_prompts, "distinct prompt") + "\n";
  out += "  width " + std::to_string(judgement.effective_n) + " of " +
         std::to_string(facts.cell.dispatch_n) + " (client " +
         std::to_string(judgement.client_max_overlap_depth) + ", server " +
         std::to_string(judgement.server_peak_busy_slots);
  if (judgement.min_mean_width) out += ", lowest mean " + Figure(*judgement.min_mean_width);
  out += "), " + std::to_string(judgement.n_passes_effective) + " of " +
         std::to_string(judgement.n_passes) + " passes count";
  if (const auto& fraction = judgement.coverage.coverage_fraction) {
    out += ", co-batch coverage " + Fixed(*fraction, 3);
  }
  out += "\n  ok: " + std::to_string(judgement.floor.n_ok_a) + " in A, " +
         std::to_string(judgement.floor.n_ok_b) + " in B, " +
         std::to_string(judgement.floor.n_ok_c) + " in C (" +
         std::to_string(judgement.floor.required_ok) + " needed)";
  if (!judgement.uncertified_ids.empty()) {
    out += "; nothing is known about " +
           Count(static_cast<std::int64_t>(judgement.uncertified_ids.size()), "id");
  }
  out += "\n";
  if (HasCode(judgement, ReasonCode::kFloor) && !judgement.first_cause.empty()) {
    out += "  first fault: " + CleanLine(judgement.first_cause, kMaxFault) + "\n";
  }
  if (const std::string codes = Codes(judgement); !codes.empty()) out += "  codes: " + codes + "\n";
  if (!judgement.positive_control_ok) {
    out += judgement.positive_controls == 0
               ? "  no positive control: there was no pair of answers to plant a change in\n"
               : "  the positive control did not turn RED: this judgement proves nothing\n";
  }
}

void AppendFiles(const CellFacts& facts, std::string& out) {
  std::string files;
  const auto add = [&files](const char* what, const std::string& path) {
    if (!path.empty()) files += std::string("  ") + what + " " + CleanLine(path, kMaxPath) + "\n";
  };
  add("cert   ", facts.files.cert);
  add("refusal", facts.files.refusal);
  add("trace  ", facts.files.trace);
  const std::size_t logs = std::min(facts.files.server_logs.size(), kMaxLogs);
  for (std::size_t i = facts.files.server_logs.size() - logs; i < facts.files.server_logs.size();
       ++i) {
    add("log    ", facts.files.server_logs[i]);
  }
  if (!files.empty()) out += "\nFiles:\n" + files;
}

}  // namespace

std::string MessageLine(const CellFacts& facts) {
  std::string line = Verb(facts) + ": " + Summary(facts);
  const Divergence* divergence = facts.error ? nullptr : FirstDivergence(facts.judgement);
  if (divergence != nullptr && !facts.judgement.transport_only) {
    line += "; first " + CleanLine(divergence->test_id, 48) + " in " +
            ArmPassName(divergence->arm, divergence->pass);
    if (!divergence->leak_donor.empty()) {
      line += " (the answer of " + CleanLine(divergence->leak_donor, 48) + ")";
    }
    if (divergence->token_index) line += " at token " + std::to_string(*divergence->token_index);
    const MarkedPair texts = TextsOf(facts.judgement, *divergence, 12);
    if (!texts.x.empty() || !texts.y.empty()) line += ": " + texts.x + " | " + texts.y;
  }
  return CleanLine(line, kMaxMessage);
}

std::string Explain(const CellFacts& facts) {
  const Cell cell = {.model = CleanLine(facts.cell.model, 120),
                     .ctx = facts.cell.ctx,
                     .dispatch_n = facts.cell.dispatch_n,
                     .kv_label = CleanLine(facts.cell.kv_label, 20)};
  // A list shows the head of an error; here is the place for what it says should be done.
  std::string out = Verb(facts) + "  " + cell.model + " ctx=" + std::to_string(cell.ctx) +
                    " N=" + std::to_string(cell.dispatch_n) + ": " +
                    (facts.error ? CleanText(facts.error->Text(), kMaxError) : Summary(facts)) +
                    "\n";
  if (!facts.error) {
    if (const Divergence* divergence = FirstDivergence(facts.judgement)) {
      AppendDifference(facts.judgement, *divergence, out);
    }
    AppendEvidence(facts, out);
  }
  out += "\nNext: " + Advice(facts) + "\n";
  AppendFiles(facts, out);
  return CleanText(out, kMaxExplanation);
}

}  // namespace bi_test::report
