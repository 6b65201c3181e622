#include "spark/content_seed.h"

#include <charconv>

#include "base/sha256.h"

namespace bi_test::spark {

std::string FractionText(int value, int digits) {
  int one = 1;
  for (int i = 0; i < digits; ++i) one *= 10;
  std::string fraction = std::to_string(value % one);
  fraction.insert(0, static_cast<std::size_t>(digits) - fraction.size(), '0');
  return std::to_string(value / one) + '.' + fraction;
}

std::string SeedText(const ContentKey& key) {
  std::string text = "spark/" + std::to_string(kContentVersion) + '|' + key.model + '|';
  text += std::to_string(key.ctx) + '|' + key.family + '|';
  text += FractionText(key.position_millionths, 6) + '|';
  text += FractionText(key.fill_hundredths, 2) + '|';
  text += std::to_string(key.rep);
  return text;
}

std::uint64_t ContentSeed(const ContentKey& key) {
  const std::string digest = Sha256Hex(SeedText(key));
  std::uint64_t seed = 0;
  std::from_chars(digest.data(), digest.data() + 16, seed, 16);
  return seed;
}

}  // namespace bi_test::spark
