#include "run/server_request.h"

#include <utility>

namespace bi_test::run {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAskTimeout{30'000};
constexpr std::size_t kMaxPage = 8u << 20;

http::HttpRequest RequestTo(const server::ServerIdentity& identity, const std::string& path) {
  http::HttpRequest request;
  request.port = identity.port;
  request.path = path;
  if (!identity.api_key.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + identity.api_key);
  }
  return request;
}

}  // namespace

http::HttpRequest PageRequest(const server::ServerIdentity& identity, const std::string& path,
                              milliseconds timeout) {
  http::HttpRequest request = RequestTo(identity, path);
  request.connect_timeout = timeout;
  request.total_timeout = timeout;
  request.max_body = kMaxPage;
  return request;
}

http::HttpRequest JsonRequest(const server::ServerIdentity& identity, const std::string& path,
                              std::string body) {
  http::HttpRequest request = RequestTo(identity, path);
  request.method = "POST";
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = std::move(body);
  return request;
}

std::optional<std::string> AskServer(const server::ServerIdentity& identity,
                                     const std::string& path, std::string body,
                                     const RunClock& clock) {
  http::HttpRequest request = JsonRequest(identity, path, std::move(body));
  request.total_timeout = clock.AtMost(kAskTimeout);
  http::HttpReply reply = http::HttpMulti::Fetch(request);
  if (reply.ending != http::Ending::kDone || reply.status != 200) return std::nullopt;
  return std::move(reply.body);
}

}  // namespace bi_test::run
