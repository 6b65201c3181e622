#include "support/stub/act_player.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace bi_test::stub {
namespace {

void Pause(long long milliseconds) {
  if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

bool SendInPieces(int client, std::string_view bytes, const Act& act) {
  const std::size_t piece = act.piece > 0 ? static_cast<std::size_t>(act.piece) : bytes.size();
  while (!bytes.empty()) {
    if (!SendAll(client, bytes.substr(0, piece))) return false;
    bytes.remove_prefix(std::min(piece, bytes.size()));
    Pause(act.pause_ms);
  }
  return true;
}

}  // namespace

bool SendAll(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Play(const std::vector<Act>& acts, int client, const std::string& prompt, int slot) {
  for (const Act& act : acts) {
    switch (act.kind) {
      case Act::Kind::kSend: {
        const std::string bytes = FillIn(act.bytes, prompt, slot);
        for (long long i = 0; act.number == 0 || i < act.number; ++i) {
          if (!SendInPieces(client, bytes, act)) return;
        }
        break;
      }
      case Act::Kind::kWait:
        Pause(act.number);
        break;
      case Act::Kind::kLog:
        std::fwrite(act.bytes.data(), 1, act.bytes.size(), stderr);
        break;
      case Act::Kind::kReset: {
        const linger at_once{1, 0};
        ::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        return;
      }
      case Act::Kind::kHang:
        while (true) ::pause();
      case Act::Kind::kExit:
        ::_exit(static_cast<int>(act.number));
      case Act::Kind::kRaise:
        ::kill(::getpid(), static_cast<int>(act.number));
        while (true) ::pause();
    }
  }
}

}  // namespace bi_test::stub
