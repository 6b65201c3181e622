#pragma once

#include <set>
#include <string>
#include <vector>

#include "bi_test/result.h"

namespace bi_test::stub {

/// One thing a rule makes the stub do on a connection, in order; after the last one it closes.
struct Act {
  enum class Kind {
    kSend,   ///< Sends `bytes`, `number` times (0: until the client goes).
    kWait,   ///< Waits `number` milliseconds.
    kLog,    ///< Writes `bytes` to standard error.
    kReset,  ///< Closes with a reset. Ends the connection.
    kHang,   ///< Keeps the connection open for ever.
    kExit,   ///< Ends the program with code `number`.
    kRaise,  ///< Raises signal `number`.
  };
  Kind kind = Kind::kSend;
  std::string bytes = {};
  long long number = 1;
  int piece = 0;     ///< Sends in pieces of so many bytes; 0: at once.
  int pause_ms = 0;  ///< After each piece, and after each time.
};

[[nodiscard]] Act Send(std::string bytes);
[[nodiscard]] Act SendSlowly(std::string bytes, int piece, int pause_ms);
[[nodiscard]] Act SendForever(std::string bytes, int pause_ms);
[[nodiscard]] Act SendTimes(std::string bytes, int times);
[[nodiscard]] Act Wait(int milliseconds);
[[nodiscard]] Act Log(std::string text);
[[nodiscard]] Act Reset();
[[nodiscard]] Act Hang();
[[nodiscard]] Act Exit(int code);
[[nodiscard]] Act Raise(int signal);

/// An exception from honesty. All conditions must hold; the first rule that matches counts.
///
/// In `answer` and in sent bytes, `{i}` is the number in the prompt `ask i`, `{slot}` the slot, and
/// `{length}` the number of bytes after the first empty line.
struct Rule {
  // Which requests. Chats are those whose prompt begins with `ask`: a probe gets the honest answer.
  std::string page = "chat";    ///< `chat`, or a path such as `/slots`.
  std::string prompt = {};      ///< The first two words of the prompt; empty: any.
  std::string body_lacks = {};  ///< The body does not contain this.
  int min_slots = 0;            ///< Slots of this launch.
  int max_slots = 1'000'000;
  int from = 1;  ///< Ordinal, within this process, of the request among those of page and prompt.
  int to = 1'000'000'000;
  int every = 1;           ///< The ordinal is a multiple of it.
  int launch_from = 0;     ///< Ordinal of the process (needs STUB_STATE_FILE).
  int in_flight_from = 0;  ///< Chats in the server when this one arrives, itself included.
  int chats_from = 0;      ///< Chats answered before.
  int chats_to = 1'000'000'000;
  bool while_busy = false;  ///< At least one chat is in the server.

  // What company it had. Any of these makes the rule one that is looked at after the service.
  int width_from = 0;  ///< Most slots busy at once during the service.
  int width_to = 1'000'000;
  std::string beside = {};     ///< A prompt (first two words) that was in service meanwhile.
  bool beside_others = false;  ///< Some other prompt was.

  // What happens then.
  bool at_once = false;     ///< Acts without service: no slot, no decode call.
  int decode_calls = 0;     ///< Length of the service; 0: as ever. Looked at before the service.
  int delay_ms = 0;         ///< Before the reply.
  std::string answer = {};  ///< Text of the answer; empty: the honest one.
  long long prompt_tokens = -1;  ///< In the usage; -1: 5.
  std::vector<Act> acts = {};    ///< In place of the reply.

  [[nodiscard]] bool NeedsCompany() const;
};

/// One request, for `Matches`.
struct Asked {
  std::string prompt;  ///< First two words.
  std::string body;
  int slots = 1;
  int launch = 1;
  int ordinal = 1;       ///< Among all requests of its page.
  int ordinal_same = 1;  ///< ... and its prompt.
  int in_flight = 0;
  int chats = 0;
};

/// What the service of a chat was like.
struct Company {
  int widest = 0;
  std::set<std::string> prompts = {};  ///< Others in service meanwhile.
};

[[nodiscard]] bool Matches(const Rule& rule, const Asked& asked);
[[nodiscard]] bool Matches(const Rule& rule, const Company& company, const std::string& prompt);

/// The rules as one line of JSON, and back.
[[nodiscard]] std::string RulesText(const std::vector<Rule>& rules);
[[nodiscard]] Result<std::vector<Rule>> ReadRules(const std::string& text);

/// First two words: `ask 7 ...` gives `ask 7`.
[[nodiscard]] std::string ShortPrompt(const std::string& prompt);

/// Replaces `{i}`, `{slot}`, and then `{length}`.
[[nodiscard]] std::string FillIn(std::string text, const std::string& prompt, int slot);

}  // namespace bi_test::stub
