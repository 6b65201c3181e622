#pragma once

#include <string>
#include <vector>

#include "bi_test/result.h"
#include "server/owned_server.h"

namespace bi_test::server {

/// The user's flags of one launch of llama-server: those of the server, then those of the model.
/// Refused are flags that bi_test sets itself (in short, long, underscored and `=` forms), flags
/// that would load another model or change who answers where, cache types that contradict the KV
/// label, and batch sizes that cannot hold one token of each slot.
[[nodiscard]] Result<std::vector<std::string>> CheckedUserFlags(const LaunchSpec& spec);

}  // namespace bi_test::server
