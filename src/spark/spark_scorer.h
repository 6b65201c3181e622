#pragma once

#include <memory>

#include "bi_test/scorer.h"
#include "scorers/scorer_registry.h"

namespace bi_test::spark {

/// `spark`: the rule of the item's family; items of other families are scored as `exact` does.
[[nodiscard]] std::unique_ptr<const Scorer> MakeSparkScorer();

/// What a sweep may name: the scorers of this process, and `spark` unless the program has one of
/// its own under that name.
[[nodiscard]] ScorerRegistry SweepScorers();

}  // namespace bi_test::spark
