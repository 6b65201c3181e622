#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"

namespace bi_test::config {

/// One mistake in a file.
struct FileProblem {
  int line = 0;      ///< 1-based; 0 when no line is known.
  std::string key;   ///< Path such as `run.passes` or `models[1].path`; may be empty.
  std::string text;  ///< `found ..., allowed: ...`.
};

/// The mistakes of one file, collected so that one reading reports them all.
class FileProblems {
 public:
  void Add(int line, std::string key, std::string text);
  /// Adds each line of `message` as a problem of its own: the mistakes of another file.
  void AddEach(int line, const std::string& key, std::string_view message);
  /// Adds `found {found}, allowed: {allowed}`.
  void Found(int line, std::string key, std::string_view found, std::string_view allowed);

  [[nodiscard]] bool empty() const { return problems_.empty(); }
  [[nodiscard]] std::size_t size() const { return problems_.size(); }

  /// All mistakes in the order of their lines, one per line: `{file}:{line}: {key}: {text}`. After
  /// the hundredth only the number of the others is given. REQUIRES: not empty.
  [[nodiscard]] Error ToError(std::string_view file) const;

 private:
  std::vector<FileProblem> problems_;
};

/// `a, b, c`.
[[nodiscard]] std::string Joined(const std::vector<std::string>& words);

}  // namespace bi_test::config
