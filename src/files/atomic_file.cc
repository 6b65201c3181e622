#include "files/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "files/file_descriptor.h"

namespace bi_test::files {
namespace {

/// Removes the file unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  void Keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

std::string RandomName() {
  static constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz012345";  // 32, so no bias
  unsigned char random[12];
  if (::getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    // Uniqueness comes from O_EXCL; randomness only saves rounds.
    const auto pid = static_cast<std::uint64_t>(::getpid());
    for (std::size_t i = 0; i < sizeof random; ++i) {
      random[i] = static_cast<unsigned char>(pid >> (i % 4 * 8));
    }
  }
  std::string name = ".cert-";
  for (const unsigned char byte : random) name += kLetters[byte & 31u];
  return name + ".tmp";
}

/// Opens a new file in `directory`. The kernel applies the umask, which no thread can read safely.
Result<std::pair<FileDescriptor, std::filesystem::path>> OpenTemporary(
    const std::filesystem::path& directory) {
  constexpr int kAttempts = 16;
  int number = 0;
  std::filesystem::path path;
  for (int i = 0; i < kAttempts; ++i) {
    path = directory / RandomName();
    FileDescriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file.valid()) return std::pair(std::move(file), path);
    number = errno;
    if (number != EEXIST && number != EINTR) break;
  }
  return FileError(ErrorCode::kIo, "cannot make a temporary file", path, number);
}

}  // namespace

Status WriteFileAtomically(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path directory = file.has_parent_path() ? file.parent_path() : ".";
  if (!file.has_filename()) {
    return Error{ErrorCode::kUsage, "expected the name of a file", file.string()};
  }
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) return FileError(ErrorCode::kIo, "cannot make the directory", directory, code.value());

  BI_TRY_SET(auto opened, OpenTemporary(directory));
  auto& [fd, path] = opened;
  TemporaryFile temporary(path);
  if (const int number = WriteAll(fd.get(), content); number != 0) {
    return FileError(ErrorCode::kIo, "cannot write the file", file, number);
  }
  if (::fsync(fd.get()) != 0) {
    return FileError(ErrorCode::kIo, "cannot flush the file to the disk", file, errno);
  }
  if (const int number = fd.Close(); number != 0) {
    return FileError(ErrorCode::kIo, "cannot close the file", file, number);
  }
  if (::rename(path.c_str(), file.c_str()) != 0) {
    return FileError(ErrorCode::kIo, "cannot rename the temporary file to it", file, errno);
  }
  temporary.Keep();
  FileDescriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems have no fsync for directories and say so with EINVAL.
  if (!parent.valid() || (::fsync(parent.get()) != 0 && errno != EINVAL)) {
    return FileError(ErrorCode::kIo, "cannot flush the directory to the disk", directory, errno);
  }
  return {};
}

Result<std::string> ReadFile(const std::filesystem::path& file, std::size_t max_bytes) {
  BI_TRY_SET(const FileDescriptor fd, OpenRegularFile(file));
  std::string content;
  bool too_large = false;
  const Status read = ReadBlocks(fd, file, [&](std::string_view block) {
    too_large = block.size() > max_bytes - content.size();
    if (!too_large) content += block;
    return !too_large;
  });
  BI_TRY(read);
  if (too_large) {
    return Error{ErrorCode::kInvalidFile,
                 "the file has more than the allowed " + std::to_string(max_bytes) + " bytes",
                 file.string()};
  }
  return content;
}

Result<std::string> FileSha256(const std::filesystem::path& file) {
  BI_TRY_SET(const FileDescriptor fd, OpenRegularFile(file));
  Sha256 sha;
  const Status read = ReadBlocks(fd, file, [&](std::string_view block) {
    sha.Update(block);
    return true;
  });
  BI_TRY(read);
  return sha.Hex();
}

}  // namespace bi_test::files
