#pragma once

namespace bi_test::testing_support {

/// Whether this program is built with AddressSanitizer, which reserves terabytes of addresses,
/// keeps what was freed for a while, and makes everything several times slower.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace bi_test::testing_support
