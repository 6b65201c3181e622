#include "config/yaml/text_file.h"

#include <system_error>

#include "files/atomic_file.h"

namespace bi_test::config {

Result<std::string> ReadTextFile(const std::filesystem::path& file, std::size_t max_bytes,
                                 std::string_view allowed) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::is_regular_file(status)) return files::ReadFile(file, max_bytes);
  const std::string found = !std::filesystem::exists(status) ? "no such file"
                            : std::filesystem::is_directory(status)
                                ? "a folder"
                                : "something that is no regular file";
  return Error{ErrorCode::kNotFound, "found " + found + ", allowed: " + std::string(allowed),
               file.string()};
}

}  // namespace bi_test::config
