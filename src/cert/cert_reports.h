#pragma once

#include <optional>
#include <string>

#include "bi_test/judgement.h"
#include "cert/cert_limits.h"
#include "cert/throughput.h"

namespace bi_test {

// The larger parts of a cert as JSON. `path` names the part in the list of what was left out.

[[nodiscard]] Json ReportJson(const std::string& path, const PairReport& report,
                              CertTrimmer& trimmer);
[[nodiscard]] Json PassJson(const PassReport& pass);
[[nodiscard]] Json CoverageJson(const Judgement& judgement, CertTrimmer& trimmer);
[[nodiscard]] Json FloorJson(const CompletionFloor& floor);
[[nodiscard]] Json DivergenceJson(const Divergence& divergence, CertTrimmer& trimmer);
[[nodiscard]] Json StatisticsJson(const SampleStatistics& statistics);
[[nodiscard]] Json SensitivityJson(const Judgement& judgement);

/// A value or null.
template <typename T>
[[nodiscard]] Json OptionalJson(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// width -> count.
[[nodiscard]] Json WidthJson(const std::map<int, std::int64_t>& by_width);

/// Rates and the passes behind them; only the first `limits().list` passes are told.
[[nodiscard]] Json ThroughputJson(const Throughput& throughput, CertTrimmer& trimmer);

}  // namespace bi_test
