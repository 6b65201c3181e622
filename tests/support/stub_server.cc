// A scripted stand-in for llama-server (and vLLM, SGLang and plain servers), for tests that need a
// server program which misbehaves on demand. Script and honest defaults: stub/script.h.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "support/stub/act_player.h"
#include "support/stub/engine.h"
#include "support/stub/pages.h"
#include "support/stub/rules.h"
#include "support/stub/script.h"

namespace bi_test::stub {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxRequest = std::size_t{16} << 20;

struct Request {
  std::string method, path, head, body;
};

bool Receive(int client, Request& request) {
  std::string text;
  std::vector<char> buffer(65'536);
  std::size_t head_end = std::string::npos;
  std::size_t length = 0;
  while (text.size() < kMaxRequest) {
    if (head_end == std::string::npos) {
      head_end = text.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        request.head = text.substr(0, head_end + 2);
        const std::size_t header = request.head.find("Content-Length: ");
        if (header != std::string::npos) {
          length = static_cast<std::size_t>(std::atoll(request.head.c_str() + header + 16));
        }
      }
    }
    if (head_end != std::string::npos && text.size() >= head_end + 4 + length) break;
    const ssize_t got = ::recv(client, buffer.data(), buffer.size(), 0);
    if (got <= 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (head_end == std::string::npos) return false;
  request.body = text.substr(head_end + 4);
  const std::size_t space = request.head.find(' ');
  request.method = request.head.substr(0, space);
  request.path = request.head.substr(space + 1, request.head.find(' ', space + 1) - space - 1);
  return true;
}

void Reply(int client, int status, std::string_view type, std::string_view body) {
  SendAll(client, "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " +
                      std::string(type) + "\r\nContent-Length: " + std::to_string(body.size()) +
                      "\r\nConnection: close\r\n\r\n");
  SendAll(client, body);
}

void ReplyJson(int client, int status, const Json& body) {
  Reply(client, status, "application/json", CompactText(body));
}

Json ErrorObject(int code, const char* type, const char* message) {
  return Json::Object{
      {"error",
       Json(Json::Object{{"code", Json(code)}, {"type", Json(type)}, {"message", Json(message)}})}};
}

std::string PromptOf(const Json& body) {
  std::string prompt;
  if (const Json* messages = body.Find("messages"); messages != nullptr && messages->if_array()) {
    for (const Json& message : *messages->if_array()) {
      const Json* content = message.Find("content");
      if (content != nullptr && content->if_string() != nullptr) prompt = *content->if_string();
    }
  }
  return prompt;
}

bool IsAsked(const std::string& prompt) { return prompt.starts_with("ask "); }

// `ask 3` is answered with `ok-3`, whatever follows, anything else with itself.
std::string AnswerTo(const std::string& prompt) {
  return IsAsked(prompt) ? "ok-" + ShortPrompt(prompt).substr(4) : "ok:" + prompt.substr(0, 40);
}

std::vector<Rule> RulesOf(const std::string& file) {
  if (file.empty()) return {};
  std::ifstream in(file, std::ios::binary);
  const Result<std::vector<Rule>> rules =
      ReadRules({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  if (!rules.ok()) {
    std::fprintf(stderr, "error: STUB_RULES: %s\n", rules.error().Text().c_str());
    std::exit(2);
  }
  return *rules;
}

class Server {
 public:
  explicit Server(const Script& script)
      : script_(script),
        rules_(RulesOf(script.rules_file)),
        engine_(script.engine_slots, script.service, {script.gather_after, script.gather_wait}),
        start_(Clock::now()) {}

  [[noreturn]] void Run(int listener) {
    std::thread([this] { engine_.Run(); }).detach();
    while (true) {
      const int client = ::accept(listener, nullptr, nullptr);
      if (client < 0) continue;
      std::thread([this, client] {
        Handle(client);
        ::close(client);
      }).detach();
    }
  }

 private:
  void Handle(int client) {
    if (script_.silent) {
      while (true) ::pause();
    }
    Request request;
    if (!Receive(client, request)) return;
    const bool loading = script_.never_ready || Clock::now() - start_ < script_.loading;
    if (loading) {
      return ReplyJson(client, 503, ErrorObject(503, "unavailable_error", "Loading model"));
    }
    if (request.path != kChatPath && FollowPageRule(client, request.path)) return;
    if (request.path == "/health" && script_.kind != Script::Kind::kOpenAi) {
      return ReplyJson(client, 200, Json::Object{{"status", Json("ok")}});
    }
    if (!script_.api_key.empty() &&
        request.head.find("Bearer " + script_.api_key + "\r\n") == std::string::npos) {
      return ReplyJson(client, 401, ErrorObject(401, "authentication_error", "Invalid API Key"));
    }
    if (script_.kind == Script::Kind::kLlamaCpp) {
      if (request.path == "/props") return Props(client);
      if (request.path == "/slots") return Slots(client);
      if (request.path == "/metrics" && !script_.no_metrics) return Metrics(client);
    } else if (request.method == "GET") {
      if (const std::optional<Page> page = OtherKindsPage(script_, request.path, engine_)) {
        return Reply(client, page->status, page->type, page->body);
      }
    }
    if (request.path == "/tokenize" && script_.kind == Script::Kind::kVllm) {
      return ReplyJson(client, 200,
                       Json::Object{{"count", Json(5)}, {"max_model_len", Json(1024)}});
    }
    if (request.path == kChatPath && request.method == "POST") {
      return Chat(client, request.body);
    }
    ReplyJson(client, 404, ErrorObject(404, "not_found_error", "File Not Found"));
  }

  // A request as the rules see it. Counts it.
  Asked AskedOf(const std::string& page, const std::string& prompt, const std::string& body) {
    Asked asked;
    asked.prompt = prompt;
    asked.body = body;
    asked.slots = script_.slots;
    asked.launch = script_.launch;
    asked.in_flight = in_flight_;
    asked.chats = answered_;
    const std::lock_guard lock(mutex_);
    asked.ordinal = ++ordinals_[page];
    asked.ordinal_same = ++ordinals_[page + " " + prompt];
    return asked;
  }

  std::vector<const Rule*> RulesFor(const std::string& page, const Asked& asked) const {
    std::vector<const Rule*> found;
    for (const Rule& rule : rules_) {
      if (rule.page == page && Matches(rule, asked)) found.push_back(&rule);
    }
    return found;
  }

  // True when the rule has answered in place of the page.
  bool FollowPageRule(int client, const std::string& path) {
    const std::vector<const Rule*> rules = RulesFor(path, AskedOf(path, {}, {}));
    if (rules.empty()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(rules.front()->delay_ms));
    if (rules.front()->acts.empty()) return false;
    Play(rules.front()->acts, client, {}, 0);
    return true;
  }

  void Props(int client) {
    const int build = script_.build_per_launch ? script_.launch : 1;
    Json::Object settings{{"n_ctx", Json(script_.slot_context)}};
    Json::Object props{{"total_slots", Json(script_.total_slots)},
                       {"model_path", Json(script_.model_path)},
                       {"build_info", Json("stub-" + std::to_string(build))},
                       {"chat_template", Json("secret template")},
                       {"default_generation_settings", Json(settings)}};
    if (script_.router) props = {{"role", Json("router")}};
    ReplyJson(client, 200, Json(props));
  }

  void Slots(int client) {
    const std::vector<bool> busy = engine_.Busy();
    Json::Array slots;
    for (int i = 0; i < script_.total_slots; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const bool is_busy = index < busy.size() && busy[index];
      Json slot = Json::Object{{"id", Json(i)}, {"n_ctx", Json(script_.slot_context)}};
      if (script_.slot_shape.empty()) slot["is_processing"] = is_busy;
      if (script_.slot_shape == "state") slot["state"] = is_busy ? 1 : 0;
      if (script_.slot_prompts) slot["prompt"] = "SECRET-w" + std::to_string(i);
      slots.push_back(std::move(slot));
    }
    ReplyJson(client, 200, Json(slots));
  }

  void Metrics(int client) {
    const Engine::Numbers numbers = engine_.Read();
    const double mean = numbers.decode_calls == 0 ? 0.0
                                                  : static_cast<double>(numbers.busy_sum) /
                                                        static_cast<double>(numbers.decode_calls);
    std::string page = "# TYPE llamacpp:n_decode_total counter\n";
    page += "llamacpp:n_decode_total " + std::to_string(numbers.decode_calls) + "\n";
    page += "llamacpp:n_busy_slots_per_decode " + CompactText(Json(mean)) + "\n";
    page += "llamacpp:tokens_predicted_total " + std::to_string(numbers.tokens) + "\n";
    page += "llamacpp:requests_processing " + std::to_string(numbers.processing) + "\n";
    page += "llamacpp:requests_deferred " + std::to_string(numbers.deferred) + "\n";
    Reply(client, 200, "text/plain; version=0.0.4", page);
  }

  void Chat(int client, const std::string& text) {
    const int number = ++chats_;
    if (number <= script_.bad_gateways) {
      return Reply(client, 502, "text/html", "<html>Bad Gateway</html>");
    }
    if (script_.die_after >= 0 && number > script_.die_after) {
      ::signal(script_.die_signal, SIG_DFL);  // a sanitizer would turn it into an exit code
      ::raise(script_.die_signal);
    }
    const Result<Json> body = ParseJson(text);
    if (!body.ok()) {
      return ReplyJson(client, 400, ErrorObject(400, "invalid_request_error", "not JSON"));
    }
    if (script_.endless) return Endless(client);
    const std::string prompt = PromptOf(*body);
    if (!IsAsked(prompt)) return Answer(client, *body, AnswerTo(prompt), 5, engine_.Serve());
    ++in_flight_;
    AnswerAsked(client, *body, text, prompt);
    ++answered_;
    --in_flight_;
  }

  void AnswerAsked(int client, const Json& body, const std::string& text,
                   const std::string& prompt) {
    const std::string name = ShortPrompt(prompt);
    const std::vector<const Rule*> rules = RulesFor("chat", AskedOf("chat", name, text));
    const Rule* first = rules.empty() || rules.front()->NeedsCompany() ? nullptr : rules.front();
    if (first != nullptr && first->at_once) return Play(first->acts, client, name, 0);
    const int calls =
        first != nullptr && first->decode_calls > 0 ? first->decode_calls : Engine::kTokens;
    const Engine::Served served = engine_.Serve(name, calls);
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule* candidate) {
      return !candidate->NeedsCompany() ||
             Matches(*candidate, Company{served.widest, served.companions}, name);
    });
    if (rule == rules.end()) return Answer(client, body, AnswerTo(prompt), 5, served);
    std::this_thread::sleep_for(std::chrono::milliseconds((*rule)->delay_ms));
    if (!(*rule)->acts.empty()) return Play((*rule)->acts, client, name, served.slot);
    const std::string answer =
        (*rule)->answer.empty() ? AnswerTo(prompt) : FillIn((*rule)->answer, name, served.slot);
    const long long tokens = (*rule)->prompt_tokens < 0 ? 5 : (*rule)->prompt_tokens;
    Answer(client, body, answer, tokens, served);
  }

  void Answer(int client, const Json& body, std::string answer, long long prompt_tokens,
              const Engine::Served& served) {
    if (script_.diverge && served.widest > 1) answer += "/" + std::to_string(served.slot % 3);

    const Json* stream = body.Find("stream");
    const bool streamed = stream != nullptr && stream->if_bool() != nullptr && *stream->if_bool();
    Json usage =
        Json::Object{{"prompt_tokens", Json(std::int64_t{prompt_tokens})},
                     {"completion_tokens", Json(Engine::kTokens)},
                     {"total_tokens", Json(std::int64_t{prompt_tokens} + Engine::kTokens)}};
    if (script_.cached_prompts) usage["prompt_tokens_details"]["cached_tokens"] = 4;
    if (!streamed) {
      const Json message = Json::Object{{"role", Json("assistant")}, {"content", Json(answer)}};
      const Json choice =
          Json::Object{{"index", Json(0)}, {"message", message}, {"finish_reason", Json("stop")}};
      return ReplyJson(client, 200,
                       Json::Object{{"id", Json("c")},
                                    {"object", Json("chat.completion")},
                                    {"created", Json(1)},
                                    {"model", Json("m")},
                                    {"choices", Json(Json::Array{choice})},
                                    {"usage", usage}});
    }
    Json content = Json::Object{{"index", Json(0)},
                                {"delta", Json(Json::Object{{"content", Json(answer)}})},
                                {"finish_reason", Json("stop")}};
    if (script_.kind == Script::Kind::kVllm) AddTokens(body, answer, content);
    const Json event =
        Json::Object{{"choices", Json(Json::Array{content})},
                     {"__verbose", Json(Json::Object{{"id_slot", Json(served.slot)}})}};
    const Json last = Json::Object{{"choices", Json(Json::Array{})}, {"usage", usage}};
    Reply(
        client, 200, "text/event-stream",
        "data: " + CompactText(event) + "\n\ndata: " + CompactText(last) + "\n\ndata: [DONE]\n\n");
  }

  // Ids and log-probabilities as vLLM sends them: ids where they were asked for, and again as the
  // text of the tokens, with its word for "none" as last alternative.
  static void AddTokens(const Json& asked, const std::string& answer, Json& choice) {
    const auto is_true = [&asked](const char* field) {
      const Json* value = asked.Find(field);
      return value != nullptr && value->if_bool() != nullptr && *value->if_bool();
    };
    Json::Array ids, entries;
    for (const char c : answer.substr(0, Engine::kTokens)) {
      const int id = static_cast<unsigned char>(c);
      ids.push_back(id);
      const std::string token = "token_id:" + std::to_string(id);
      const Json top = Json::Object{{"token", Json(token)}, {"logprob", Json(-0.25)}};
      const Json none = Json::Object{{"token", Json("token_id:0")}, {"logprob", Json(-9999.0)}};
      entries.push_back(Json::Object{{"token", Json(token)},
                                     {"logprob", Json(-0.25)},
                                     {"bytes", Json()},
                                     {"top_logprobs", Json(Json::Array{top, none})}});
    }
    if (is_true("return_token_ids")) choice["token_ids"] = std::move(ids);
    if (is_true("logprobs")) choice["logprobs"]["content"] = std::move(entries);
  }

  static void Endless(int client) {
    SendAll(client,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    while (
        SendAll(client, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  static constexpr const char* kChatPath = "/v1/chat/completions";

  const Script script_;
  const std::vector<Rule> rules_;
  Engine engine_;
  const Clock::time_point start_;
  std::atomic<int> chats_{0};      ///< Of any kind.
  std::atomic<int> in_flight_{0};  ///< Of those that begin with `ask`,
  std::atomic<int> answered_{0};   ///< and so are these.
  std::mutex mutex_;
  std::map<std::string, int> ordinals_;  ///< Requests by page, and by page and prompt.
};

// The number of this launch, counted in a file.
long long CountLaunch(const std::string& file) {
  if (file.empty()) return 1;
  std::ofstream(file, std::ios::app) << '.';
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_size : 1;
}

void WriteReport(const Script& script, int argc, char** argv) {
  if (script.report_file.empty()) return;
  std::ofstream out(script.report_file, std::ios::trunc);
  out << "pid " << ::getpid() << "\n";
  for (int i = 1; i < argc; ++i) out << "arg " << argv[i] << "\n";
  for (char** entry = environ; *entry != nullptr; ++entry) out << "env " << *entry << "\n";
  for (int fd = 0; fd < 256; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) out << "fd " << fd << "\n";
  }
}

void Spam(long long bytes) {
  if (bytes == 0) return;
  const std::string block(1 << 20, 'x');
  for (long long written = 0; written < bytes;) {
    const long long step = std::min<long long>(bytes - written, 1 << 20);
    std::fwrite(block.data(), 1, static_cast<std::size_t>(step), stderr);
    written += step;
    if (written > (10 << 20)) std::fputc('\n', stderr);
  }
  std::fprintf(stderr, "\nlast line of the spam\n");
}

bool Bind(int listener, const Script& script) {
  const auto port = htons(static_cast<std::uint16_t>(script.port));
  if (script.listen_on_ipv6) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = port;
    address.sin6_addr = in6addr_loopback;
    return ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = port;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

int Listen(const Script& script) {
  const int listener = ::socket(script.listen_on_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (script.reuse_port) ::setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  const bool refused = script.launch <= script.bind_failures;
  if (refused || !Bind(listener, script) || ::listen(listener, 512) != 0) {
    std::fprintf(stderr, "couldn't bind HTTP server socket, hostname: 127.0.0.1, port: %d\n",
                 script.port);
    std::exit(1);
  }
  return listener;
}

void StartGrandchild(const std::string& kind) {
  if (kind.empty() || ::fork() != 0) return;
  ::signal(SIGTERM, SIG_IGN);
  if (kind != "group") ::setsid();
  if (kind == "hidden") {
    char name[] = "sleep";
    char seconds[] = "60";
    char* const arguments[] = {name, seconds, nullptr};
    char* const environment[] = {nullptr};
    ::execve("/bin/sleep", arguments, environment);
    ::_exit(127);
  }
  while (true) ::pause();
}

// Leaves the stage to a stranger: same program, other session, other parent, none of our variables
// but the place of the report.
[[noreturn]] void StartStranger(const Script& script, char** argv) {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    std::string report = "STUB_REPORT_FILE=" + script.report_file;
    char* const environment[] = {report.data(), nullptr};
    ::execve("/proc/self/exe", argv, environment);
    ::_exit(127);
  }
  while (true) ::pause();
}

bool SomebodyListens(const Script& script) {
  const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(script.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected =
      ::connect(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  return connected;
}

// A stranger beside the stub, on the same port, and there before it. It ends by itself after a
// minute.
void StartTwin(const Script& script, char** argv) {
  if (::fork() != 0) {
    for (int i = 0; i < 1'000 && !SomebodyListens(script); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return;
  }
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ::alarm(60);
  std::string report = "STUB_REPORT_FILE=" + script.report_file + ".twin";
  std::string reuse = "STUB_REUSE_PORT=1";
  char* const environment[] = {report.data(), reuse.data(), nullptr};
  ::execve("/proc/self/exe", argv, environment);
  ::_exit(127);
}

void BecomeDaemon() {
  if (::fork() != 0) ::_exit(0);
  ::setsid();
}

void DropOutput() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

int Main(int argc, char** argv) {
  Script script = ReadScript(argc, argv);
  if (script.stranger) StartStranger(script, argv);
  if (script.twin) StartTwin(script, argv);
  if (script.daemon) BecomeDaemon();
  script.launch = static_cast<int>(CountLaunch(script.state_file));
  WriteReport(script, argc, argv);
  std::fprintf(stderr, "stub: pid %d, port %d, %d slots\n", static_cast<int>(::getpid()),
               script.port, script.slots);
  std::this_thread::sleep_for(script.sleep_at_start);
  if (script.exit_at_start >= 0) {
    std::fprintf(stderr, "stub: told to exit at start\n");
    return script.exit_at_start;
  }
  ::signal(
      SIGTERM, script.ignore_term ? SIG_IGN : [](int) { ::_exit(0); });
  ::signal(SIGINT, SIG_IGN);
  Spam(script.spam_bytes);
  if (script.unfinished_line) std::fputs("a line without its end", stderr);
  if (script.close_output) DropOutput();
  const int listener = Listen(script);
  StartGrandchild(script.grandchild);
  Server(script).Run(listener);
}

}  // namespace
}  // namespace bi_test::stub

int main(int argc, char** argv) { return bi_test::stub::Main(argc, argv); }
