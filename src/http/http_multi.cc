#include "http/http_multi.h"

#include <curl/curl.h>

#include <algorithm>
#include <map>
#include <utility>

#include "http/http_transfer.h"

namespace bi_test::http {
namespace {

constexpr std::chrono::milliseconds kLongestPoll{1'000};

bool InitialiseCurlOnce() {
  static const bool ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return ok;
}

}  // namespace

struct HttpMulti::State {
  using Transfers = std::map<Id, std::unique_ptr<HttpTransfer>>;

  CURLM* multi = InitialiseCurlOnce() ? curl_multi_init() : nullptr;
  Transfers running;
  std::vector<std::unique_ptr<HttpTransfer>> ended;  ///< Waiting for their `on_done`.
  std::vector<Id> to_start, to_cancel;               ///< Asked for from inside a body sink.
  std::vector<std::uint16_t> refused_ports;
  std::map<CURL*, Id> ids;
  Id next_id = 1;
  bool in_curl = false;  ///< Its multi functions may not be called from its own callbacks.

  ~State() {
    for (auto& [id, transfer] : running) Detach(*transfer);
    if (multi != nullptr) curl_multi_cleanup(multi);
  }

  void Detach(HttpTransfer& transfer) {
    if (multi != nullptr && transfer.handle() != nullptr) {
      // Of a running transfer this closes the socket: it may not be used again.
      curl_multi_remove_handle(multi, transfer.handle());
      ids.erase(transfer.handle());
    }
  }

  /// Takes a transfer out of the running ones, its end already noted.
  void MoveToEnded(Transfers::iterator it) {
    Detach(*it->second);
    ended.push_back(std::move(it->second));
    running.erase(it);
  }

  void Attach(Id id) {
    const auto it = running.find(id);
    if (it == running.end()) return;
    HttpTransfer& transfer = *it->second;
    std::string why = transfer.refusal();
    if (why.empty() && multi == nullptr) why = "curl could not be initialised";
    if (why.empty()) {
      const CURLMcode code = curl_multi_add_handle(multi, transfer.handle());
      if (code != CURLM_OK) why = curl_multi_strerror(code);
    }
    if (!why.empty()) {
      transfer.EndWith(Ending::kConnectFailed, why);
      MoveToEnded(it);
      return;
    }
    ids[transfer.handle()] = id;
  }

  void CancelNow(Id id) {
    const auto it = running.find(id);
    if (it == running.end()) return;
    it->second->EndWith(Ending::kCancelled, "cancelled");
    MoveToEnded(it);
  }

  /// Lets curl work on whatever is ready and collects what came to an end.
  void Perform() {
    if (multi == nullptr) return;
    int still_running = 0;
    in_curl = true;
    curl_multi_perform(multi, &still_running);
    in_curl = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const auto id = ids.find(message->easy_handle);
      if (id == ids.end()) continue;
      const auto it = running.find(id->second);
      it->second->EndWith(code);
      MoveToEnded(it);
    }
    for (const Id id : std::exchange(to_cancel, {})) CancelNow(id);
    for (const Id id : std::exchange(to_start, {})) Attach(id);
  }

  /// Ends what is overdue; returns the next deadline, at most `until`.
  Clock::time_point CheckDeadlines(Clock::time_point until) {
    const Clock::time_point now = Clock::now();
    Clock::time_point next = until;
    for (auto it = running.begin(); it != running.end();) {
      const auto current = it++;
      std::string text = current->second->DeadlineText(now);
      if (text.empty()) {
        next = std::min(next, current->second->next_deadline());
      } else {
        current->second->EndWith(Ending::kDeadline, std::move(text));
        MoveToEnded(current);
      }
    }
    return next;
  }

  /// Delivers all ends. A sink may start and cancel transfers.
  bool Deliver() {
    if (ended.empty()) return false;
    for (auto& transfer : std::exchange(ended, {})) transfer->Deliver();
    return true;
  }
};

HttpMulti::HttpMulti() : state_(std::make_unique<State>()) {}
HttpMulti::~HttpMulti() = default;

void HttpMulti::RefusePorts(std::vector<std::uint16_t> ports) {
  state_->refused_ports = std::move(ports);
}

HttpMulti::Id HttpMulti::Start(HttpRequest request, BodySink on_body, DoneSink on_done) {
  const Id id = state_->next_id++;
  state_->running[id] = std::make_unique<HttpTransfer>(std::move(request), std::move(on_body),
                                                       std::move(on_done), state_->refused_ports);
  if (state_->in_curl) {
    state_->to_start.push_back(id);
  } else {
    state_->Attach(id);
  }
  return id;
}

void HttpMulti::Cancel(Id id) {
  if (state_->in_curl) {
    state_->to_cancel.push_back(id);
  } else {
    state_->CancelNow(id);
  }
}

void HttpMulti::CancelAll() {
  std::vector<Id> ids;
  for (const auto& [id, transfer] : state_->running) ids.push_back(id);
  for (const Id id : ids) Cancel(id);
}

std::size_t HttpMulti::in_flight() const { return state_->running.size(); }

void HttpMulti::Run(Clock::time_point until, int wake_fd) {
  State& state = *state_;
  for (;;) {
    state.Perform();
    const Clock::time_point next = state.CheckDeadlines(until);
    if (state.Deliver()) return;
    const Clock::time_point now = Clock::now();
    if (now >= until) return;

    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now);
    curl_waitfd extra{};
    extra.fd = wake_fd;
    extra.events = CURL_WAIT_POLLIN;
    const int milliseconds =
        static_cast<int>(std::clamp(wait, std::chrono::milliseconds{0}, kLongestPoll).count());
    const unsigned n_extra = wake_fd >= 0 ? 1u : 0u;
    if (state.multi == nullptr ||
        curl_multi_poll(state.multi, &extra, n_extra, milliseconds, nullptr) != CURLM_OK) {
      return;  // nothing can run; the callers' own deadlines decide
    }
    if (n_extra != 0 && extra.revents != 0) {
      state.Perform();
      state.CheckDeadlines(until);
      state.Deliver();
      return;
    }
  }
}

HttpReply HttpMulti::Fetch(const HttpRequest& request) {
  HttpMulti multi;
  HttpReply reply;
  bool done = false;
  multi.Start(request, nullptr, [&](HttpReply&& result) {
    reply = std::move(result);
    done = true;
  });
  const Clock::time_point limit =
      Clock::now() + request.total_timeout + std::chrono::milliseconds{1'000};
  while (!done && Clock::now() < limit) multi.Run(limit);
  if (!done) {
    reply.ending = Ending::kDeadline;
    reply.error = "the transfer could not be driven";
  }
  return reply;
}

}  // namespace bi_test::http
