#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "bi_test/sweep.h"
#include "support/temp_dir.h"

namespace bi_test::test_support {

/// A folder with a sweep file and what it names. MODELS_DIR points at it, and model `m` is there.
class SweepFolder {
 public:
  SweepFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file of that name; folders on the way are made.
  void Write(const std::string& name, std::string_view content) const;
  /// The same, and executable.
  void WriteProgram(const std::string& name) const;

  /// Loads `cells.yaml` with this content.
  [[nodiscard]] Result<Sweep> Load(std::string_view content) const;
  /// The error text of loading it, the folder replaced by `DIR`; `loaded` when there is none.
  [[nodiscard]] std::string LoadError(std::string_view content) const;
  /// Three good lines (models, matrix, workset), then `rest`, which begins on line 4.
  [[nodiscard]] Result<Sweep> LoadWith(std::string_view rest) const;
  [[nodiscard]] std::string LoadErrorWith(std::string_view rest) const;

  std::map<std::string, std::string> env;

 private:
  TempDir dir_;
  std::filesystem::path path_ = dir_.path().lexically_normal();
};

}  // namespace bi_test::test_support
