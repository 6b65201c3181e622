#include "support/stub/engine.h"

#include <algorithm>
#include <thread>

namespace bi_test::stub {

Engine::Engine(int slots, std::chrono::milliseconds service, Gathering gathering)
    : slots_(static_cast<std::size_t>(std::max(1, slots))),
      step_(service / kTokens),
      gathering_(gathering) {}

Engine::Served Engine::Serve(const std::string& name, int decode_calls) {
  std::unique_lock lock(mutex_);
  const auto free = [&] {
    return std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.busy; });
  };
  ++numbers_.deferred;
  changed_.wait(lock, [&] { return free() != slots_.end(); });
  --numbers_.deferred;
  ++numbers_.processing;
  Slot& slot = *free();
  slot = {.busy = true, .left = decode_calls, .widest = 0, .name = name, .companions = {}};
  changed_.notify_all();
  changed_.wait(lock, [&] { return slot.left == 0; });
  const Served served{static_cast<int>(&slot - slots_.data()), slot.widest, slot.companions};
  slot.busy = false;
  ++served_;
  --numbers_.processing;
  numbers_.tokens += decode_calls;
  changed_.notify_all();
  return served;
}

Engine::Numbers Engine::Read() {
  const std::lock_guard lock(mutex_);
  return numbers_;
}

std::vector<bool> Engine::Busy() {
  const std::lock_guard lock(mutex_);
  std::vector<bool> busy;
  for (const Slot& slot : slots_) busy.push_back(slot.busy);
  return busy;
}

void Engine::Run() {
  const auto working = [](const Slot& slot) { return slot.busy && slot.left > 0; };
  bool expects_more = true;
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return std::any_of(slots_.begin(), slots_.end(), working); });
    if (expects_more && served_ >= gathering_.after) {
      changed_.wait_for(lock, gathering_.wait,
                        [&] { return std::all_of(slots_.begin(), slots_.end(), working); });
    }
    expects_more = false;
    lock.unlock();
    std::this_thread::sleep_for(step_);
    lock.lock();
    const int busy = static_cast<int>(std::count_if(slots_.begin(), slots_.end(), working));
    ++numbers_.decode_calls;
    numbers_.busy_sum += busy;
    for (Slot& slot : slots_) {
      for (const Slot& other : slots_) {
        if (&other != &slot && working(other)) slot.companions.insert(other.name);
      }
    }
    for (Slot& slot : slots_) {
      if (!working(slot)) continue;
      slot.widest = std::max(slot.widest, busy);
      --slot.left;
      expects_more = expects_more || slot.left == 0;
    }
    changed_.notify_all();
  }
}

}  // namespace bi_test::stub
