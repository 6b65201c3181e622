#pragma once

#include <map>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "server/dialect.h"

namespace bi_test::server {

/// The environment of a server, as `NAME=value`: `inherited` without what the dialect scrubs, then
/// what the dialect sets, then `server.env` of the sweep file, then `mark`, which identifies our
/// descendants. Refused: names in `server.env` that are no names, or that the dialect does not
/// allow.
[[nodiscard]] Result<std::vector<std::string>> ChildEnvironment(
    const std::map<std::string, std::string>& inherited, const Dialect& dialect,
    const ServerConfig& server, const std::string& api_key, const std::string& mark);

/// `server.env` for records: with values where they shape what the server computes (names that the
/// dialect would have scrubbed) or are plain numbers; else, and for names that sound like a secret,
/// the SHA-256 of the value, which still shows a change.
[[nodiscard]] std::map<std::string, std::string> RecordedEnvironment(const Dialect& dialect,
                                                                     const ServerConfig& server);

}  // namespace bi_test::server
