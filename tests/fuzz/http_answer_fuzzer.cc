// Any bytes that a server sends as its answer end a request exactly once, in time, with a known
// ending.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "http/chat_reply_reader.h"
#include "http/http_multi.h"

namespace {

using bi_test::http::ChatReplyReader;
using bi_test::http::Clock;
using bi_test::http::Ending;
using bi_test::http::HttpMulti;
using bi_test::http::HttpReply;
using bi_test::http::HttpRequest;

constexpr std::size_t kMaxBody = 256;  // Less than what the fuzzer tries.

void Check(bool holds) {
  if (!holds) std::abort();
}

/// Serves one connection after the other: reads a request, sends the answer of the moment, closes.
/// The first byte of an answer says how: in pieces of what size, and whether with a reset.
class AnswerServer {
 public:
  AnswerServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    Check(bind(listener_, reinterpret_cast<sockaddr*>(&address), length) == 0);
    Check(listen(listener_, 16) == 0);
    Check(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) == 0);
    port_ = ntohs(address.sin_port);
    std::thread([this] { Serve(); }).detach();
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  void SetAnswer(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    answer_ = bytes;
  }

 private:
  void Serve() {
    for (;;) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      std::string request;
      char buffer[4096];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t n = recv(connection, buffer, sizeof buffer, 0);
        if (n <= 0) break;
        request.append(buffer, static_cast<std::size_t>(n));
      }
      std::string answer;
      {
        const std::lock_guard lock(mutex_);
        answer = answer_;
      }
      Send(connection, answer);
      close(connection);
    }
  }

  static void Send(int connection, std::string_view answer) {
    const auto how = static_cast<unsigned char>(answer.front());
    answer.remove_prefix(1);
    const std::size_t piece =
        how % 8 == 0 ? std::max<std::size_t>(answer.size(), 1) : std::size_t{1} << how % 8;
    for (; !answer.empty(); answer.remove_prefix(std::min(piece, answer.size()))) {
      const std::size_t size = std::min(piece, answer.size());
      if (send(connection, answer.data(), size, MSG_NOSIGNAL) != static_cast<ssize_t>(size)) return;
    }
    if (how >= 128) {
      const linger reset{1, 0};
      (void)setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    }
  }

  int listener_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::string answer_;
};

void CheckReply(const HttpReply& reply) {
  Check(reply.ending != Ending::kDeadline && reply.ending != Ending::kConnectFailed);
  Check(reply.error.empty() == (reply.ending == Ending::kDone));
  Check(reply.ending != Ending::kDone || (reply.status >= 100 && reply.status <= 999));
  Check(reply.body.size() <= kMaxBody && reply.body_bytes <= kMaxBody);
  Check(reply.dispatched <= reply.completed);
  for (const char c : reply.error) Check(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static AnswerServer& server = *new AnswerServer;
  server.SetAnswer(std::string_view(reinterpret_cast<const char*>(data), size));

  HttpRequest request;
  request.port = server.port();
  request.total_timeout = std::chrono::seconds(20);
  request.max_body = kMaxBody;
  ChatReplyReader::Limits limits;
  limits.max_line = 1024;
  limits.max_tokens = 50;
  ChatReplyReader reader(limits);
  HttpMulti http;
  int ended = 0;
  http.Start(
      request, [&](std::string_view bytes, Clock::time_point) { return reader.Feed(bytes); },
      [&](HttpReply&& reply) {
        ++ended;
        CheckReply(reply);
      });
  while (http.in_flight() > 0) http.Run(Clock::now() + std::chrono::seconds(20));
  Check(ended == 1);
  (void)reader.Finish();
  return 0;
}
