#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/mock_server.h"

namespace bi_test::mock_test {

/// A reply as a bare socket sees it.
struct RawReply {
  int status = 0;      ///< 0: no status line that can be read.
  std::string head;    ///< Status line and headers.
  std::string body;    ///< Chunks joined.
  bool whole = false;  ///< The body came to its end.
  bool reset = false;  ///< The connection was reset (not just closed).
  friend bool operator==(const RawReply&, const RawReply&) = default;
};

/// A blocking socket to 127.0.0.1. Each wait ends after thirty seconds.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  [[nodiscard]] bool connected() const { return fd_ >= 0; }
  bool Send(std::string_view bytes);
  [[nodiscard]] RawReply Read();
  /// Reads the head and at least that many bytes of the rest, then returns.
  [[nodiscard]] std::string ReadSome(std::size_t at_least);
  /// True when the server closes within the limit.
  [[nodiscard]] bool ClosedByServer();
  void Close();

 private:
  bool Fill();

  int fd_ = -1;
  std::string buffer_;
  bool reset_ = false;
};

/// One request on its own connection.
[[nodiscard]] RawReply Get(const MockServer& mock, std::string_view path);
[[nodiscard]] RawReply Post(const MockServer& mock, std::string_view path, std::string_view body);
[[nodiscard]] std::string PostText(std::string_view path, std::string_view body);

/// The body of a chat request of one user message; `more` are further members, each after a comma.
[[nodiscard]] std::string ChatBody(std::string_view prompt, int max_tokens = 4,
                                   std::string_view more = {});
[[nodiscard]] RawReply Chat(const MockServer& mock, std::string_view body);
/// `choices[0].message.content`, or a note of what was there instead.
[[nodiscard]] std::string ContentOf(const RawReply& reply);
/// The JSON of a reply; null when it is none.
[[nodiscard]] Json JsonOf(const RawReply& reply);
/// The value of a metric; -1 when it is not there.
[[nodiscard]] double Metric(const RawReply& page, std::string_view name);

/// Starts a mock that must start.
[[nodiscard]] std::unique_ptr<MockServer> StartMock(MockKnobs knobs);

/// Sends these chat bodies so that all are surely in service together, each on a thread of its own,
/// and gives the replies in the same order. `mock` must have been started with PrepareOverlap and
/// must not have served anything yet.
[[nodiscard]] std::vector<RawReply> ChatTogether(MockServer* mock,
                                                 const std::vector<std::string>& bodies);
/// Makes the second and all later completions hang in their slots until released.
void PrepareOverlap(MockKnobs* knobs);

}  // namespace bi_test::mock_test
