#pragma once

#include <memory>

#include "bi_test/scorer.h"

namespace bi_test::spark {

/// `spark`: the rule of the item's family; items of other families are scored as `exact` does.
[[nodiscard]] std::unique_ptr<const Scorer> MakeSparkScorer();

}  // namespace bi_test::spark
