#pragma once

#include <string>
#include <vector>

#include "bi_test/judgement.h"
#include "report/cell_detail.h"

namespace bi_test::report {

// Plots as inline SVG: classes instead of colours (the page styles them for light and dark), a text
// alternative in every one, no script. Each stands for at most `kMaxMarks` values.

inline constexpr std::size_t kMaxMarks = 64;

/// Bars of the mean width and ticks of the peak of each pass, with lines at N and 0.75 N. Empty
/// without passes.
[[nodiscard]] std::string WidthPlot(const std::vector<PassReport>& passes, int n);

/// One bar per id, largest log-probability difference first; bars of ids whose output differs are
/// marked. Empty when nothing was measured.
[[nodiscard]] std::string DriftPlot(const std::vector<IdDrift>& drift);

/// One dot per located divergence at the lead the serial arm's best token had there, with a line at
/// 0.25 nats. Empty when no margin is known.
[[nodiscard]] std::string MarginPlot(const std::vector<Divergence>& divergences);

}  // namespace bi_test::report
