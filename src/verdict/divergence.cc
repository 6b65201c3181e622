#include "verdict/divergence.h"

#include <algorithm>
#include <cmath>

#include "base/equality.h"
#include "base/utf8.h"
#include "bi_test/sanitize.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Longer than a run lets a reason be: the last words of a server are at its end.
constexpr std::size_t kMaxReason = 800;

/// Up to `kAroundCharacters` characters on each side of `at`.
[[nodiscard]] std::string Around(std::string_view text, std::size_t at) {
  std::size_t begin = std::min(at, text.size());
  for (int steps = 0; steps < kAroundCharacters && begin > 0; ++steps) {
    begin = SequenceStart(text, begin - 1);
  }
  std::size_t end = std::min(at, text.size());
  for (int steps = 0; steps < kAroundCharacters && end < text.size(); ++steps) {
    end += NextUtf8(text, end).length;
  }
  return std::string(text.substr(begin, end - begin));
}

/// The texts in which a difference can be shown, the whole output first.
[[nodiscard]] std::optional<TextDifference> LocateInTexts(const Trial& x, const Trial& y) {
  if (auto found = LocateTextDifference(OutputText(x), OutputText(y))) return found;
  for (const auto member : {&Trial::reasoning_content, &Trial::extracted_answer}) {
    const std::string* a = (x.*member).if_string();
    const std::string* b = (y.*member).if_string();
    if (a == nullptr && b == nullptr) continue;
    if (auto found = LocateTextDifference(a == nullptr ? std::string_view() : *a,
                                          b == nullptr ? std::string_view() : *b)) {
      return found;
    }
  }
  return std::nullopt;
}

[[nodiscard]] std::string OutputFieldName(const Trial& x, const Trial& y,
                                          const RowComparison& comparison) {
  if (comparison.framing_only) return "framing";
  if (x.token_ids && y.token_ids && *x.token_ids != *y.token_ids) return "token_ids";
  if (OutputText(x) != OutputText(y) || x.content.is_null() != y.content.is_null() ||
      !EqualValues(x.content, y.content)) {
    return "content";
  }
  if (!EqualValues(x.reasoning_content, y.reasoning_content)) return "reasoning_content";
  if (!EqualValues(x.tool_calls, y.tool_calls)) return "tool_calls";
  return EqualValues(x.finish_reason, y.finish_reason) ? "completion_tokens" : "finish_reason";
}

[[nodiscard]] std::string FieldName(const Trial& x, const Trial& y, const RowComparer& comparer) {
  const RowComparison comparison = comparer.Compare(x, y);
  if (comparison.malformed) return "<row>";
  for (std::size_t i = 0; i < comparer.field_names().size(); ++i) {
    if ((comparison.fields & (1U << i)) != 0) return comparer.field_names()[i];
  }
  return OutputFieldName(x, y, comparison);
}

void LocateToken(const Trial& x, const Trial& y, Divergence& out) {
  if (!x.token_ids || !y.token_ids || *x.token_ids == *y.token_ids) return;
  const std::vector<std::int64_t>& a = *x.token_ids;
  const std::vector<std::int64_t>& b = *y.token_ids;
  const auto parted = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto at = static_cast<std::size_t>(parted.first - a.begin());
  out.token_index = static_cast<std::int64_t>(at);
  if (at < a.size()) out.x_token = a[at];
  if (at < b.size()) out.y_token = b[at];
  if (!x.margins || at >= x.margins->size() || !std::isfinite((*x.margins)[at])) return;
  out.margin = (*x.margins)[at];
  out.not_explained_by_rounding = *out.margin > kRoundingMargin;
}

}  // namespace

std::optional<TextDifference> LocateTextDifference(std::string_view x, std::string_view y) {
  if (x == y) return std::nullopt;
  const auto parted = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  TextDifference out;
  out.byte_offset = static_cast<std::size_t>(parted.first - x.begin());
  const std::size_t start = out.byte_offset < x.size() ? SequenceStart(x, out.byte_offset)
                                                       : SequenceStart(y, out.byte_offset);
  out.code_point_offset = CountCodePoints(x.substr(0, std::min(start, x.size())));
  out.x_around = Around(x, start);
  out.y_around = Around(y, start);
  return out;
}

std::string FaultText(const Trial& trial) {
  const std::string* label = trial.failure_mode.if_string();
  std::string out = label == nullptr ? CompactText(trial.failure_mode) : *label;
  if (!trial.phase.empty()) out += " (" + trial.phase + ")";
  if (trial.http_status && *trial.http_status > 0) {
    out += " HTTP " + std::to_string(*trial.http_status);
  }
  if (!trial.reason.empty()) out += ": " + trial.reason;
  return SanitizeText(out, kMaxReason);
}

Divergence DescribeDivergence(std::string_view id, Arm arm, int pass, const Trial* x,
                              const Trial* y, const RowComparer& comparer) {
  Divergence out;
  out.test_id = std::string(id);
  out.arm = arm;
  out.pass = pass;
  if (y != nullptr) out.slot = y->slot;
  if (x == nullptr || y == nullptr) {
    out.field = "<missing>";
    return out;
  }
  out.field = FieldName(*x, *y, comparer);
  if (x->malformed_row || y->malformed_row) return out;
  if (IsFault(*x) || IsFault(*y)) {
    out.transport = true;
    out.cause = FaultText(IsFault(*y) ? *y : *x);
    return out;  // the texts of a failed request say nothing about the model
  }
  LocateToken(*x, *y, out);
  if (const std::optional<TextDifference> text = LocateInTexts(*x, *y)) {
    out.byte_offset = static_cast<std::int64_t>(text->byte_offset);
    out.code_point_offset = text->code_point_offset;
    out.x_around = text->x_around;
    out.y_around = text->y_around;
  }
  return out;
}

}  // namespace bi_test
