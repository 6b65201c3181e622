#pragma once

#include <cstdint>
#include <iosfwd>

namespace bi_test {

/// The four answers. Only kGreen can be promoted.
enum class Verdict : std::uint8_t {
  kGreen,       ///< No difference was seen, and the evidence suffices.
  kRed,         ///< A compared field differed.
  kAmber,       ///< Scored fields agree, something else differs; a person has to look.
  kUnverified,  ///< The evidence does not suffice to say anything.
};

/// GREEN, RED, AMBER, UNVERIFIED: for people.
[[nodiscard]] const char* VerdictName(Verdict verdict);

/// green, failed, green_with_caveat, green_unverified: the `status` of a cert.
[[nodiscard]] const char* VerdictStatus(Verdict verdict);

/// As VerdictName.
std::ostream& operator<<(std::ostream& out, Verdict verdict);

}  // namespace bi_test
