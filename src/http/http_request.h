#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bi_test::http {

using Clock = std::chrono::steady_clock;

/// How a transfer ended. Everything but kDone is a transport fault.
enum class Ending {
  kDone,           ///< A whole reply was received (any HTTP status).
  kConnectFailed,  ///< Refused, or connect deadline.
  kReset,          ///< Connection reset or closed before the reply was complete.
  kTruncated,      ///< Closed inside a body with Content-Length or chunking.
  kDeadline,       ///< A first-byte or total deadline passed.
  kTooLarge,       ///< Header or body limit.
  kMalformed,      ///< Not HTTP, bad chunk, bad header.
  kCancelled,      ///< Cancel() was called or a body callback said stop.
};

/// One request, and what it may cost.
struct HttpRequest {
  std::string method = "GET";
  std::uint16_t port = 0;  ///< On 127.0.0.1, always.
  std::string path = "/";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds first_byte_timeout{0};  ///< 0: only the total deadline counts.
  std::chrono::milliseconds total_timeout{120'000};
  std::size_t max_body = 16u << 20;
};

/// How it ended, and what came.
struct HttpReply {
  Ending ending = Ending::kDone;
  int status = 0;  ///< 0 when no status line was received.
  std::string content_type;
  std::string body;   ///< Empty when an `on_body` sink took the bytes.
  std::string error;  ///< Text for people: curl's words plus errno's name.
  int os_errno = 0;
  std::size_t body_bytes = 0;
  Clock::time_point dispatched{};  ///< Just before the request was handed over.
  Clock::time_point first_byte{};  ///< First body byte; zero when none came.
  Clock::time_point completed{};
};

/// Called with each piece of the body of a reply with status 200; false cancels the transfer.
using BodySink = std::function<bool(std::string_view bytes, Clock::time_point when)>;
using DoneSink = std::function<void(HttpReply&& reply)>;

}  // namespace bi_test::http
