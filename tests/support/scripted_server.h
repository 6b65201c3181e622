#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bi_test::test_support {

/// One thing a ScriptedServer does on a connection.
struct Step {
  enum class Kind {
    kReadRequest,  ///< Reads one HTTP request, body included, and keeps its bytes.
    kSend,  ///< Sends `bytes`, in pieces of `piece` bytes with `pause` between them (0: at once).
    kSendForever,  ///< Sends `bytes` again and again with `pause` between, until the client goes.
    kPause,        ///< Waits for `pause`.
    kAwaitOthers,  ///< Waits until `count` connections stand at this step together.
    kAwaitClose,   ///< Reads and drops until the client closes.
    kIgnore,       ///< Neither reads nor writes, until the server is destroyed.
    kReset,        ///< Closes with a reset (SO_LINGER 0). Ends the script.
    kClose,        ///< Closes. Ends the script, as its last step does anyway.
  };
  explicit Step(Kind what, std::string data = {}, std::chrono::milliseconds time = {})
      : kind(what), bytes(std::move(data)), pause(time) {}

  Kind kind;
  std::string bytes;
  std::chrono::milliseconds pause;
  std::size_t piece = 0;
  std::size_t count = 0;
};

using Script = std::vector<Step>;

[[nodiscard]] Step ReadRequest();
[[nodiscard]] Step Send(std::string bytes);
[[nodiscard]] Step SendInPieces(std::string bytes, std::size_t piece,
                                std::chrono::milliseconds pause);
[[nodiscard]] Step SendForever(std::string bytes, std::chrono::milliseconds pause);
[[nodiscard]] Step Pause(std::chrono::milliseconds pause);
[[nodiscard]] Step AwaitOthers(std::size_t count);
[[nodiscard]] Step AwaitClose();
[[nodiscard]] Step Ignore();
[[nodiscard]] Step Reset();
[[nodiscard]] Step Close();

/// ReadRequest, Send(bytes), Close.
[[nodiscard]] Script Answer(std::string bytes);

/// A reply with status line, Content-Type, exact Content-Length and body.
[[nodiscard]] std::string HttpReplyBytes(int status, const std::string& content_type,
                                         const std::string& body);

/// A TCP server inside the test program that plays scripts. Listens on 127.0.0.1, on a port the
/// kernel chose, before the constructor returns; the destructor ends all connections and joins all
/// threads. Thread safe.
class ScriptedServer {
 public:
  /// The i-th connection plays the i-th script; the last script serves all further ones.
  explicit ScriptedServer(std::vector<Script> scripts);
  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::size_t connections() const;
  /// The bytes of each request read so far, in the order of completion.
  [[nodiscard]] std::vector<std::string> requests() const;
  /// Waits until that many connections have seen the client close; false after `deadline`.
  [[nodiscard]] bool WaitForClosedByClient(std::size_t count, std::chrono::milliseconds deadline);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A port of 127.0.0.1 that is taken but refuses every connection.
class RefusingPort {
 public:
  RefusingPort();
  ~RefusingPort();
  RefusingPort(const RefusingPort&) = delete;
  RefusingPort& operator=(const RefusingPort&) = delete;
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  int fd_ = -1;
};

}  // namespace bi_test::test_support
