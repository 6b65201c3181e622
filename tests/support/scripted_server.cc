#include "support/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace bi_test::test_support {
namespace {

int LoopbackSocket(std::uint16_t& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    std::abort();
  }
  port = ntohs(address.sin_port);
  return fd;
}

/// Bytes of the body that the headers announce.
std::size_t ContentLength(std::string_view head) {
  constexpr std::string_view kName = "\r\nContent-Length: ";
  const std::size_t at = head.find(kName);
  return at == head.npos ? 0 : std::strtoull(head.data() + at + kName.size(), nullptr, 10);
}

}  // namespace

Step ReadRequest() { return Step(Step::Kind::kReadRequest); }
Step Send(std::string bytes) { return Step(Step::Kind::kSend, std::move(bytes)); }
Step SendInPieces(std::string bytes, std::size_t piece, std::chrono::milliseconds pause) {
  Step step(Step::Kind::kSend, std::move(bytes), pause);
  step.piece = piece;
  return step;
}
Step SendForever(std::string bytes, std::chrono::milliseconds pause) {
  return Step(Step::Kind::kSendForever, std::move(bytes), pause);
}
Step Pause(std::chrono::milliseconds pause) { return Step(Step::Kind::kPause, {}, pause); }
Step AwaitOthers(std::size_t count) {
  Step step(Step::Kind::kAwaitOthers);
  step.count = count;
  return step;
}
Step AwaitClose() { return Step(Step::Kind::kAwaitClose); }
Step Ignore() { return Step(Step::Kind::kIgnore); }
Step Reset() { return Step(Step::Kind::kReset); }
Step Close() { return Step(Step::Kind::kClose); }

Script Answer(std::string bytes) { return {ReadRequest(), Send(std::move(bytes)), Close()}; }

std::string HttpReplyBytes(int status, const std::string& content_type, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " Words\r\nContent-Type: " + content_type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct ScriptedServer::State {
  explicit State(std::vector<Script> all) : scripts(std::move(all)) {}

  std::vector<Script> scripts;
  std::uint16_t port = 0;
  int listener = -1;
  std::thread acceptor;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::vector<std::thread> workers;
  std::set<int> open;
  std::size_t n_connections = 0;
  std::size_t n_closed_by_client = 0;
  std::size_t n_awaiting = 0;
  std::vector<std::string> requests;

  void Accept() {
    for (;;) {
      const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0 && errno == EINTR) continue;
      const std::lock_guard lock(mutex);
      if (fd < 0) return;
      if (stopping) {
        ::close(fd);
        return;
      }
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      open.insert(fd);
      const std::size_t number = n_connections++;
      const Script& script = scripts[std::min(number, scripts.size() - 1)];
      workers.emplace_back([this, fd, &script] { Serve(fd, script); });
      changed.notify_all();
    }
  }

  /// Runs on a thread of its own.
  void Serve(int fd, const Script& script) {
    for (const Step& step : script) {
      if (!Play(fd, step)) break;
    }
    const std::lock_guard lock(mutex);
    open.erase(fd);
    ::close(fd);
  }

  /// False when the script is over.
  bool Play(int fd, const Step& step) {
    switch (step.kind) {
      case Step::Kind::kReadRequest:
        return Read(fd);
      case Step::Kind::kSend: {
        const std::size_t piece = step.piece == 0 ? step.bytes.size() : step.piece;
        for (std::size_t at = 0; at < step.bytes.size(); at += piece) {
          if (!SendAll(fd, std::string_view(step.bytes).substr(at, piece))) return false;
          if (step.pause.count() > 0 && !Wait(step.pause)) return false;
        }
        return true;
      }
      case Step::Kind::kSendForever:
        while (SendAll(fd, step.bytes) && Wait(step.pause)) {
        }
        NoteClosedByClient();
        return false;
      case Step::Kind::kPause:
        return Wait(step.pause);
      case Step::Kind::kAwaitOthers: {
        std::unique_lock lock(mutex);
        ++n_awaiting;
        changed.notify_all();
        changed.wait(lock, [&] { return stopping || n_awaiting >= step.count; });
        return !stopping;
      }
      case Step::Kind::kAwaitClose:
        AwaitEnd(fd);
        return false;
      case Step::Kind::kIgnore: {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stopping; });
        return false;
      }
      case Step::Kind::kReset: {
        const linger now{1, 0};
        ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        return false;
      }
      case Step::Kind::kClose:
        return false;
    }
    return false;
  }

  bool Read(int fd) {
    std::string request;
    char buffer[16384];
    for (;;) {
      const std::size_t end = request.find("\r\n\r\n");
      if (end != std::string::npos && request.size() >= end + 4 + ContentLength(request)) break;
      const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        NoteClosedByClient();
        return false;
      }
      request.append(buffer, static_cast<std::size_t>(n));
    }
    const std::lock_guard lock(mutex);
    requests.push_back(std::move(request));
    changed.notify_all();
    return true;
  }

  static bool SendAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  void AwaitEnd(int fd) {
    char buffer[16384];
    for (;;) {
      const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      NoteClosedByClient();
      return;
    }
  }

  void NoteClosedByClient() {
    const std::lock_guard lock(mutex);
    if (!stopping) ++n_closed_by_client;
    changed.notify_all();
  }

  bool Wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, time, [this] { return stopping; });
  }
};

ScriptedServer::ScriptedServer(std::vector<Script> scripts)
    : state_(std::make_unique<State>(std::move(scripts))) {
  state_->listener = LoopbackSocket(state_->port);
  if (::listen(state_->listener, 512) != 0) std::abort();
  state_->acceptor = std::thread([state = state_.get()] { state->Accept(); });
}

ScriptedServer::ScriptedServer(Script script)
    : ScriptedServer(std::vector<Script>{std::move(script)}) {}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->changed.notify_all();
    ::shutdown(state_->listener, SHUT_RDWR);
    for (const int fd : state_->open) ::shutdown(fd, SHUT_RDWR);
  }
  state_->acceptor.join();
  for (std::thread& worker : state_->workers) worker.join();
  ::close(state_->listener);
}

std::uint16_t ScriptedServer::port() const { return state_->port; }

std::size_t ScriptedServer::connections() const {
  const std::lock_guard lock(state_->mutex);
  return state_->n_connections;
}

std::vector<std::string> ScriptedServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return state_->requests;
}

bool ScriptedServer::WaitForClosedByClient(std::size_t count, std::chrono::milliseconds deadline) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, deadline,
                                  [&] { return state_->n_closed_by_client >= count; });
}

RefusingPort::RefusingPort() : fd_(LoopbackSocket(port_)) {}
RefusingPort::~RefusingPort() { ::close(fd_); }

}  // namespace bi_test::test_support
