#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bi_test {

/// `server:` of a sweep file: the program that is started for each arm, and how. A plain value.
struct ServerConfig {
  std::string kind = "llama.cpp";  ///< Dialect: llama.cpp, vllm, sglang, openai.
  std::filesystem::path binary;    ///< Resolved program; empty when it could not be found.
  std::string binary_as_written;
  std::vector<std::string> flags;  ///< Passed to every launch, before the model's own flags.
  std::map<std::string, std::string> env;  ///< Added to the scrubbed environment of the server.
  std::chrono::milliseconds ready_timeout{180'000};  ///< From launch to ready, > 0.
  std::chrono::milliseconds stop_grace{5'000};       ///< From SIGTERM to SIGKILL, > 0.
  friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

}  // namespace bi_test
