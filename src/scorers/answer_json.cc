#include "scorers/answer_json.h"

#include <utility>

#include "scorers/code_blocks.h"

namespace bi_test {
namespace {

constexpr int kMostStarts = 64;

}  // namespace

std::optional<Json> ReadWholeJson(std::string_view text) {
  if (text.size() > kAnswerLimits.max_bytes) return std::nullopt;
  LeadingJson found = ReadLeadingJson(text, kAnswerLimits);
  const bool whole = found.state == LeadingJson::State::kFound &&
                     text.find_first_not_of(" \t\r\n", found.end) == text.npos;
  if (!whole) return std::nullopt;
  return std::move(found.value);
}

FoundJson FindFirstJson(std::string_view text, std::string_view openers, const JsonLimits& limits) {
  text = text.substr(0, limits.max_bytes);
  int starts = 0;
  for (std::size_t at = text.find_first_of(openers); at != text.npos && starts < kMostStarts;
       at = text.find_first_of(openers, at + 1)) {
    ++starts;
    LeadingJson found = ReadLeadingJson(text.substr(at), limits);
    if (found.state == LeadingJson::State::kNone) continue;
    return {found.state, std::move(found.value), text.substr(at, found.end)};
  }
  return {};
}

std::optional<Json> FindJson(std::string_view text) {
  if (std::optional<Json> whole = ReadWholeJson(text)) return whole;
  for (const CodeBlock& block : FindCodeBlocks(text)) {
    if (std::optional<Json> value = ReadWholeJson(block.code)) return value;
  }
  FoundJson found = FindFirstJson(text, "{[");
  if (found.state != LeadingJson::State::kFound) return std::nullopt;
  return std::move(found.value);
}

}  // namespace bi_test
