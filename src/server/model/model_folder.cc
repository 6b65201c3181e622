#include "server/model/model_folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "base/try.h"
#include "files/file_digest.h"

namespace bi_test::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 10'000;
constexpr int kMaxDepth = 8;

Error Unreadable(const fs::path& folder, const std::error_code& failure) {
  return Error{ErrorCode::kNotFound,
               "the model folder cannot be read: " + failure.message() + "; check its path",
               folder.string()};
}

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// Training left-overs beside weights in the same format.
bool IsTrainingState(const std::string& name) {
  return name == "training_args.bin" || name.starts_with("optimizer") ||
         name.starts_with("scheduler") || name.starts_with("rng_state");
}

}  // namespace

Result<ModelFolder> DigestModelFolder(const fs::path& folder) {
  std::error_code failure;
  fs::recursive_directory_iterator it(folder, failure);
  if (failure) return Unreadable(folder, failure);
  std::map<std::string, fs::path> files;
  for (; it != fs::recursive_directory_iterator(); it.increment(failure)) {
    if (failure) return Unreadable(folder, failure);
    std::error_code ignored;
    if (IsHidden(it->path())) {
      it.disable_recursion_pending();
      continue;
    }
    if (it.depth() >= kMaxDepth) {
      return Error{ErrorCode::kInvalidFile,
                   "more than 8 folders deep; give the folder of the model itself",
                   it->path().string()};
    }
    if (!it->is_regular_file(ignored)) continue;
    files[it->path().lexically_relative(folder).generic_string()] = it->path();
    if (files.size() > kMaxFiles) {
      return Error{ErrorCode::kInvalidFile,
                   "more than 10000 files; give the folder of the model itself", folder.string()};
    }
  }
  if (failure) return Unreadable(folder, failure);

  ModelFolder model;
  Sha256 all;
  for (const auto& [name, path] : files) {
    BI_TRY_SET(const files::FileDigest digest, files::DigestFile(path));
    model.bytes += digest.bytes;
    all.Update(name + ' ' + std::to_string(digest.bytes) + ' ' + digest.sha256 + '\n');
  }
  model.sha256 = all.Hex();
  return model;
}

Result<std::uint64_t> ModelFolderWeights(const fs::path& folder) {
  std::error_code failure;
  fs::directory_iterator it(folder, failure);
  if (failure) return Unreadable(folder, failure);
  std::map<std::string, std::uint64_t> bytes;         // By kind of file.
  std::map<std::string, std::uint64_t> consolidated;  // A second copy, as some models bring along.
  for (; it != fs::directory_iterator(); it.increment(failure)) {
    if (failure) return Unreadable(folder, failure);
    const std::string name = it->path().filename().string();
    std::error_code unreadable;
    if (IsHidden(it->path()) || !it->is_regular_file(unreadable) || IsTrainingState(name)) continue;
    const std::uint64_t size = it->file_size(unreadable);
    if (unreadable) return Unreadable(it->path(), unreadable);
    std::string kind = it->path().extension().string();
    if (kind == ".pth") kind = ".pt";
    (name.starts_with("consolidated") ? consolidated : bytes)[kind] += size;
  }
  for (const char* kind : {".safetensors", ".bin", ".pt", ".gguf"}) {
    for (const auto* found : {&bytes, &consolidated}) {
      if (const auto sum = found->find(kind); sum != found->end() && sum->second > 0) {
        return sum->second;
      }
    }
  }
  return Error{ErrorCode::kNotFound,
               "found no weights in the model folder, expected *.safetensors, *.bin, *.pt or "
               "*.gguf; check the model's path",
               folder.string()};
}

}  // namespace bi_test::server
