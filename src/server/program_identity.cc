#include "server/program_identity.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/sha256.h"
#include "base/split.h"
#include "base/try.h"
#include "files/file_digest.h"
#include "files/pseudo_file.h"

namespace bi_test::server {
namespace {

constexpr std::size_t kMaxMaps = std::size_t{64} << 20;
constexpr std::size_t kMaxCommandLine = std::size_t{4} << 20;

// Files mapped executable, in the order of the memory map.
std::vector<std::string> MappedCode(int pid) {
  std::vector<std::string> files;
  const std::optional<std::string> maps =
      files::ReadPseudoFile("/proc/" + std::to_string(pid) + "/maps", kMaxMaps);
  if (!maps) return files;
  for (const std::string_view line : SplitLines(*maps)) {
    // address permissions offset device inode path
    const std::vector<std::string_view> fields = SplitFields(line);
    if (fields.size() < 6 || fields[1].size() < 3 || fields[1][2] != 'x') continue;
    const std::size_t path = line.find('/');
    if (path == std::string_view::npos) continue;
    std::string file(line.substr(path));
    if (std::find(files.begin(), files.end(), file) == files.end())
      files.push_back(std::move(file));
  }
  return files;
}

std::set<std::string> CommandLine(int pid) {
  std::set<std::string> words;
  const std::optional<std::string> text =
      files::ReadPseudoFile("/proc/" + std::to_string(pid) + "/cmdline", kMaxCommandLine);
  for (const std::string_view word : SplitAt(text ? *text : std::string_view(), '\0')) {
    words.emplace(word);
  }
  return words;
}

bool IsLoader(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.starts_with("ld-") || name.starts_with("ld.so");
}

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code failure;
  return std::filesystem::equivalent(a, b, failure) && !failure;
}

}  // namespace

Status RequireBinary(const ServerConfig& server) {
  if (!server.binary.empty()) return {};
  const bool variable = server.kind == "llama.cpp";
  return Error{
      ErrorCode::kNotFound,
      "found no program `" + server.binary_as_written +
          "`; name the server program in server.binary" +
          (variable ? ", --server-binary or BI_TEST_LLAMA_SERVER" : " or --server-binary") +
          ", or put it on PATH",
      "server.binary"};
}

Status DescribeBinary(const std::filesystem::path& binary, ServerIdentity& identity) {
  BI_TRY_SET(const files::FileDigest digest, files::DigestFile(binary));
  identity.binary = binary.string();
  identity.binary_bytes = digest.bytes;
  identity.binary_sha256 = digest.sha256;
  return {};
}

void DescribeProgram(int pid, ServerIdentity& identity) {
  identity.program = identity.binary;
  identity.program_bytes = identity.binary_bytes;
  identity.program_sha256 = identity.binary_sha256;

  const std::vector<std::string> code = MappedCode(pid);
  std::error_code failure;
  std::string program =
      std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", failure).string();
  if (failure) program.clear();
  if (IsLoader(program)) {
    const std::set<std::string> words = CommandLine(pid);
    for (const std::string& file : code) {
      const bool named = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == file || (word.starts_with('/') && SameFile(word, file));
      });
      if (named && !IsLoader(file)) {
        program = file;
        break;
      }
    }
  }
  if (!program.empty()) {
    if (const Result<files::FileDigest> digest = files::DigestFile(program); digest.ok()) {
      identity.program = program;
      identity.program_bytes = digest->bytes;
      identity.program_sha256 = digest->sha256;
    }
  }

  // Sorted by name, so that the order of loading and the folder do not matter.
  std::set<std::string> lines;
  for (const std::string& file : code) {
    const Result<files::FileDigest> digest = files::DigestFile(file);
    if (!digest.ok()) return;
    lines.insert(std::filesystem::path(file).filename().string() + ' ' + digest->sha256 + '\n');
  }
  if (lines.empty()) return;
  Sha256 all;
  for (const std::string& line : lines) all.Update(line);
  identity.libraries_sha256 = all.Hex();
}

}  // namespace bi_test::server
