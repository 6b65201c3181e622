#pragma once

#include <memory>

#include "bi_test/result.h"
#include "bi_test/scorer.h"

namespace bi_test::spark {

/// `spark`: the rule of the item's family; items of other families are scored as `exact` does.
[[nodiscard]] std::unique_ptr<const Scorer> MakeSparkScorer();

/// Makes the scorer known by its name, once; later calls do nothing. The scorer registry has no
/// lock, so this happens where sweep files are read.
void RegisterSparkScorer();

}  // namespace bi_test::spark
