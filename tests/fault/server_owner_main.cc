// Owns a server until it is killed: the victim of server_owner_test. Arguments: server program,
// model file, then NAME=value pairs for the server's environment. Prints `ready PID` and waits.

#include <unistd.h>

#include <cstdio>
#include <string>

#include "server/owned_server.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  bi_test::ServerConfig server;
  server.binary = argv[1];
  for (int i = 3; i < argc; ++i) {
    const std::string pair = argv[i];
    const std::size_t equals = pair.find('=');
    server.env[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  bi_test::ModelConfig model;
  model.id = "victim";
  model.path = argv[2];
  bi_test::GuardConfig guard;
  guard.memory_floor_gib = 0;
  guard.allow_unknown_memory = true;
  auto launched = bi_test::server::OwnedServer::Launch({.server = &server,
                                                        .model = &model,
                                                        .guard = &guard,
                                                        .ctx = 256,
                                                        .slots = 1,
                                                        .log_file = {},
                                                        .role = "A"});
  if (!launched.ok()) {
    std::printf("failed %s\n", launched.error().Text().c_str());
    return 1;
  }
  std::printf("ready %d\n", (*launched)->identity().pid);
  std::fflush(stdout);
  while (true) ::pause();
}
