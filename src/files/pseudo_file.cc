#include "files/pseudo_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "files/file_descriptor.h"

namespace bi_test::files {

std::optional<std::string> ReadPseudoFile(const std::string& file, std::size_t max_bytes) {
  const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  std::string content;
  std::array<char, 16'384> buffer;
  while (true) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
    if (content.size() > max_bytes) return std::nullopt;
  }
}

}  // namespace bi_test::files
