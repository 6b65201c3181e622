#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "http/http_request.h"

namespace bi_test::http {

/// Many HTTP requests at once on one thread: a libcurl multi handle, one fresh connection per
/// request in flight, 127.0.0.1 only, no proxy, no redirect, no decompression, no retry. Not thread
/// safe.
class HttpMulti {
 public:
  using Id = std::uint64_t;

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
