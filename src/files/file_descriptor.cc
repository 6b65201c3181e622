#include "files/file_descriptor.h"

#include <fcntl.h>
#include <string.h>  // strerrorname_np
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace bi_test::files {

FileDescriptor::~FileDescriptor() { Close(); }

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    Close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

int FileDescriptor::Close() {
  const int fd = std::exchange(fd_, -1);
  // Linux has freed the number even when close was interrupted.
  return fd >= 0 && ::close(fd) != 0 && errno != EINTR ? errno : 0;
}

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

Result<FileDescriptor> OpenRegularFile(const std::filesystem::path& file) {
  // Non-blocking, so that a pipe cannot hold us before it is recognised as no regular file.
  FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    const int number = errno;
    const bool absent =
        number == ENOENT || number == ENOTDIR || number == EACCES || number == EPERM;
    return FileError(absent ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot open the file", file,
                     number);
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) {
    return FileError(ErrorCode::kIo, "cannot stat the file", file, errno);
  }
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kNotFound,
                 std::string("found a ") + (S_ISDIR(info.st_mode) ? "directory" : "special file") +
                     ", expected a regular file",
                 file.string()};
  }
  return fd;
}

std::uintmax_t BytesOnDisk(const FileDescriptor& fd) {
  constexpr std::uintmax_t kUnit = 512;  // of st_blocks, whatever the file system
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || info.st_size < 0 || info.st_blocks < 0) return 0;
  return std::min<std::uintmax_t>(static_cast<std::uintmax_t>(info.st_size),
                                  static_cast<std::uintmax_t>(info.st_blocks) * kUnit);
}

Status ReadBlocks(const FileDescriptor& fd, const std::filesystem::path& file,
                  const std::function<bool(std::string_view block)>& take) {
  constexpr std::size_t kBlock = 1u << 20;
  std::string block(kBlock, '\0');
  for (;;) {
    const ssize_t n = ::read(fd.get(), block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(ErrorCode::kIo, "cannot read the file", file, errno);
    if (n == 0 || !take(std::string_view(block.data(), static_cast<std::size_t>(n)))) return {};
  }
}

std::string ErrnoName(int number) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
  if (const char* name = ::strerrorname_np(number)) return name;
#endif
  return "errno " + std::to_string(number);
}

Error FileError(ErrorCode code, std::string_view what, const std::filesystem::path& file,
                int number) {
  std::string message(what);
  message += ": " + ErrnoName(number) + " (" + std::generic_category().message(number) + ")";
  return Error{code, std::move(message), file.string()};
}

}  // namespace bi_test::files
