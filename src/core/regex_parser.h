#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "core/regex.h"

namespace bi_test {

/// A part of a regular expression.
struct RegexNode {
  enum class Kind { kEmpty, kSet, kAssert, kSequence, kChoice, kGroup, kRepeat };
  Kind kind = Kind::kEmpty;
  Regex::Set set;                                           ///< Of kSet.
  Regex::Step::Kind assertion = Regex::Step::Kind::kMatch;  ///< Of kAssert.
  std::vector<RegexNode> parts;  ///< Of the last four; one of kRepeat and kGroup.
  int group = 0;                 ///< Of kGroup: its number from 1; 0: none.
  int min = 0;                   ///< Of kRepeat.
  int max = 0;                   ///< -1: no limit.
  bool lazy = false;
};

struct ParsedRegex {
  RegexNode root;
  int groups = 0;
  bool ignore_case = false;
};

/// Reads a pattern of at most 1000 bytes and 50 levels of groups.
[[nodiscard]] Result<ParsedRegex> ParseRegex(std::string_view pattern);

}  // namespace bi_test
