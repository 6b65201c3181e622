#include "verdict/positive_control.h"

#include <algorithm>

#include "base/equality.h"
#include "verdict/classify.h"
#include "verdict/examine.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxSample = 64;
constexpr std::size_t kMaxPlantings = 16;

/// Ids that agree in every pass and arm A's repeats, spread over the record; at most `kMaxSample`.
[[nodiscard]] std::vector<std::uint32_t> AgreeingIds(const JudgeInput& input,
                                                     const Findings& findings) {
  std::vector<bool> differs(input.index.ids.size(), false);
  for (const PassDifference& difference : findings.passes.differences) {
    if (difference.kind != DifferenceKind::kOutput) differs[difference.id] = true;
  }
  for (const auto* ids :
       {&findings.requests.prompt_truncated, &findings.requests.request_mismatch}) {
    for (const std::uint32_t id : *ids) differs[id] = true;
  }
  const auto repeats = [&](const Row& row) {
    for (const RowMap* repeat : {&input.index.a2, &input.index.a3}) {
      const Trial* again = FindRow(*repeat, row.id);
      if (again != nullptr && findings.comparer.Compare(*row.trial, *again).divergent())
        return false;
    }
    return true;
  };
  const RowMap& a = input.index.a;
  const std::size_t stride = std::max<std::size_t>(1, a.size() / kMaxSample);
  std::vector<std::uint32_t> out;
  // Spread first; in a record full of differences whatever is left.
  for (const std::size_t step : {stride, std::size_t{1}}) {
    for (std::size_t i = 0; i < a.size() && out.size() < kMaxSample; i += step) {
      if (!differs[a[i].id] && repeats(a[i])) out.push_back(a[i].id);
    }
    if (!out.empty()) break;
  }
  return out;
}

[[nodiscard]] RowMap Restrict(const RowMap& rows, const std::vector<std::uint32_t>& ids) {
  RowMap out;
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    if (const Trial* trial = FindRow(rows, ids[i])) out.push_back({i, trial});
  }
  return out;
}

/// The input cut down to some ids.
[[nodiscard]] JudgeInput Restrict(const JudgeInput& input, const std::vector<std::uint32_t>& ids) {
  JudgeInput out;
  out.cell = input.cell;
  out.complete = input.complete;
  out.evidence = input.evidence;
  out.n_passes_planned = static_cast<int>(input.index.passes.size());
  for (const std::uint32_t id : ids) out.index.ids.push_back(input.index.ids[id]);
  out.index.a = Restrict(input.index.a, ids);
  out.index.a2 = Restrict(input.index.a2, ids);
  out.index.a3 = Restrict(input.index.a3, ids);
  out.index.b = Restrict(input.index.b, ids);
  out.index.b2 = Restrict(input.index.b2, ids);
  for (const RowMap& pass : input.index.passes) {
    out.index.passes.push_back(Restrict(pass, ids));
  }
  // A repeat of a stored baseline is a sample of the ids; of these ids it holds what it holds.
  if (input.plan.a2_sample) out.plan.a2_sample = static_cast<std::int64_t>(out.index.a2.size());
  return out;
}

/// Another score than the row has.
[[nodiscard]] Json OtherScore(const Json& score) {
  return EqualValues(score, Json(0.0)) ? Json(1.0) : Json(0.0);
}

}  // namespace

ControlResult RunPositiveControl(const JudgeInput& input, const Policy& policy,
                                 const Findings& findings) {
  ControlResult out;
  const std::vector<std::uint32_t> ids = AgreeingIds(input, findings);
  const std::size_t n_passes = input.index.passes.size();
  if (ids.empty() || n_passes == 0) return out;
  JudgeInput copy = Restrict(input, ids);
  const std::size_t stride = (n_passes + kMaxPlantings - 1) / kMaxPlantings;
  for (std::size_t p = 0; p < n_passes; p += stride) {
    Row& target = copy.index.passes[p][p % ids.size()];
    const Trial* original = target.trial;
    Trial planted = *original;
    planted.score = OtherScore(original->score);
    // Where only the framing differs, scores made from it are excused; another text is not.
    const Trial* serial = FindRow(copy.index.a, target.id);
    if (serial != nullptr && findings.comparer.Compare(*serial, *original).framing_only) {
      planted.content = OutputText(*original) + " (planted)";
    }
    target.trial = &planted;
    Findings found = Examine(copy, policy);
    Classify(copy, policy, false, found);
    const Judgement& judgement = found.judgement;
    ++out.n_planted;
    const std::vector<std::string> expected = {std::string(copy.index.ids[target.id])};
    if (judgement.verdict == Verdict::kRed && judgement.ac.divergent_ids == expected) ++out.n_found;
    target.trial = original;
  }
  return out;
}

}  // namespace bi_test
