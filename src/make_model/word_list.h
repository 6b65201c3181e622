#pragma once

#include <span>
#include <string_view>

namespace bi_test::make_model {

/// Common English words in lower case, each once, roughly the most frequent first.
[[nodiscard]] std::span<const std::string_view> WordList();

}  // namespace bi_test::make_model
