#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "http/http_multi.h"
#include "run/run_clock.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// A GET for one of the server's own pages, with its key.
[[nodiscard]] http::HttpRequest PageRequest(const server::ServerIdentity& identity,
                                            const std::string& path,
                                            std::chrono::milliseconds timeout);

/// A POST of a JSON body, with the server's key; the caller sets its time limit.
[[nodiscard]] http::HttpRequest JsonRequest(const server::ServerIdentity& identity,
                                            const std::string& path, std::string body);

/// The answer to a question to the server itself (tokenizer, chat template), at most 30 s; nothing
/// unless it is a whole 200.
[[nodiscard]] std::optional<std::string> AskServer(const server::ServerIdentity& identity,
                                                   const std::string& path, std::string body,
                                                   const RunClock& clock);

}  // namespace bi_test::run
