#pragma once

#include <map>
#include <string>

namespace bi_test::process {

/// The environment of this process.
[[nodiscard]] std::map<std::string, std::string> Environment();

}  // namespace bi_test::process
