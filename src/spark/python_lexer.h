#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::spark {

/// A word of Python source.
struct PythonToken {
  enum class Kind {
    kName,      ///< Also keywords.
    kInteger,   ///< `text` is the value in canonical spelling.
    kFloat,     ///< Likewise.
    kString,    ///< `text` is the value, escapes resolved.
    kBytes,     ///< Likewise.
    kOperator,  ///< Operators, brackets, `,`, `:` and so on.
    kNewline,   ///< End of a logical line.
    kIndent,
    kDedent,
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string text;
};

/// Most tokens of a source that is read at all.
inline constexpr std::size_t kMostPythonTokens = 4096;

/// The tokens of a source, kEnd last; false when it is outside the subset: characters that are not
/// ASCII outside strings and comments, prefixes `f`, imaginary numbers, unbalanced brackets, broken
/// strings, inconsistent indentation, more than kMostPythonTokens tokens. Time and memory are
/// linear.
[[nodiscard]] bool LexPython(std::string_view source, std::vector<PythonToken>& tokens);

}  // namespace bi_test::spark
