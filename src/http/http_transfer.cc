#include "http/http_transfer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/safe_text.h"
#include "files/file_descriptor.h"

namespace bi_test::http {
namespace {

constexpr std::size_t kMaxHeaderBytes = 64u << 10;
/// Of a reply with an error status no more is read.
constexpr std::size_t kMaxErrorBody = 64u << 10;
constexpr long kReceiveBuffer = 64L << 10;

bool IsFieldText(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

std::string Milliseconds(std::chrono::milliseconds time) {
  return std::to_string(time.count()) + " ms";
}

}  // namespace

HttpTransfer::HttpTransfer(HttpRequest request, BodySink on_body, DoneSink on_done,
                           const std::vector<std::uint16_t>& refused_ports)
    : easy_(curl_easy_init()),
      request_(std::move(request)),
      on_body_(std::move(on_body)),
      on_done_(std::move(on_done)),
      refused_ports_(refused_ports),
      started_(Clock::now()) {
  reply_.dispatched = started_;
  if (easy_ == nullptr) {
    refusal_ = "curl could not make a handle";
  } else if (std::count(refused_ports.begin(), refused_ports.end(), request_.port) != 0) {
    refusal_ = "port " + std::to_string(request_.port) + " is reserved";
  } else if (request_.port == 0) {
    refusal_ = "port 0 is no port to connect to";
  } else if (request_.path.empty() || request_.path.front() != '/' ||
             request_.path.find_first_of(" #") != std::string::npos ||
             !IsFieldText(request_.path)) {
    refusal_ = "the path " + Quoted(request_.path) + " is not usable";
  } else {
    Configure();
  }
}

HttpTransfer::~HttpTransfer() {
  curl_easy_cleanup(easy_);
  curl_slist_free_all(header_list_);
}

void HttpTransfer::Configure() {
  const auto set = [this](CURLoption option, auto value) {
    if (curl_easy_setopt(easy_, option, value) != CURLE_OK) {
      refusal_ = "this libcurl lacks option " + std::to_string(static_cast<int>(option));
    }
  };
  const std::string url = "http://127.0.0.1:" + std::to_string(request_.port) + request_.path;
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_HTTP09_ALLOWED, 0L);
  set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_IPRESOLVE, static_cast<long>(CURL_IPRESOLVE_V4));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_TCP_NODELAY, 1L);
  set(CURLOPT_NOPROGRESS, 1L);
  set(CURLOPT_BUFFERSIZE, kReceiveBuffer);
  // Not the limit itself, TakeHeader checks that; without any, curl ignores a length beyond 64
  // bits.
  set(CURLOPT_MAXFILESIZE_LARGE, std::numeric_limits<curl_off_t>::max());
  // Servers close a kept connection after 100 requests or 5 s of rest; a fresh one cannot be stale.
  set(CURLOPT_FRESH_CONNECT, 1L);
  set(CURLOPT_FORBID_REUSE, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::max<std::int64_t>(1, request_.connect_timeout.count())));
  set(CURLOPT_ERRORBUFFER, curl_words_);
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_OPENSOCKETFUNCTION, &HttpTransfer::OpenSocket);
  set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(CURLOPT_PREREQFUNCTION, &HttpTransfer::BeforeRequest);
  set(CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(CURLOPT_HEADERFUNCTION, &HttpTransfer::OnHeader);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &HttpTransfer::OnBody);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  if (request_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (request_.method != "GET" || !request_.body.empty()) {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.c_str());
    if (request_.method != "POST") set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  ConfigureHeaders();
}

void HttpTransfer::ConfigureHeaders() {
  const auto add = [this](const std::string& line) {
    curl_slist* longer = curl_slist_append(header_list_, line.c_str());
    if (longer == nullptr) {
      refusal_ = "no memory for the headers";
    } else {
      header_list_ = longer;
    }
  };
  bool has_type = false;
  for (const auto& [name, value] : request_.headers) {
    if (!IsFieldText(name) || !IsFieldText(value) || name.empty()) {
      refusal_ = "the header " + Quoted(name) + " holds a line break or a zero byte";
      return;
    }
    // In curl's list "Name:" removes a header, "Name;" sends it empty.
    add(value.empty() ? name + ";" : name + ": " + value);
    has_type = has_type || curl_strequal(name.c_str(), "Content-Type") != 0;
  }
  add("Expect:");
  if (!has_type) add("Content-Type:");
  if (refusal_.empty() && curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, header_list_) != CURLE_OK) {
    refusal_ = "curl refused the headers";
  }
}

curl_socket_t HttpTransfer::OpenSocket(void* self, curlsocktype, curl_sockaddr* address) {
  const HttpTransfer& transfer = *static_cast<const HttpTransfer*>(self);
  if (address->family != AF_INET) return CURL_SOCKET_BAD;
  const auto* target = reinterpret_cast<const sockaddr_in*>(&address->addr);
  const std::uint16_t port = ntohs(target->sin_port);
  // The last line of defence, at the connect call itself and by number.
  const auto& refused = transfer.refused_ports_;
  if (target->sin_addr.s_addr != htonl(INADDR_LOOPBACK) || port != transfer.request_.port ||
      std::count(refused.begin(), refused.end(), port) != 0) {
    return CURL_SOCKET_BAD;
  }
  // Close-on-exec: a server launched meanwhile must not keep our connections open.
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int HttpTransfer::BeforeRequest(void* self, char*, char*, int, int) {
  static_cast<HttpTransfer*>(self)->reply_.dispatched = Clock::now();
  return CURL_PREREQFUNC_OK;
}

std::size_t HttpTransfer::OnHeader(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->TakeHeader({bytes, size * count});
}

std::size_t HttpTransfer::OnBody(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->TakeBody({bytes, size * count});
}

std::size_t HttpTransfer::TakeHeader(std::string_view line) {
  constexpr std::size_t kStop = 0;
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) {
    stop_ = Stop::kHeaderLimit;
    return kStop;
  }
  // Blank lines also end an interim 1xx reply; trailers come after the real end.
  if (!header_done_ && (line == "\r\n" || line == "\n")) {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status > 999) {  // curl takes what follows "HTTP/" for a number of any size
      stop_ = Stop::kNoStatus;
      return kStop;
    }
    header_done_ = status >= 200;
    if (header_done_) {
      reply_.status = static_cast<int>(status);
      const char* type = nullptr;
      curl_easy_getinfo(easy_, CURLINFO_CONTENT_TYPE, &type);
      if (type != nullptr) reply_.content_type = type;
      curl_off_t length = -1;
      curl_easy_getinfo(easy_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
      if (status == 200 && length > 0 && static_cast<std::uint64_t>(length) > request_.max_body) {
        stop_ = Stop::kBodyLimit;
        return kStop;
      }
    }
  }
  return line.size();
}

std::size_t HttpTransfer::TakeBody(std::string_view bytes) {
  constexpr std::size_t kStop = 0;
  const Clock::time_point now = Clock::now();
  if (reply_.body_bytes == 0) reply_.first_byte = now;
  if (bytes.size() > request_.max_body - std::min(request_.max_body, reply_.body_bytes)) {
    stop_ = Stop::kBodyLimit;
    return kStop;
  }
  reply_.body_bytes += bytes.size();
  if (reply_.status != 200) {
    reply_.body += bytes.substr(0, kMaxErrorBody - reply_.body.size());
    if (reply_.body.size() == kMaxErrorBody) {
      stop_ = Stop::kEnoughOfError;
      return kStop;
    }
    return bytes.size();
  }
  if (!on_body_) {
    reply_.body += bytes;
  } else if (!on_body_(bytes, now)) {
    stop_ = Stop::kSink;
    return kStop;
  }
  return bytes.size();
}

Clock::time_point HttpTransfer::next_deadline() const {
  Clock::time_point next = started_ + request_.total_timeout;
  if (request_.first_byte_timeout.count() > 0 && reply_.body_bytes == 0) {
    next = std::min(next, started_ + request_.first_byte_timeout);
  }
  return next;
}

std::string HttpTransfer::DeadlineText(Clock::time_point now) const {
  if (now >= started_ + request_.total_timeout) {
    return "the total deadline of " + Milliseconds(request_.total_timeout) + " passed after " +
           std::to_string(reply_.body_bytes) + " body bytes";
  }
  if (now >= next_deadline()) {
    return "no body byte came within " + Milliseconds(request_.first_byte_timeout);
  }
  return {};
}

Ending HttpTransfer::EndingOf(CURLcode code) const {
  switch (stop_) {
    case Stop::kHeaderLimit:
    case Stop::kBodyLimit:
      return Ending::kTooLarge;
    case Stop::kNoStatus:
      return Ending::kMalformed;
    case Stop::kSink:
      return Ending::kCancelled;
    case Stop::kEnoughOfError:
      return Ending::kDone;
    case Stop::kNone:
      break;
  }
  switch (static_cast<int>(code)) {
    case CURLE_OK:
      return header_done_ ? Ending::kDone : Ending::kReset;
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:  // only the connect deadline is curl's
      return Ending::kConnectFailed;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
      return Ending::kReset;
    case CURLE_RECV_ERROR:  // also a bad chunk, which has no errno
      return reply_.os_errno != 0 ? Ending::kReset : Ending::kMalformed;
    case CURLE_PARTIAL_FILE:
      return Ending::kTruncated;
    case CURLE_FILESIZE_EXCEEDED:
      return Ending::kTooLarge;
    case CURLE_OUT_OF_MEMORY:  // what curl says of one header line above its own limit
    case 100:                  // CURLE_TOO_LARGE, the same in newer versions
      return header_done_ ? Ending::kMalformed : Ending::kTooLarge;
    default:
      return Ending::kMalformed;
  }
}

void HttpTransfer::EndWith(CURLcode code) {
  reply_.completed = Clock::now();
  if (stop_ == Stop::kNone && code != CURLE_OK) {
    long number = 0;
    curl_easy_getinfo(easy_, CURLINFO_OS_ERRNO, &number);
    reply_.os_errno = static_cast<int>(number);
  }
  reply_.ending = EndingOf(code);
  if (reply_.ending == Ending::kDone) return;
  switch (stop_) {
    case Stop::kHeaderLimit:
      reply_.error = "the reply has more than " + std::to_string(kMaxHeaderBytes) + " header bytes";
      return;
    case Stop::kBodyLimit:
      reply_.error = "the reply has more than the allowed " + std::to_string(request_.max_body) +
                     " body bytes";
      return;
    case Stop::kNoStatus:
      reply_.error = "the status line of the reply holds no status from 100 to 999";
      return;
    case Stop::kSink:
      reply_.error = "the reader of the body stopped the transfer after " +
                     std::to_string(reply_.body_bytes) + " bytes";
      return;
    case Stop::kEnoughOfError:
    case Stop::kNone:
      break;
  }
  if (code == CURLE_OK) {
    reply_.error = "the connection was closed inside the headers";
    return;
  }
  reply_.error = Printable(curl_words_[0] != '\0' ? curl_words_ : curl_easy_strerror(code), 300);
  if (reply_.os_errno != 0) reply_.error += " (" + files::ErrnoName(reply_.os_errno) + ")";
}

void HttpTransfer::EndWith(Ending ending, std::string error) {
  reply_.completed = Clock::now();
  reply_.ending = ending;
  reply_.error = std::move(error);
}

void HttpTransfer::Deliver() {
  if (on_done_) on_done_(std::move(reply_));
}

}  // namespace bi_test::http
