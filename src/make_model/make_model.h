#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "bi_test/result.h"
#include "make_model/model_spec.h"

/// Tiny random language models that a real llama-server loads, for showing and testing verdicts
/// where no model can be downloaded. They say nothing sensible, but they say it through the same
/// kernels.
namespace bi_test::make_model {

/// What `Write` left behind.
struct WrittenModel {
  std::uint64_t size = 0;
  /// Lower-case hexadecimal SHA-256 of the whole file.
  std::string sha256;

  friend bool operator==(const WrittenModel&, const WrittenModel&) = default;
};

/// Writes the model that `spec` describes to `path`.
///
/// The bytes depend on `spec` alone: same on every machine, compiler and run. `path` appears
/// complete or not at all (a temporary file in the same folder is renamed); an older file there is
/// replaced, anything that is not a regular file is refused. Memory stays at a few rows whatever
/// the size of the model.
///
/// Errors: `kUsage` with every line of `Validate(spec)`, if there is one; `kIo` naming the path.
[[nodiscard]] Result<WrittenModel> Write(const ModelSpec& spec, const std::string& path);

/// Exactly the bytes `Write` would put into a file, without a file. For tests and small models.
[[nodiscard]] Result<std::string> ToBytes(const ModelSpec& spec);

/// The program `bi-test-make-model OUT.gguf [flags]`, which `bi-test make-model` starts.
///
/// Returns 0 after printing path, size, digest and parameters to `out` (also 0 for --help), 1 if
/// the file could not be written, 2 for an unknown flag, a bad value or a model that cannot be.
/// Trouble goes to `err`. Never throws, never exits.
int MakeModelMain(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace bi_test::make_model
