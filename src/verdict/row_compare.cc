#include "verdict/row_compare.h"

#include <algorithm>
#include <string_view>

#include "base/equality.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Fields a scorer derives from the text; another framing of the same text may change them.
constexpr std::uint32_t kDerivedFields = 0b000111;

/// `content` of both sides: a side without content only equals an empty text, and the display form
/// counts only when both sides lack content.
[[nodiscard]] bool EqualContent(const Trial& x, const Trial& y) {
  if (x.content.is_null() == y.content.is_null()) {
    return x.content.is_null() ? OutputText(x) == OutputText(y) : EqualValues(x.content, y.content);
  }
  return OutputText(x).empty() && OutputText(y).empty();
}

constexpr std::string_view kBlank = " \t\r\n";

void AppendPieces(std::string_view text, std::vector<std::string_view>& out) {
  constexpr std::string_view kOpen = "<think>";
  constexpr std::string_view kClose = "</think>";
  const auto append = [&out](std::string_view piece) {
    const std::size_t first = piece.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return;
    out.push_back(piece.substr(first, piece.find_last_not_of(kBlank) - first + 1));
  };
  while (true) {
    const std::size_t open = text.find(kOpen);
    const std::size_t close = text.find(kClose);
    const std::size_t tag = std::min(open, close);
    append(text.substr(0, tag));
    if (tag == std::string_view::npos) return;
    text.remove_prefix(tag + (tag == open ? kOpen.size() : kClose.size()));
  }
}

/// Reasoning, then content, cut at think tags; blanks beside a cut belong to the framing.
[[nodiscard]] std::vector<std::string_view> Pieces(const Trial& trial) {
  std::vector<std::string_view> out;
  if (const std::string* reasoning = trial.reasoning_content.if_string()) {
    AppendPieces(*reasoning, out);
  }
  if (const std::string* content = trial.content.if_string()) AppendPieces(*content, out);
  return out;
}

[[nodiscard]] bool HasReasoning(const Trial& trial) {
  const std::string* reasoning = trial.reasoning_content.if_string();
  if (reasoning != nullptr && !reasoning->empty()) return true;
  const std::string* content = trial.content.if_string();
  return content != nullptr && content->find("</think>") != std::string::npos;
}

/// The texts differ, but only in where the reasoning stands.
[[nodiscard]] bool OnlyFramingDiffers(const Trial& x, const Trial& y) {
  return (HasReasoning(x) || HasReasoning(y)) && EqualValues(x.tool_calls, y.tool_calls) &&
         Pieces(x) == Pieces(y);
}

}  // namespace

RowComparer::RowComparer(const Policy& policy) {
  for (const InvariantField& field : Invariants()) names_.emplace_back(field.name);
  for (const std::string& extra : policy.extra_invariant_fields) {
    const bool known = std::find(names_.begin(), names_.end(), extra) != names_.end();
    if (IsExtraInvariant(extra) && !known) names_.push_back(extra);
  }
}

Json RowComparer::FieldValue(const Trial& trial, std::size_t i) const {
  const auto invariants = Invariants();
  return i < invariants.size() ? trial.*invariants[i].member
                               : ExtraInvariantValue(trial, names_[i]);
}

RowComparison RowComparer::Compare(const Trial& x, const Trial& y) const {
  RowComparison out;
  if (x.malformed_row || y.malformed_row) {
    out.malformed = true;
    out.token_identical = false;
    return out;
  }
  const auto invariants = Invariants();
  for (std::size_t i = 0; i < invariants.size(); ++i) {
    if (!EqualValues(x.*invariants[i].member, y.*invariants[i].member)) out.fields |= 1U << i;
  }
  for (std::size_t i = invariants.size(); i < names_.size(); ++i) {
    if (!EqualValues(FieldValue(x, i), FieldValue(y, i))) out.fields |= 1U << i;
  }

  const bool same_content = EqualContent(x, y);
  const bool same_reasoning = EqualValues(x.reasoning_content, y.reasoning_content);
  const bool same_rest = EqualValues(x.tool_calls, y.tool_calls) &&
                         EqualValues(x.completion_tokens, y.completion_tokens) &&
                         x.token_ids == y.token_ids;  // one side alone was not compared: not equal
  const bool same_finish = EqualValues(x.finish_reason, y.finish_reason);
  out.token_identical = same_content && same_reasoning && same_rest && same_finish;
  out.finish_reason_only = same_content && same_reasoning && same_rest && !same_finish;
  out.truncated_content = x.content.is_null() && y.content.is_null() &&
                          !(x.response_first_200.is_null() && y.response_first_200.is_null());
  if (!same_content && (out.fields & ~kDerivedFields) == 0 && OnlyFramingDiffers(x, y)) {
    out.fields = 0;
    out.framing_only = true;
  }
  return out;
}

}  // namespace bi_test
