#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <vector>

#include "http/http_request.h"

namespace bi_test::http {

/// One request on one connection of its own: a curl easy handle, the callbacks that fill the reply,
/// and the translation of how it ended. Includes curl: for .cc files of this layer only.
class HttpTransfer {
 public:
  /// Never null; when the request itself is unusable, `refusal()` says why and the handle must not
  /// run.
  HttpTransfer(HttpRequest request, BodySink on_body, DoneSink on_done,
               const std::vector<std::uint16_t>& refused_ports);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  [[nodiscard]] CURL* handle() const { return easy_; }
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  /// The next instant at which DeadlineText() may turn non-empty.
  [[nodiscard]] Clock::time_point next_deadline() const;
  /// The deadline that has passed at `now`, in words, or an empty text.
  [[nodiscard]] std::string DeadlineText(Clock::time_point now) const;

  /// Ends with curl's result.
  void EndWith(CURLcode code);
  /// Ends for a reason of our own.
  void EndWith(Ending ending, std::string error);
  /// Hands the reply to its sink.
  void Deliver();

 private:
  enum class Stop { kNone, kHeaderLimit, kBodyLimit, kNoStatus, kSink, kEnoughOfError };

  void Configure();
  void ConfigureHeaders();
  [[nodiscard]] Ending EndingOf(CURLcode code) const;

  static curl_socket_t OpenSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int BeforeRequest(void* self, char*, char*, int, int);
  static std::size_t OnHeader(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t OnBody(char* bytes, std::size_t size, std::size_t count, void* self);

  std::size_t TakeHeader(std::string_view line);
  std::size_t TakeBody(std::string_view bytes);

  CURL* easy_ = nullptr;
  curl_slist* header_list_ = nullptr;
  HttpRequest request_;
  BodySink on_body_;
  DoneSink on_done_;
  HttpReply reply_;
  std::string refusal_;
  std::vector<std::uint16_t> refused_ports_;
  Clock::time_point started_;
  std::size_t header_bytes_ = 0;
  bool header_done_ = false;
  Stop stop_ = Stop::kNone;
  char curl_words_[CURL_ERROR_SIZE] = {};
};

}  // namespace bi_test::http
