#include "verdict/judge_input.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "bi_test/sanitize.h"

namespace bi_test {
namespace {

[[nodiscard]] std::optional<std::int64_t> CountAt(const Json* value) {
  const std::int64_t* count = value == nullptr ? nullptr : value->if_int64();
  return count == nullptr ? std::nullopt : std::optional(*count);
}

[[nodiscard]] const Json* FindIn(const Json& header, std::string_view object,
                                 std::string_view key) {
  const Json* inner = header.Find(object);
  return inner == nullptr ? nullptr : inner->Find(key);
}

/// `plan.passes` or `n_passes`; a value of another type or out of range is a problem of the record.
void ReadPasses(const Json& header, JudgeInput& out) {
  const Json* value = FindIn(header, "plan", "passes");
  if (value == nullptr || value->is_null()) value = header.Find("n_passes");
  if (value == nullptr || value->is_null()) return;
  const std::optional<std::int64_t> passes = CountAt(value);
  if (!passes || *passes < 1 || *passes > kMaxPasses) {
    out.problems.push_back("planned passes: found " + SanitizeText(CompactText(*value), 80) +
                           ", allowed: a whole number from 1 to " + std::to_string(kMaxPasses));
    return;
  }
  out.plan.passes = passes;
}

[[nodiscard]] bool IsTrue(const Json* value) {
  const bool* flag = value == nullptr ? nullptr : value->if_bool();
  return flag != nullptr && *flag;
}

void CheckCell(const Cell& cell, std::vector<std::string>& problems) {
  if (!FileStem(cell).empty()) return;
  problems.push_back("cell: found " + Describe(cell) +
                     ", allowed: a model name, ctx of at least 1, N of at least 2");
}

/// A control that the plan announces and that is not all there was not measured: its absence must
/// not be better than a control that disagrees.
void CheckControl(const Json& header, const char* key, const char* arm, const RowMap& rows,
                  std::vector<std::string>& problems) {
  const std::optional<std::int64_t> planned = CountAt(FindIn(header, "plan", key));
  if (!planned || *planned == static_cast<std::int64_t>(rows.size())) return;
  problems.push_back(std::string("arm ") + arm + ": found " + std::to_string(rows.size()) +
                     " trials, the plan says " + std::to_string(*planned));
}

/// A digest that some trials have and others lack: what was not measured there must not pass for
/// the same request, nor for a prompt of its own.
void CheckDigest(const Record& record, const char* key, Json Trial::*digest,
                 std::vector<std::string>& problems) {
  std::size_t rows = 0, with = 0;
  for (const Trial& trial : record.trials) {
    if (trial.malformed_row) continue;
    ++rows;
    with += (trial.*digest).is_string() ? 1 : 0;
  }
  if (with == 0 || with == rows) return;
  problems.push_back(std::string(key) + ": found on " + std::to_string(with) + " of " +
                     std::to_string(rows) + " trials, expected all or none");
}

void CheckNumbers(const PassEvidence& evidence, std::vector<std::string>& problems) {
  const std::string place = "evidence of pass " + std::to_string(evidence.pass) + ": ";
  const auto negative = [](const std::optional<std::int64_t>& value) {
    return value && *value < 0;
  };
  if (negative(evidence.server_peak_busy_slots) || negative(evidence.decode_calls) ||
      negative(evidence.tokens_decoded)) {
    problems.push_back(place + "a count is negative");
  }
  if (evidence.mean_busy_slots &&
      !(std::isfinite(*evidence.mean_busy_slots) && *evidence.mean_busy_slots >= 0.0)) {
    problems.push_back(place + "mean_busy_slots is no number from 0 up");
  }
}

template <typename T>
void KeepSmaller(std::optional<T>& kept, const std::optional<T>& other) {
  if (other) kept = kept ? std::min(*kept, *other) : *other;
}

/// Two measurements of one pass: the weaker number counts.
void Weaken(PassEvidence& kept, const PassEvidence& other) {
  KeepSmaller(kept.server_peak_busy_slots, other.server_peak_busy_slots);
  KeepSmaller(kept.mean_busy_slots, other.mean_busy_slots);
  KeepSmaller(kept.decode_calls, other.decode_calls);
  KeepSmaller(kept.tokens_decoded, other.tokens_decoded);
  KeepSmaller(kept.polls, other.polls);
  KeepSmaller(kept.missed_polls, other.missed_polls);
  kept.counter_reset = kept.counter_reset || other.counter_reset;
}

/// More than rounding makes of a mean of 1.
constexpr double kSerialMost = 1.25;

/// Counters that saw company for requests that were sent one at a time count something else than
/// requests in service (slots, say), and their mean of a concurrent pass is no better.
void DoubtCounters(const Record& record, JudgeInput& out) {
  for (const PassEvidence& evidence : record.evidence) {
    if (evidence.arm != Arm::kB || evidence.pass != 0 || evidence.counter_reset) continue;
    if (!evidence.mean_busy_slots || *evidence.mean_busy_slots <= kSerialMost) continue;
    out.counters_doubt = "the counters are not believed: mean width " +
                         FixedText(*evidence.mean_busy_slots, 2) +
                         " in arm B, where requests are sent one at a time";
  }
  if (out.counters_doubt.empty()) return;
  for (PassEvidence& evidence : out.evidence) evidence.mean_busy_slots.reset();
}

void TakeEvidence(const Record& record, JudgeInput& out) {
  out.evidence.resize(out.index.passes.size());
  for (std::size_t p = 0; p < out.evidence.size(); ++p) {
    out.evidence[p].pass = static_cast<int>(p);
  }
  for (const PassEvidence& evidence : record.evidence) {
    if (evidence.arm != Arm::kC || evidence.pass < 0) continue;
    if (static_cast<std::size_t>(evidence.pass) >= out.evidence.size()) continue;
    CheckNumbers(evidence, out.problems);
    Weaken(out.evidence[static_cast<std::size_t>(evidence.pass)], evidence);
  }
  std::sort(out.problems.begin(), out.problems.end());
  DoubtCounters(record, out);
}

}  // namespace

bool A2IsSample(const JudgeInput& input) {
  return input.plan.a2_sample && *input.plan.a2_sample > 0 &&
         static_cast<std::int64_t>(input.index.a2.size()) == *input.plan.a2_sample;
}

void ExtendPasses(JudgeInput& input, std::size_t n_passes) {
  while (input.index.passes.size() < n_passes) {
    PassEvidence evidence;
    evidence.pass = static_cast<int>(input.index.passes.size());
    input.index.passes.emplace_back();
    input.evidence.push_back(evidence);
  }
}

JudgeInput PrepareInput(const Record& record, const Policy& policy) {
  JudgeInput out;
  out.cell = record.cell;
  out.complete = record.complete;
  out.index = BuildIndex(record);
  out.problems = out.index.problems;
  CheckCell(record.cell, out.problems);
  CheckDigest(record, "request_sha256", &Trial::request_sha256, out.problems);
  CheckDigest(record, "prompt_sha256", &Trial::prompt_sha256, out.problems);
  CheckControl(record.header, "a3_sample", "A3", out.index.a3, out.problems);
  CheckControl(record.header, "b2_sample", "B2", out.index.b2, out.problems);
  for (const std::string& problem : Validate(policy)) out.problems.push_back("policy." + problem);
  ReadPasses(record.header, out);
  out.plan.a2_sample = CountAt(FindIn(record.header, "plan", "a2_sample"));
  out.plan.fail_fast = IsTrue(FindIn(record.header, "plan", "fail_fast"));
  out.plan.total_slots = CountAt(FindIn(record.header, "server", "total_slots"));

  const auto planned = static_cast<std::size_t>(out.plan.passes.value_or(0));
  const std::size_t seen = out.index.passes.size();
  out.n_passes_planned = static_cast<int>(std::max(planned, seen));
  // What a run that was told to stop at the first difference did not send is not missing.
  if (!out.plan.fail_fast || seen == 0) out.index.passes.resize(std::max(planned, seen));
  TakeEvidence(record, out);
  return out;
}

}  // namespace bi_test
