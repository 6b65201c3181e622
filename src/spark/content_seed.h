#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bi_test::spark {

/// Raised with any change of texts, pools or the order of draws: the same seed then gives another
/// text.
inline constexpr int kContentVersion = 1;

/// What one prompt is made from.
struct ContentKey {
  std::string model;
  int ctx = 0;
  std::string family;
  int position_millionths = 500'000;
  int fill_hundredths = 0;
  int rep = 0;
};

/// `spark/1|{model}|{ctx}|{family}|{position}|{fill}|{rep}`.
[[nodiscard]] std::string SeedText(const ContentKey& key);

/// The first eight bytes of its SHA-256.
[[nodiscard]] std::uint64_t ContentSeed(const ContentKey& key);

/// `0.500000` for 500'000 of 6 digits; `0.35` for 35 of 2. Integers, because printed doubles may
/// differ.
[[nodiscard]] std::string FractionText(int value, int digits);

}  // namespace bi_test::spark
