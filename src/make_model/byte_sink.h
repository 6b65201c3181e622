#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::make_model {

/// Where the bytes of a model go, in order.
class ByteSink {
 public:
  virtual ~ByteSink() = default;

  /// Takes all of `bytes` or fails; after a failure nothing more may be written.
  [[nodiscard]] virtual Status Append(std::string_view bytes) = 0;
};

/// Keeps everything in memory.
class StringSink : public ByteSink {
 public:
  [[nodiscard]] Status Append(std::string_view bytes) override;
  [[nodiscard]] std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// A file that appears under its name only when `Commit` succeeds. Until then, and if it is
/// destroyed without one, there is at most a temporary file in the same folder, which the
/// destructor removes. Size and SHA-256 are kept on the way.
class AtomicFileSink : public ByteSink {
 public:
  /// Errors: `kIo` if `path` is something other than a regular file, or its folder cannot be
  /// written.
  [[nodiscard]] static Result<std::unique_ptr<AtomicFileSink>> Open(std::string path);

  AtomicFileSink(const AtomicFileSink&) = delete;
  AtomicFileSink& operator=(const AtomicFileSink&) = delete;
  ~AtomicFileSink() override;

  [[nodiscard]] Status Append(std::string_view bytes) override;

  /// Flushes to disk and renames. To be called once.
  [[nodiscard]] Status Commit();

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Lower-case hexadecimal digest of everything appended. REQUIRES: `Commit` succeeded.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }

 private:
  struct Digest;

  AtomicFileSink(std::string path, std::string temporary, int fd);
  [[nodiscard]] Status Flush();
  [[nodiscard]] Error Failure(std::string_view doing, int error_number) const;

  std::string path_;
  std::string temporary_;  // empty once renamed
  int fd_;
  std::string buffer_;
  std::uint64_t size_ = 0;
  std::unique_ptr<Digest> digest_;
  std::string sha256_;
};

}  // namespace bi_test::make_model
