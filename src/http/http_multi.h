#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bi_test/result.h"

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

/// Many HTTP requests at once on one thread: a libcurl multi handle, one fresh connection per
/// request in flight, 127.0.0.1 only, no proxy, no redirect, no decompression, no retry. Not thread
/// safe.
class HttpMulti {
 public:
  using Id = std::uint64_t;
  /// Called with each piece of the body of a reply with status 200; false cancels the transfer.
  using BodySink = std::function<bool(std::string_view bytes, Clock::time_point when)>;
  using DoneSink = std::function<void(HttpReply&& reply)>;

  HttpMulti();
  ~HttpMulti();
  HttpMulti(const HttpMulti&) = delete;
  HttpMulti& operator=(const HttpMulti&) = delete;

  /// Ports that no later Start() may connect to, checked by number at the connect call.
  void RefusePorts(std::vector<std::uint16_t> ports);

  /// Starts a transfer. `on_done` runs exactly once, inside Run(), unless the object is destroyed.
  Id Start(HttpRequest request, BodySink on_body, DoneSink on_done);

  /// Closes the socket of a transfer; its `on_done` runs in the next Run() with kCancelled.
  void Cancel(Id id);
  void CancelAll();

  [[nodiscard]] std::size_t in_flight() const;

  /// Drives all transfers; returns when something finished, when `wake_fd` (if >= 0) is readable,
  /// or at `until`, whichever is first.
  void Run(Clock::time_point until, int wake_fd = -1);

  /// One request, driven to its end.
  static HttpReply Fetch(const HttpRequest& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::http
