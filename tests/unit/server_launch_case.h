#pragma once

#include "server/owned_server.h"

namespace bi_test::server {

/// A launch of 4 slots of 1000 tokens of a model folder, for tests that start nothing.
struct LaunchCase {
  explicit LaunchCase(const char* kind) {
    server.kind = kind;
    server.binary = "/opt/server";
    model.id = "m";
    model.path = "/models/m";
    model.kv = "auto";
  }
  ServerConfig server;
  ModelConfig model;
  GuardConfig guard;
  [[nodiscard]] LaunchSpec Spec() const {
    return {.server = &server,
            .model = &model,
            .guard = &guard,
            .ctx = 1000,
            .slots = 4,
            .log_file = {},
            .role = "N"};
  }
};

}  // namespace bi_test::server
