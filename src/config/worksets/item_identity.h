#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bi_test {

/// Place of a row on the identity ladder of its work-set: (row + 1) / (rows + 1), rounded to six
/// decimals. It keeps two rows of one family and fill apart and says nothing about the prompt.
/// REQUIRES: row < rows.
[[nodiscard]] double RowPosition(std::size_t row, std::size_t rows);

/// Key of one item in every arm: `{model}|{ctx}|{family}|{position}|{rep}|fill{fill}`, position
/// with six and fill with two decimals, rounded as printf does. N is no part of it: the arms share
/// their keys.
[[nodiscard]] std::string TestId(std::string_view model, int ctx, std::string_view family,
                                 double position, int rep, double fill);

/// The seed of one item: BLAKE2b with an 8-byte digest of
/// `{model}|{ctx}|{family}|{position}|{rep}`, read as a big-endian number, top bit cleared. The
/// fill does not enter.
[[nodiscard]] std::uint64_t ItemSeed(std::string_view model, int ctx, std::string_view family,
                                     double position, int rep);

}  // namespace bi_test
