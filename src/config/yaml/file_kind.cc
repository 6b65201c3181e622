#include "config/yaml/file_kind.h"

#include <system_error>

namespace bi_test::config {

std::string KindOfFile(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return "no such file";
  if (std::filesystem::is_directory(status)) return "a folder";
  return "something that is no regular file";
}

}  // namespace bi_test::config
