#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/sweep_result.h"

namespace bi_test::report {

/// One fact about a cell; `number` tells CTest how to show it.
struct CellProperty {
  std::string name;  ///< `bi_` and a word; never one of GoogleTest's reserved keys.
  std::string value;
  bool number = false;
  friend bool operator==(const CellProperty&, const CellProperty&) = default;
};

/// The facts of a cell in a fixed order, for RecordProperty, JUnit and CTest alike. Names are
/// unique, values cleaned and one line each; what was not measured is left out.
[[nodiscard]] std::vector<CellProperty> CellProperties(const CellResult& cell);

}  // namespace bi_test::report
