#pragma once

#include "bi_test/cell_run.h"
#include "cert/cell_facts.h"

namespace bi_test {

/// What a run knows of itself: what ReadCert() gives of its cert.
[[nodiscard]] CellFacts FactsOf(const CellRun& run);

/// Of a judgement alone: no files, no set-up.
[[nodiscard]] CellFacts FactsOf(const Judgement& judgement);

}  // namespace bi_test
