#pragma once

#include <map>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "server/launch_spec.h"

namespace bi_test::server {

/// The flags of a server whose flags are not known: a template with placeholders such as `{port}`.
/// `values` has every placeholder by name. Refused: a template without `{port}`, `{model}`,
/// `{parallel}` or a context (`{ctx}` or `{total_ctx}`), an unknown placeholder, a flag given a
/// second time after its value came from a placeholder, and an address that is not loopback.
[[nodiscard]] Result<std::vector<std::string>> FillFlagTemplate(
    const LaunchSpec& spec, const std::map<std::string, std::string, std::less<>>& values);

}  // namespace bi_test::server
