#pragma once

#include <cstddef>
#include <string_view>

#include "spark/python_lexer.h"

namespace bi_test::spark {

/// Reads the number that begins at `at` (a digit, or `.` before a digit) and moves `at` behind it.
/// Equal values have equal text: `0x7` and `7`, `1_000.0` and `1e3`. False for what Python refuses
/// or the subset lacks.
[[nodiscard]] bool ReadPythonNumber(std::string_view source, std::size_t& at, PythonToken& token);

/// Whether a string literal, prefix included, begins at `at`.
[[nodiscard]] bool BeginsPythonString(std::string_view source, std::size_t at);

/// Reads that literal and moves `at` behind it. False when it does not end, holds an escape that is
/// wrong, or has a prefix outside the subset.
[[nodiscard]] bool ReadPythonString(std::string_view source, std::size_t& at, PythonToken& token);

}  // namespace bi_test::spark
