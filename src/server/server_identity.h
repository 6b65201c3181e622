#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test::server {

/// What the launched server said of itself, and what we know of its process.
struct ServerIdentity {
  int pid = 0;
  std::uint16_t port = 0;
  bool pid_verified = false;      ///< The listening socket belongs to our child's process group.
  std::string build;              ///< As reported; empty when not.
  std::vector<std::string> argv;  ///< API key blotted out.
  std::string binary;             ///< Absolute path of the program that was started.
  std::uint64_t binary_bytes = 0;
  std::string binary_sha256;
  /// The program that really runs, when `binary` is a script or starts through a loader; else the
  /// same.
  std::string program;
  std::uint64_t program_bytes = 0;
  std::string program_sha256;
  /// Digest of the executable files the process has mapped (libraries, backends), by name and
  /// content; empty when they could not be read.
  std::string libraries_sha256;
  int total_slots = 0;
  int n_ctx_slot = 0;
  Json props;  ///< Chosen facts of its own description (no template, no prompts).
  /// What `server.env` and the dialect set, without secrets: see child_environment.h.
  std::map<std::string, std::string> environment;
  std::string width_hint;  ///< What to switch on where the server proved no width.
  std::string api_key;     ///< Random per launch; empty where the dialect has none.
};

}  // namespace bi_test::server
