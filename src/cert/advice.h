#pragma once

#include <string>

#include "cert/cell_facts.h"

namespace bi_test {

/// What a person should do about this cell, one or two sentences: what the deciding reason code
/// advises, unless the facts say better.
[[nodiscard]] std::string Advice(const CellFacts& facts);

/// About a cert that may not be believed.
[[nodiscard]] std::string AdviceOnDamage();

}  // namespace bi_test
