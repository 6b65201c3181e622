#include "files/file_digest.h"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/try.h"
#include "files/atomic_file.h"

namespace bi_test::files {

Result<FileDigest> DigestFile(const std::filesystem::path& file) {
  using Key = std::tuple<std::string, ino_t, off_t, std::int64_t, std::int64_t>;
  static std::mutex mutex;
  static std::map<Key, std::string> known;
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) {
    return Error{ErrorCode::kNotFound, "the file cannot be read; check its path", file.string()};
  }
  const Key key{file.string(), info.st_ino, info.st_size, info.st_mtim.tv_sec,
                info.st_mtim.tv_nsec};
  const auto bytes = static_cast<std::uint64_t>(info.st_size);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) {
      return FileDigest{bytes, found->second};
    }
  }
  BI_TRY_SET(std::string digest, FileSha256(file));
  const std::lock_guard lock(mutex);
  known[key] = digest;
  return FileDigest{bytes, std::move(digest)};
}

}  // namespace bi_test::files
