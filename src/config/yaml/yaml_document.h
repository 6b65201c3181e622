#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml/file_problems.h"

namespace bi_test::config {

struct YamlMember;

/// One node of a YAML document, as it was written: no scalar has been given a type yet.
struct YamlNode {
  enum class Kind {
    kNothing,  ///< No value, `~` or `null`, without quotes.
    kText,
    kList,
    kMap,
  };
  Kind kind = Kind::kNothing;
  int line = 0;                     ///< 1-based.
  std::string text;                 ///< Of kText.
  bool quoted = false;              ///< Of kText: written in quotes or as a block.
  std::vector<YamlNode> items;      ///< Of kList.
  std::vector<YamlMember> members;  ///< Of kMap, in file order, keys unique.

  /// The value of a key, or null.
  [[nodiscard]] const YamlNode* Find(std::string_view key) const;
};

struct YamlMember {
  std::string key;
  int line = 0;  ///< Where the key stands.
  YamlNode value;
};

struct YamlLimits {
  std::size_t max_bytes = 1u << 20;
  int max_depth = 32;
};

/// Reads one YAML document. A byte-order mark is skipped. False, with a problem added for each
/// reason, when the text is no UTF-8, holds control characters (yaml-cpp takes one of them for the
/// end of the file), is broken, empty, too large or too deep, holds several documents, an anchor,
/// an alias or a tag, or a key that is not text or occurs twice in its mapping. Aliases are refused
/// where they stand, so nothing is ever expanded. Throws nothing.
[[nodiscard]] bool ParseYaml(std::string_view text, const YamlLimits& limits, YamlNode& root,
                             FileProblems& problems);

}  // namespace bi_test::config
