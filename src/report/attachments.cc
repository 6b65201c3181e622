#include "report/attachments.h"

#include "report/clean_text.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxAttachments = 16;
constexpr std::size_t kMaxPath = 4096;

bool IsLinkable(const std::string& path) {
  return path.starts_with('/') && path.find_first_of("[]|<>&") == std::string::npos &&
         path.size() <= kMaxPath && CleanLine(path, kMaxPath) == path;
}

}  // namespace

std::vector<Attachment> AttachmentsOf(const CellResult& cell) {
  std::vector<Attachment> files;
  const auto add = [&files](std::string name, const std::string& path) {
    if (path.empty() || files.size() == kMaxAttachments) return;
    files.push_back({std::move(name), path, IsLinkable(path)});
  };
  add("cert", cell.cert_path);
  add("refusal", cell.refusal_path);
  add("trace", cell.trace_path);
  for (std::size_t i = 0; i < cell.server_logs.size(); ++i) {
    add("server_log_" + std::to_string(i + 1), cell.server_logs[i]);
  }
  return files;
}

}  // namespace bi_test::report
