#include "first_difference.h"

#include "base/safe_text.h"
#include "text_window.h"
#include "verdict/pass_name.h"

namespace bi_test::matchers_internal {
namespace {

constexpr std::size_t kMaxId = 80;
constexpr std::size_t kMaxField = 40;

/// Strings as they are, all else as JSON.
std::string Shown(const Json& value) {
  return value.if_string() != nullptr ? *value.if_string() : CompactText(value);
}

}  // namespace

std::string Describe(const Divergence& divergence) {
  std::string text = "first id " + OneLine(divergence.test_id, kMaxId) + " in " +
                     ArmPassName(divergence.arm, divergence.pass) + ", field " +
                     OneLine(divergence.field, kMaxField);
  if (divergence.token_index) text += ", token index " + std::to_string(*divergence.token_index);
  if (divergence.byte_offset) text += ", byte " + std::to_string(*divergence.byte_offset);
  if (!divergence.cause.empty()) text += ", " + OneLine(divergence.cause, kMaxId);
  if (!divergence.x_around.empty() || !divergence.y_around.empty()) {
    text += ": " + AroundFirstDifference(divergence.x_around, divergence.y_around);
  }
  return text;
}

std::string Describe(const FieldDifference& difference) {
  return "first id " + OneLine(difference.test_id, kMaxId) + ", field " +
         OneLine(difference.field, kMaxField) + ": " +
         AroundFirstDifference(Shown(difference.x), Shown(difference.y));
}

}  // namespace bi_test::matchers_internal
