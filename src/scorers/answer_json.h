#pragma once

#include <optional>
#include <string_view>

#include "base/json_reader.h"
#include "bi_test/json.h"

/// JSON in the answer of a model, within kAnswerLimits.
namespace bi_test {

/// The value that the whole text is, white space around it aside.
[[nodiscard]] std::optional<Json> ReadWholeJson(std::string_view text);

/// The first JSON value that begins with one of some characters.
struct FoundJson {
  LeadingJson::State state = LeadingJson::State::kNone;
  Json value;               ///< Of kFound.
  std::string_view inside;  ///< Of kFound: its text.
};

/// Looks at the first 64 places where one of `openers` (`{`, `[`) stands, in as much of the text as
/// the limits allow. A value with a key twice or with too many levels ends the search.
[[nodiscard]] FoundJson FindFirstJson(std::string_view text, std::string_view openers,
                                      const JsonLimits& limits = kAnswerLimits);

/// The JSON in an answer: the whole text; else the first fenced code block that is JSON; else the
/// first object or array in it.
[[nodiscard]] std::optional<Json> FindJson(std::string_view text);

}  // namespace bi_test
