#pragma once

#include <cstddef>
#include <string>

#include "bi_test/result.h"

namespace bi_test::process {

/// `bytes` bytes of the kernel's randomness as lower-case hex.
[[nodiscard]] Result<std::string> RandomHex(std::size_t bytes);

}  // namespace bi_test::process
