#include "process/capped_log.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace bi_test::process {

Status CappedLog::Open(const std::filesystem::path& file) {
  if (file.empty()) return {};
  std::error_code failure;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failure);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    return Error{ErrorCode::kIo,
                 std::string("cannot write the server log: ") + std::strerror(errno) +
                     "; check the output directory",
                 file.string()};
  }
  const std::lock_guard lock(mutex_);
  file_ = files::FileDescriptor(fd);
  return {};
}

void CappedLog::Append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  total_ += bytes.size();
  const std::uint64_t head_limit =
      limits_.max_bytes > limits_.tail_bytes ? limits_.max_bytes - limits_.tail_bytes : 0;
  if (file_.valid() && head_ < head_limit) {
    const auto room =
        static_cast<std::size_t>(std::min<std::uint64_t>(head_limit - head_, bytes.size()));
    [[maybe_unused]] const int lost = files::WriteAll(file_.get(), bytes.substr(0, room));
    head_ += room;
  }
  if (bytes.size() >= limits_.tail_bytes) {
    tail_.assign(bytes.substr(bytes.size() - limits_.tail_bytes));
    return;
  }
  tail_.append(bytes);
  if (tail_.size() > 2 * limits_.tail_bytes) tail_.erase(0, tail_.size() - limits_.tail_bytes);
}

std::string CappedLog::Tail(std::size_t max_bytes) const {
  const std::lock_guard lock(mutex_);
  const std::size_t size = std::min({max_bytes, limits_.tail_bytes, tail_.size()});
  return tail_.substr(tail_.size() - size);
}

void CappedLog::Close() {
  const std::lock_guard lock(mutex_);
  if (!file_.valid()) return;
  const std::uint64_t missing = total_ - head_;
  if (missing > 0) {
    const auto kept = static_cast<std::size_t>(
        std::min<std::uint64_t>({missing, limits_.tail_bytes, tail_.size()}));
    std::string rest;
    if (missing > kept) {
      rest = "\n[bi_test: the log reached its limit; " + std::to_string(missing - kept) +
             " bytes are left out here]\n";
    }
    rest += tail_.substr(tail_.size() - kept);
    [[maybe_unused]] const int lost = files::WriteAll(file_.get(), rest);
  }
  file_.Close();
}

}  // namespace bi_test::process
