#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "make_model/model_spec.h"

/// What the tests of make_model share.
namespace bi_test::make_model {

/// Computed with OpenSSL's one-shot call, apart from the code under test.
[[nodiscard]] std::string Sha256(std::string_view bytes);

/// A valid dense model of about 60 kB (q8_0), and the same as a mixture of four experts.
[[nodiscard]] ModelSpec Tiny();
[[nodiscard]] ModelSpec TinyMoe();

/// `spec` after each `change(spec)`.
template <typename... Change>
[[nodiscard]] ModelSpec With(ModelSpec spec, Change... change) {
  (change(spec), ...);
  return spec;
}

/// A folder that is gone when the test is over.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::vector<std::string> Names() const;

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string ReadFile(const std::string& path);

struct GgufTensor {
  std::vector<std::uint64_t> dims;
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
};

struct Gguf {
  std::uint32_t version = 0;
  /// Numbers and strings as text, of an array its length.
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> arrays;
  /// In file order.
  std::vector<std::string> tensor_names;
  std::map<std::string, GgufTensor> tensors;
  std::size_t data_at = 0;
};

/// A reader of GGUF that shares no code with the writer. Throws std::runtime_error for what it does
/// not understand, and for keys or tensors that come twice.
[[nodiscard]] Gguf ReadGguf(std::string_view bytes);

/// Size of a tensor's data by its dimensions and type.
[[nodiscard]] std::uint64_t BytesOf(const GgufTensor& tensor);

/// The values of a tensor, decoded by formulas written down once more.
[[nodiscard]] std::vector<float> Decode(const std::string& bytes, const Gguf& gguf,
                                        const std::string& name);

}  // namespace bi_test::make_model
