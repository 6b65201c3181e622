#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace bi_test::stub {

/// The stub's pretended model: N slots, a decode call every third of the service time that serves
/// all busy slots at once, as many tokens per chat as it takes decode calls, three by default. Its
/// counters are true to what it does. Thread safe.
class Engine {
 public:
  static constexpr int kTokens = 3;

  struct Served {
    int slot = 0;
    int widest = 0;                    ///< Most slots busy at once while this chat was in service.
    std::set<std::string> companions;  ///< Names of the others in service meanwhile.
  };
  struct Numbers {
    std::int64_t decode_calls = 0;
    std::int64_t busy_sum = 0;  ///< Busy slots, summed over the decode calls.
    std::int64_t tokens = 0;    ///< Of the chats that have ended.
    int processing = 0, deferred = 0;
  };

  /// After so many chats, a decode call with a new chat waits so long for all slots to be busy: the
  /// widths of what follows then do not depend on the speed of the machine.
  struct Gathering {
    int after = 0;
    std::chrono::milliseconds wait{0};
  };

  Engine(int slots, std::chrono::milliseconds service, Gathering gathering);

  /// Waits for a free slot, serves one chat in it, and returns when it has all its tokens.
  [[nodiscard]] Served Serve(const std::string& name = {}, int decode_calls = kTokens);
  [[nodiscard]] Numbers Read();
  [[nodiscard]] std::vector<bool> Busy();
  /// Runs the decode calls; never returns.
  [[noreturn]] void Run();

 private:
  struct Slot {
    bool busy = false;
    int left = 0;
    int widest = 0;
    std::string name;
    std::set<std::string> companions;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::chrono::milliseconds step_;
  Gathering gathering_;
  int served_ = 0;
  Numbers numbers_;
};

}  // namespace bi_test::stub
