#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "bi_test/result.h"
#include "files/file_descriptor.h"

namespace bi_test::process {

/// A log file that never grows beyond its cap: the first bytes are written at once, the last ones
/// are held in memory and written by `Close`, with a line between them that says how much was cut.
/// Thread safe. A full disk loses log bytes, never blocks or fails the writer.
class CappedLog {
 public:
  struct Limits {
    std::size_t max_bytes = std::size_t{64} << 20;  ///< Head and tail together.
    std::size_t tail_bytes = std::size_t{1} << 20;  ///< Part of it kept for the end.
  };

  CappedLog() = default;
  explicit CappedLog(Limits limits) : limits_(limits) {}
  ~CappedLog() { Close(); }
  CappedLog(const CappedLog&) = delete;
  CappedLog& operator=(const CappedLog&) = delete;

  /// Makes the file (mode 0666 minus umask) and its parent directories; an older one is replaced.
  /// An empty name keeps the tail only.
  [[nodiscard]] Status Open(const std::filesystem::path& file);
  void Append(std::string_view bytes);
  /// The last bytes written so far, at most `max_bytes` and at most the tail.
  [[nodiscard]] std::string Tail(std::size_t max_bytes) const;
  /// Writes the tail. Idempotent; later bytes go only to the tail in memory.
  void Close();

 private:
  mutable std::mutex mutex_;
  Limits limits_;
  files::FileDescriptor file_;
  std::string tail_;         // The newest bytes, up to twice tail_bytes before it is trimmed.
  std::uint64_t total_ = 0;  // Bytes appended.
  std::uint64_t head_ = 0;   // Bytes of them written to the file.
};

}  // namespace bi_test::process
