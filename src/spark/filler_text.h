#pragma once

#include <string>

#include "spark/family.h"
#include "spark/random.h"

namespace bi_test::spark {

/// One sentence of prose or news, or one function at the left margin, drawn from word lists. Made
/// so that a cut after any line of a function but the first leaves a whole function.
[[nodiscard]] std::string DrawFillerUnit(FillerSource source, Random& random);

/// SHA-256 over all word lists and sentence frames: what the built-in filler is made of.
[[nodiscard]] std::string BuiltInFillerDigest();

}  // namespace bi_test::spark
