#include "stub_launch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "process/process_table.h"
#include "server/dialects/registry.h"

namespace bi_test::fault {

namespace fs = std::filesystem;

StubLaunch::StubLaunch(Script script) {
  std::string pattern = (fs::temp_directory_path() / "bi_test_stub_XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  std::ofstream(folder_ / "model.gguf") << "no real model";
  server.binary = BI_TEST_STUB_SERVER;
  server.ready_timeout = std::chrono::seconds(60);
  server.stop_grace = std::chrono::milliseconds(2'000);
  server.env = std::move(script);
  server.env["STUB_REPORT_FILE"] = (folder_ / "report").string();
  server.env.try_emplace("STUB_SERVICE_MS", "15");
  model.id = "stub";
  model.path = folder_ / "model.gguf";
  guard.memory_floor_gib = 0;
  guard.allow_unknown_memory = true;
}

StubLaunch::~StubLaunch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

server::LaunchSpec StubLaunch::Spec() const {
  return {.server = &server,
          .model = &model,
          .guard = &guard,
          .ctx = ctx,
          .slots = slots,
          .log_file = folder_ / "server.log",
          .role = "N"};
}

Result<std::unique_ptr<server::OwnedServer>> StubLaunch::Launch() const {
  return server::OwnedServer::Launch(Spec());
}

std::string StubLaunch::LogText() const {
  std::ifstream in(folder_ / "server.log");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> StubLaunch::Reported(const std::string& kind) const {
  std::ifstream in(folder_ / "report");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kind + " ")) lines.push_back(line.substr(kind.size() + 1));
  }
  return lines;
}

int StubLaunch::StubPid() const {
  const std::vector<std::string> pids = Reported("pid");
  return pids.empty() ? 0 : std::atoi(pids.front().c_str());
}

int AskStatus(const server::OwnedServer& server, const std::string& path, bool with_key) {
  http::HttpRequest request;
  request.port = server.identity().port;
  request.path = path;
  request.total_timeout = std::chrono::seconds(20);
  if (with_key) {
    request.headers.emplace_back("Authorization", "Bearer " + server.identity().api_key);
  }
  return http::HttpMulti::Fetch(request).status;
}

http::HttpReply Chat(const server::OwnedServer& server, const std::string& prompt,
                     const std::string& kind) {
  WorksetRow row;
  row.prompt = prompt;
  const server::Dialect* dialect = *server::FindDialect(kind);
  http::HttpRequest request;
  request.method = "POST";
  request.port = server.identity().port;
  request.path = dialect->completion_path();
  request.headers = {{"Authorization", "Bearer " + server.identity().api_key},
                     {"Content-Type", "application/json"}};
  request.body = dialect->RequestBody(row, 1, RunConfig{});
  return http::HttpMulti::Fetch(request);
}

bool IsAlive(int pid) {
  const std::vector<process::ProcessEntry> all = process::ListProcesses();
  return std::any_of(all.begin(), all.end(), [&](const process::ProcessEntry& entry) {
    return entry.pid == pid && !entry.zombie;
  });
}

bool WaitGone(int pid) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return !IsAlive(pid);
  pollfd wait{pidfd, POLLIN, 0};
  ::poll(&wait, 1, 20'000);
  ::close(pidfd);
  return !IsAlive(pid);
}

void WriteProgram(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
  fs::permissions(file, fs::perms::owner_all);
}

std::size_t OpenDescriptors() {
  const fs::directory_iterator descriptors("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(fs::begin(descriptors), fs::end(descriptors)));
}

}  // namespace bi_test::fault
