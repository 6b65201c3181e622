#pragma once

#include <string_view>

#include "bi_test/json.h"

namespace bi_test::spark {

/// The first JSON object in free text.
struct FoundObject {
  enum class State {
    kFound,
    kNone,       ///< There is none.
    kDuplicate,  ///< A key stands twice in it.
    kTooDeep,    ///< More than 64 levels.
  };
  State state = State::kNone;
  Json object;              ///< Of kFound.
  std::string_view inside;  ///< Of kFound: its text.
};

/// Looks at the first 256 KiB: from each `{` on it reads strict JSON (RFC 8259), until one of them
/// begins an object. What stands around it does not matter. Time is linear: an object that is well
/// formed ends the search, so no byte is read more often than objects can enclose it.
[[nodiscard]] FoundObject FindJsonObject(std::string_view text);

}  // namespace bi_test::spark
