#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "make_model/model_spec.h"

/// Number formats of GGUF tensors, in portable integer and IEEE single arithmetic only.
namespace bi_test::make_model {

/// IEEE half nearest to `value`, ties to even; overflow gives infinity, NaN stays NaN.
[[nodiscard]] std::uint16_t ToHalf(float value);

/// The value of an IEEE half. Exact.
[[nodiscard]] float FromHalf(std::uint16_t half);

/// Bytes that `count` values of a row take. REQUIRES: whole blocks for the quantised types.
[[nodiscard]] std::size_t RowBytes(TensorType type, std::size_t count);

/// Appends `row` to `out` in the given format, little-endian.
///
/// q8_0: blocks of 32, a half scale d and 32 signed bytes, value = d * q, d = max|x| / 127.
/// q4_0: blocks of 32, a half scale d and 16 bytes, byte i holding value i in its low and value i +
/// 16 in its high nibble, value = d * (q - 8), d = (x of largest magnitude) / -8. Quotients are
/// rounded half away from zero. REQUIRES: finite values, whole blocks.
void AppendRow(TensorType type, std::span<const float> row, std::string& out);

}  // namespace bi_test::make_model
