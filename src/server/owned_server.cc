#include "server/owned_server.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "process/child_process.h"
#include "process/environment.h"
#include "process/interrupt.h"
#include "process/memory_reading.h"
#include "process/port.h"
#include "process/random_key.h"
#include "process/socket_owner.h"
#include "server/child_environment.h"
#include "server/dialects/registry.h"
#include "server/end_report.h"
#include "server/guards.h"
#include "server/program_identity.h"
#include "server/readiness.h"
#include "server/teardown.h"

namespace bi_test::server {
namespace {

constexpr int kPortAttempts = 5;
constexpr std::size_t kKeyBytes = 16;

std::vector<std::string> WithoutKey(std::vector<std::string> arguments, const std::string& key) {
  for (std::string& argument : arguments) {
    for (std::size_t at = 0; (at = argument.find(key, at)) != std::string::npos; at += 3) {
      argument.replace(at, key.size(), "***");
    }
  }
  return arguments;
}

}  // namespace

struct OwnedServer::State {
  State(const LaunchSpec& launch_spec, const Dialect& launch_dialect)
      : server(*launch_spec.server),
        model(*launch_spec.model),
        guard(*launch_spec.guard),
        spec(launch_spec),
        dialect(launch_dialect) {
    spec.server = &server;
    spec.model = &model;
    spec.guard = &guard;
  }

  [[nodiscard]] Status Prepare();
  [[nodiscard]] std::optional<NotReady> Attempt(std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] Status Stop();

  // Copies: the server may outlive what it was launched from.
  ServerConfig server;
  ModelConfig model;
  GuardConfig guard;
  LaunchSpec spec;
  const Dialect& dialect;

  ServerIdentity identity;
  std::string mark;
  std::optional<process::ChildProcess> child;
  std::vector<std::uint64_t> sockets;
  bool stopped = false;
};

Status OwnedServer::State::Prepare() {
  BI_TRY(RequireBinary(server));
  BI_TRY(CheckGuards(spec, process::AvailableMemory()));
  std::error_code failure;
  server.binary = std::filesystem::absolute(server.binary, failure);
  BI_TRY(DescribeBinary(server.binary, identity));
  BI_TRY_SET(const std::string random, process::RandomHex(kKeyBytes));
  mark = "BI_TEST_SERVER=" + random;
  return {};
}

std::optional<NotReady> OwnedServer::State::Attempt(
    std::chrono::steady_clock::time_point deadline) {
  const auto fail = [](const Error& error) { return NotReady{error}; };
  const Result<std::string> key = process::RandomHex(kKeyBytes);
  if (!key.ok()) return fail(key.error());
  const Result<std::uint16_t> port = process::ChoosePort(guard.reserved_ports);
  if (!port.ok()) return fail(port.error());
  identity.api_key = *key;
  identity.port = *port;

  Result<std::vector<std::string>> arguments = dialect.Arguments(spec, *port, *key);
  if (!arguments.ok()) return fail(arguments.error());
  Result<std::vector<std::string>> environment =
      ChildEnvironment(process::Environment(), dialect, server, *key, mark);
  if (!environment.ok()) return fail(environment.error());

  identity.environment = RecordedEnvironment(dialect, server);
  identity.width_hint = dialect.WidthHint();
  identity.argv = {server.binary.string()};
  for (std::string& argument : WithoutKey(*arguments, *key)) {
    identity.argv.push_back(std::move(argument));
  }
  Result<process::ChildProcess> spawned =
      process::ChildProcess::Spawn({.program = server.binary,
                                    .arguments = std::move(*arguments),
                                    .environment = std::move(*environment),
                                    .mark = mark,
                                    .log_file = spec.log_file,
                                    .log_limits = {}});
  if (!spawned.ok()) return fail(spawned.error());
  child.emplace(std::move(*spawned));
  stopped = false;
  identity.pid = child->pid();

  const std::vector<int>& reserved = guard.reserved_pids;
  if (std::find(reserved.begin(), reserved.end(), identity.pid) != reserved.end()) {
    return fail(Error{ErrorCode::kRefused,
                      "the server got pid " + std::to_string(identity.pid) +
                          ", which guard.reserved_pids forbids to signal; correct that list",
                      "guard.reserved_pids"});
  }
  int program_pid = identity.pid;
  const ReadyWait wait{dialect, spec, *child, mark, deadline};
  std::optional<NotReady> not_ready = WaitUntilReady(wait, identity, program_pid);
  if (not_ready) return not_ready;
  if (identity.pid_verified) sockets = process::FindListeners(identity.port).sockets;
  DescribeProgram(program_pid, identity);
  return std::nullopt;
}

Status OwnedServer::State::Stop() {
  if (stopped || !child) return {};
  const Status status = RunTeardown({.child = *child,
                                     .name = ServerName(spec, child->pid()),
                                     .mark = mark,
                                     .port = identity.port,
                                     .sockets = sockets,
                                     .grace = server.stop_grace});
  child->CloseLog();
  stopped = status.ok();
  return status;
}

OwnedServer::OwnedServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

OwnedServer::~OwnedServer() {
  if (state_ != nullptr) [[maybe_unused]]
    const Status status = state_->Stop();
}

Result<std::unique_ptr<OwnedServer>> OwnedServer::Launch(const LaunchSpec& spec) {
  BI_TRY_SET(const Dialect* dialect, FindDialect(spec.server->kind));
  std::unique_ptr<OwnedServer> launched(new OwnedServer(std::make_unique<State>(spec, *dialect)));
  State& state = *launched->state_;
  const auto deadline =
      std::min(std::chrono::steady_clock::now() + spec.server->ready_timeout, spec.run_deadline);
  BI_TRY(state.Prepare());

  for (int attempt = 1;; ++attempt) {
    std::optional<NotReady> failure = state.Attempt(deadline);
    if (!failure) return launched;
    if (failure->error.where.empty()) failure->error.where = "launch " + spec.role;
    // The reason of the failure matters more than what is left; but what is left forbids to go on.
    const Status stopped = state.Stop();
    if (!stopped.ok()) {
      failure->error.message += "; and " + stopped.error().message;
      return failure->error;
    }
    if (!failure->port_taken || attempt == kPortAttempts) return failure->error;
    state.child.reset();
    state.sockets.clear();
  }
}

const ServerIdentity& OwnedServer::identity() const { return state_->identity; }

int OwnedServer::exit_fd() const { return state_->child->exit_fd(); }

std::optional<std::string> OwnedServer::ExitReport() {
  State& state = *state_;
  const std::optional<process::ProcessEnd> end = state.child->Poll();
  if (!end) return std::nullopt;
  return EndReport(state.spec, state.dialect, *state.child, *end, {});
}

std::string OwnedServer::LogTail(std::size_t max_bytes) const {
  return state_->child->LogTail(max_bytes);
}

Status OwnedServer::Stop() { return state_->Stop(); }

}  // namespace bi_test::server
