#pragma once

#include <memory>
#include <string>

#include "bi_test/scorer.h"

namespace bi_test {

/// `exact`: 1 if completion and expected answer are equal after trimming white space at both ends,
/// and the completion is not blank; the answer is the whole completion. An expected answer that is
/// not text is compared as compact JSON with sorted keys, null as empty.
[[nodiscard]] std::unique_ptr<const Scorer> MakeExactScorer();

/// `needle`: 1 if the trimmed expected text occurs in the completion, ASCII letters of any case; an
/// empty one always does. The answer is the whole completion, so whatever surrounds the needle
/// still counts when arms are compared.
[[nodiscard]] std::unique_ptr<const Scorer> MakeNeedleScorer();

/// An expected answer as text: a string as it is, null as empty, all else as compact JSON.
[[nodiscard]] std::string ExpectedText(const Json& expected_answer);

}  // namespace bi_test
