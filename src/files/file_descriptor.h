#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::files {

/// Owns one file descriptor. Move-only; closes in the destructor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  /// Closes now. 0 or an errno value: some file systems report failed writes only here.
  int Close();

 private:
  int fd_ = -1;
};

/// Writes all of it, in one write(2) where the kernel takes it whole. 0 or an errno value.
[[nodiscard]] int WriteAll(int fd, std::string_view bytes);

/// Opens a file for reading. A directory, pipe or device is an error: reading it may never end.
[[nodiscard]] Result<FileDescriptor> OpenRegularFile(const std::filesystem::path& file);

/// Bytes that the file really holds: its size, without the holes of a sparse file.
[[nodiscard]] std::uintmax_t BytesOnDisk(const FileDescriptor& fd);

/// Calls `take(block)` for each block of the file until its end; false ends the reading early.
[[nodiscard]] Status ReadBlocks(const FileDescriptor& fd, const std::filesystem::path& file,
                                const std::function<bool(std::string_view block)>& take);

/// Name of an errno value, such as `ECONNRESET`, or its number as text.
[[nodiscard]] std::string ErrnoName(int number);

/// `what: ENOSPC (No space left on device)` at `file`.
[[nodiscard]] Error FileError(ErrorCode code, std::string_view what,
                              const std::filesystem::path& file, int number);

}  // namespace bi_test::files
