#pragma once

#include <cstddef>
#include <string>

#include "bi_test/cell.h"
#include "bi_test/source_location.h"

namespace bi_test {

/// One cell of a sweep, with all that is needed to run it beside the sweep itself. A plain value.
struct SweepCell {
  Cell cell;
  std::string test_name;        ///< `[A-Za-z0-9_]+`, unique in the sweep, made from content.
  std::size_t model_index = 0;  ///< Into Sweep::models.
  SourceLocation location;
  friend bool operator==(const SweepCell&, const SweepCell&) = default;
};

}  // namespace bi_test
