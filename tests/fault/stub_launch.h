#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "http/http_multi.h"
#include "server/owned_server.h"

namespace bi_test::fault {

/// STUB_* variables (tests/support/stub/script.h).
using Script = std::map<std::string, std::string>;

/// A launch of the stub server with its script, in a folder of its own that is removed at the end.
/// Memory guards are opened wide: the machine of the test is not the subject.
class StubLaunch {
 public:
  explicit StubLaunch(Script script = {});
  ~StubLaunch();
  StubLaunch(const StubLaunch&) = delete;
  StubLaunch& operator=(const StubLaunch&) = delete;

  [[nodiscard]] server::LaunchSpec Spec() const;
  [[nodiscard]] Result<std::unique_ptr<server::OwnedServer>> Launch() const;
  [[nodiscard]] std::filesystem::path folder() const { return folder_; }
  [[nodiscard]] std::string LogText() const;
  /// Lines of the stub's report that start with `kind` (`pid`, `arg`, `env`, `fd`), without it.
  [[nodiscard]] std::vector<std::string> Reported(const std::string& kind) const;
  /// Pid of the stub itself, from its report.
  [[nodiscard]] int StubPid() const;

  ServerConfig server;
  ModelConfig model;
  GuardConfig guard;
  int ctx = 1024;
  int slots = 2;

 private:
  std::filesystem::path folder_;
};

/// Status of a request to the launched server, 0 without a reply.
[[nodiscard]] int AskStatus(const server::OwnedServer& server, const std::string& path,
                            bool with_key = true);

/// One chat; its reply as it came.
[[nodiscard]] http::HttpReply Chat(const server::OwnedServer& server, const std::string& prompt,
                                   const std::string& kind = "llama.cpp");

/// Whether the process is there and no zombie.
[[nodiscard]] bool IsAlive(int pid);

/// Waits until it is not (at most 20 s); false at the deadline.
[[nodiscard]] bool WaitGone(int pid);

/// Writes an executable script.
void WriteProgram(const std::filesystem::path& file, const std::string& text);

/// Number of open descriptors of this process.
[[nodiscard]] std::size_t OpenDescriptors();

}  // namespace bi_test::fault
