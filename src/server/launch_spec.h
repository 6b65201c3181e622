#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "bi_test/sweep.h"

namespace bi_test::server {

/// One launch: what to start and what it must then report.
struct LaunchSpec {
  const ServerConfig* server = nullptr;
  const ModelConfig* model = nullptr;
  const GuardConfig* guard = nullptr;
  int ctx = 0;  ///< Context of one slot, tokens.
  int slots = 1;
  /// Of the whole run: readiness is waited for no longer, whatever `ready_timeout` allows.
  std::chrono::steady_clock::time_point run_deadline = std::chrono::steady_clock::time_point::max();
  std::filesystem::path log_file;
  std::string role;  ///< `A`, `N`, ...: for messages and log names.
};

}  // namespace bi_test::server
