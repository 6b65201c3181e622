#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bi_test::files {

/// A file whose size is not known beforehand, such as one below /proc; nothing when it cannot be
/// read or is larger than `max_bytes`.
[[nodiscard]] std::optional<std::string> ReadPseudoFile(const std::string& file,
                                                        std::size_t max_bytes);

}  // namespace bi_test::files
