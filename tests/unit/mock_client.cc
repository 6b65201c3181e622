#include "unit/mock_client.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/json_reader.h"

namespace bi_test::mock_test {
namespace {

constexpr std::chrono::seconds kPatience{30};

}  // namespace

RawClient::RawClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{kPatience.count(), 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) Close();
}

RawClient::~RawClient() { Close(); }

void RawClient::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::Fill() {
  char bytes[64 * 1024];
  const ssize_t got = recv(fd_, bytes, sizeof bytes, 0);
  reset_ = got < 0 && errno == ECONNRESET;
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::ReadSome(std::size_t at_least) {
  while (buffer_.size() < at_least && Fill()) {
  }
  return std::exchange(buffer_, {});
}

bool RawClient::ClosedByServer() {
  while (Fill()) {
  }
  return reset_ || (errno != EAGAIN && errno != EWOULDBLOCK);
}

RawReply RawClient::Read() {
  RawReply reply;
  std::size_t head_end = std::string::npos;
  while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) {
      reply.reset = reset_;
      return reply;
    }
  }
  reply.head = buffer_.substr(0, head_end + 4);
  buffer_.erase(0, head_end + 4);
  if (reply.head.rfind("HTTP/1.1 ", 0) == 0) {
    std::from_chars(reply.head.data() + 9, reply.head.data() + 12, reply.status);
  }
  if (reply.status == 100) return Read();

  if (const auto at = reply.head.find("Content-Length: "); at != std::string::npos) {
    const std::size_t length = std::strtoul(reply.head.c_str() + at + 16, nullptr, 10);
    while (buffer_.size() < length && Fill()) {
    }
    reply.whole = buffer_.size() >= length;
    reply.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
  } else if (reply.head.find("Transfer-Encoding: chunked") != std::string::npos) {
    while (!reply.whole) {
      std::size_t line_end = std::string::npos;
      while ((line_end = buffer_.find("\r\n")) == std::string::npos && Fill()) {
      }
      if (line_end == std::string::npos) break;
      const std::size_t size = std::strtoul(buffer_.c_str(), nullptr, 16);
      while (buffer_.size() < line_end + 2 + size + 2 && Fill()) {
      }
      if (buffer_.size() < line_end + 2 + size + 2) break;
      reply.body += buffer_.substr(line_end + 2, size);
      buffer_.erase(0, line_end + 2 + size + 2);
      reply.whole = size == 0;
    }
  } else {
    while (Fill()) {
    }
    reply.body = std::exchange(buffer_, {});
  }
  reply.reset = reset_;
  return reply;
}

RawReply Get(const MockServer& mock, std::string_view path) {
  RawClient client(mock.port());
  client.Send("GET " + std::string(path) + " HTTP/1.1\r\nHost: mock\r\n\r\n");
  return client.Read();
}

std::string PostText(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: mock\r\nContent-Type: application/json" +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

RawReply Post(const MockServer& mock, std::string_view path, std::string_view body) {
  RawClient client(mock.port());
  client.Send(PostText(path, body));
  return client.Read();
}

std::string ChatBody(std::string_view prompt, int max_tokens, std::string_view more) {
  return R"({"messages":[{"role":"user","content":)" + CompactText(prompt) + R"(}],"max_tokens":)" +
         std::to_string(max_tokens) + std::string(more) + "}";
}

RawReply Chat(const MockServer& mock, std::string_view body) {
  return Post(mock, "/v1/chat/completions", body);
}

Json JsonOf(const RawReply& reply) {
  JsonLimits limits;
  limits.tolerate_broken_text = true;
  Result<Json> parsed = ParseJson(reply.body, limits);
  return parsed.ok() ? std::move(*parsed) : Json();
}

std::string ContentOf(const RawReply& reply) {
  const Json json = JsonOf(reply);
  const Json* choices = json.Find("choices");
  if (choices == nullptr || !choices->is_array() || choices->if_array()->empty()) {
    return "<no choices: status " + std::to_string(reply.status) + " body " + reply.body + ">";
  }
  const Json* message = (*choices->if_array())[0].Find("message");
  const Json* content = message == nullptr ? nullptr : message->Find("content");
  if (content == nullptr || !content->is_string()) return "<no content: " + reply.body + ">";
  return *content->if_string();
}

double Metric(const RawReply& page, std::string_view name) {
  const std::string line = "\nllamacpp:" + std::string(name) + " ";
  const auto at = page.body.find(line);
  return at == std::string::npos ? -1 : std::strtod(page.body.c_str() + at + line.size(), nullptr);
}

std::unique_ptr<MockServer> StartMock(MockKnobs knobs) {
  Result<std::unique_ptr<MockServer>> mock = MockServer::Start(std::move(knobs));
  if (!mock.ok()) {
    ADD_FAILURE() << mock.error().Text();
    std::abort();
  }
  return std::move(*mock);
}

void PrepareOverlap(MockKnobs* knobs) {
  knobs->stuck_from = 1;
  knobs->serve_time = std::chrono::milliseconds(5);
}

std::vector<RawReply> ChatTogether(MockServer* mock, const std::vector<std::string>& bodies) {
  // The first completion never hangs, so that it opens the way for those that do.
  EXPECT_EQ(Chat(*mock, ChatBody("opener")).status, 200);
  std::vector<RawReply> replies(bodies.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    threads.emplace_back([&, i] { replies[i] = Chat(*mock, bodies[i]); });
    // One after the other, so that serve numbers and slots follow the order of the bodies.
    EXPECT_TRUE(mock->WaitFor(
        [i](const MockCounts& counts) { return counts.hung == static_cast<int>(i) + 1; },
        kPatience));
  }
  mock->ReleaseHung();
  for (std::thread& thread : threads) thread.join();
  return replies;
}

}  // namespace bi_test::mock_test
