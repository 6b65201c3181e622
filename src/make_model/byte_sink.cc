#include "make_model/byte_sink.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace bi_test::make_model {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string Reason(int error_number) { return std::generic_category().message(error_number); }

Error IoError(const std::string& path, std::string_view doing, int error_number) {
  return {ErrorCode::kIo, "cannot " + std::string(doing) + ": " + Reason(error_number), path};
}

}  // namespace

Status StringSink::Append(std::string_view bytes) {
  bytes_.append(bytes);
  return {};
}

struct AtomicFileSink::Digest {
  Digest() : context(EVP_MD_CTX_new()), good(context != nullptr) {
    good = good && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1;
  }
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest() { EVP_MD_CTX_free(context); }

  void Update(std::string_view bytes) {
    good = good && EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1;
  }

  // Empty if anything went wrong on the way.
  std::string Finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
    unsigned length = 0;
    good = good && EVP_DigestFinal_ex(context, value.data(), &length) == 1;
    if (!good) return "";
    std::string hex;
    for (unsigned i = 0; i < length; ++i) {
      hex.push_back("0123456789abcdef"[value[i] >> 4]);
      hex.push_back("0123456789abcdef"[value[i] & 15]);
    }
    return hex;
  }

  EVP_MD_CTX* context;
  bool good;
};

Result<std::unique_ptr<AtomicFileSink>> AtomicFileSink::Open(std::string path) {
  struct stat status {};
  if (path.empty()) return Error{ErrorCode::kIo, "the path of the model file is empty", ""};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kIo,
                 "exists and is not a regular file; name a file to be made or replaced", path};
  }
  const std::size_t slash = path.rfind('/');
  const std::size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  if (name_at == path.size()) {
    return Error{ErrorCode::kIo, "names a folder; name a file to be made or replaced", path};
  }
  // The name is short whatever the length of the file's own name, so that it always fits.
  for (int attempt = 0;; ++attempt) {
    std::string temporary = path.substr(0, name_at) + ".make-model." + std::to_string(getpid()) +
                            "." + std::to_string(attempt) + ".tmp";
    const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      return std::unique_ptr<AtomicFileSink>(
          new AtomicFileSink(std::move(path), std::move(temporary), fd));
    }
    if (errno != EEXIST || attempt == 100)
      return IoError(path, "make a file in this folder", errno);
  }
}

AtomicFileSink::AtomicFileSink(std::string path, std::string temporary, int fd)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      fd_(fd),
      digest_(std::make_unique<Digest>()) {
  buffer_.reserve(kBufferBytes);
}

AtomicFileSink::~AtomicFileSink() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Error AtomicFileSink::Failure(std::string_view doing, int error_number) const {
  return IoError(path_, doing, error_number);
}

Status AtomicFileSink::Append(std::string_view bytes) {
  buffer_.append(bytes);
  return buffer_.size() >= kBufferBytes ? Flush() : Status();
}

Status AtomicFileSink::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = write(fd_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure("write", errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  digest_->Update(buffer_);
  size_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status AtomicFileSink::Commit() {
  if (Status status = Flush(); !status) return status;
  sha256_ = digest_->Finish();
  if (sha256_.empty())
    return Error{ErrorCode::kIo, "the SHA-256 of the file cannot be computed", path_};
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) return Failure("flush to disk", errno);
  if (close(std::exchange(fd_, -1)) != 0) return Failure("close", errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return Failure("rename into place", errno);
  temporary_.clear();
  return {};
}

}  // namespace bi_test::make_model
