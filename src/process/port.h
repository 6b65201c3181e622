#pragma once

#include <cstdint>
#include <vector>

#include "bi_test/result.h"

namespace bi_test::process {

/// A loopback port that was free a moment ago, chosen by the kernel and not among `reserved`.
/// Nothing keeps it: whoever uses it must check afterwards who listens there (socket_owner.h).
[[nodiscard]] Result<std::uint16_t> ChoosePort(const std::vector<int>& reserved);

}  // namespace bi_test::process
