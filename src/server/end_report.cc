#include "server/end_report.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/safe_text.h"
#include "base/split.h"

namespace bi_test::server {
namespace {

constexpr std::size_t kShownBytes = 4'096;
constexpr std::size_t kHintBytes = std::size_t{64} << 10;

}  // namespace

std::string ServerName(const LaunchSpec& spec, int pid) {
  return "server " + spec.role + " (pid " + std::to_string(pid) + ")";
}

std::string LogLines(const LaunchSpec& spec, const process::ChildProcess& child) {
  const std::string tail = child.LogTail(kShownBytes);
  std::string_view shown = tail;
  if (tail.size() == kShownBytes) {  // Begin with a whole line, if there is one.
    const std::size_t newline = shown.find('\n');
    if (newline != std::string_view::npos && newline + 1 < shown.size()) {
      shown.remove_prefix(newline + 1);
    }
  }
  const std::string file =
      spec.log_file.empty() ? std::string() : " (" + spec.log_file.string() + ")";
  if (shown.empty()) return "it wrote no log" + file;
  std::string text = "last lines of its log" + file + ":";
  for (const std::string_view line : SplitLines(shown)) text += "\n  " + Printable(line);
  return text;
}

std::string EndReport(const LaunchSpec& spec, const Dialect& dialect,
                      const process::ChildProcess& child, const process::ProcessEnd& end,
                      const std::string& when) {
  std::string text = ServerName(spec, child.pid()) + " " + end.Text() + when;
  const std::string hint = dialect.ExitHint(child.LogTail(kHintBytes));
  if (!hint.empty()) text += "; " + hint;
  return text + "; " + LogLines(spec, child);
}

}  // namespace bi_test::server
