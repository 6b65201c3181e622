#pragma once

#include <string_view>
#include <vector>

namespace bi_test {

/// A fenced code block of Markdown. Views into the text it was found in.
struct CodeBlock {
  std::string_view language;  ///< First word behind the opening fence; empty when there is none.
  std::string_view code;      ///< The lines between the fences, without the last line end.
};

/// The fenced blocks of a text, in order: three or more backticks or tildes at the start of a line
/// (up to three blanks before them), up to a line of at least as many of the same. One that the
/// text ends in counts up to the end, as in a completion that was cut off. Only the first 1000.
[[nodiscard]] std::vector<CodeBlock> FindCodeBlocks(std::string_view text);

}  // namespace bi_test
