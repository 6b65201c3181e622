#include "config/worksets/item_identity.h"

#include <array>
#include <charconv>

#include "base/blake2b.h"
#include "base/number_text.h"

namespace bi_test {
namespace {

std::string Fixed(double value, int decimals) {
  return FixedText(value + 0.0, decimals);  // -0.0 is 0.0
}

std::string SeedKey(std::string_view model, int ctx, std::string_view family, double position,
                    int rep) {
  std::string key(model);
  key.append("|").append(std::to_string(ctx)).append("|").append(family);
  key.append("|").append(Fixed(position, 6)).append("|").append(std::to_string(rep));
  return key;
}

}  // namespace

double RowPosition(std::size_t row, std::size_t rows) {
  const std::string text = Fixed(static_cast<double>(row + 1) / static_cast<double>(rows + 1), 6);
  double rounded = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

std::string TestId(std::string_view model, int ctx, std::string_view family, double position,
                   int rep, double fill) {
  return SeedKey(model, ctx, family, position, rep) + "|fill" + Fixed(fill, 2);
}

std::uint64_t ItemSeed(std::string_view model, int ctx, std::string_view family, double position,
                       int rep) {
  std::array<std::uint8_t, 8> digest{};
  Blake2b(SeedKey(model, ctx, family, position, rep), digest);
  std::uint64_t seed = 0;
  for (const std::uint8_t byte : digest) seed = seed << 8 | byte;
  return seed & ~(std::uint64_t{1} << 63);
}

}  // namespace bi_test
