#include "verdict/buckets.h"

#include <cmath>

#include "base/number_text.h"

namespace bi_test {

std::string FamilyText(const Json& family) {
  if (family.is_null()) return "unknown";
  const std::string* text = family.if_string();
  return text != nullptr ? *text : CompactText(family);
}

std::string FillText(const Json& fill) {
  if (const double* real = fill.if_double()) {
    return std::isfinite(*real) ? FixedText(*real, 2) : "unknown";
  }
  return fill.is_integer() ? CompactText(fill) + ".00" : "unknown";
}

}  // namespace bi_test
