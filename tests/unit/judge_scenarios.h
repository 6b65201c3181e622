#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/judge.h"
#include "support/records.h"

/// Whole records with one thing changed, and the judgement each must get.
namespace bi_test::testing {

struct Scenario {
  const char* name;
  RecordShape shape;
  std::function<void(Record&, Policy&)> change;
  Verdict verdict;
  std::optional<std::string> divergence_class, anomaly;
  std::vector<std::string> codes;
};

/// Judges each scenario; checks verdict, class, anomaly, all reason codes, and that exactly a RED
/// has a mismatch text.
void CheckAll(const std::vector<Scenario>& scenarios);

/// Lets all requests of a pass run side by side.
void Together(Record& record);

/// A failure label, and the score of a failure, for one id in every arm.
void SetLabel(Record& record, std::string_view id, const char* label);

/// Another output with the same scored fields.
void DriftTokens(Trial& trial);

void RemoveArm(Record& record, Arm arm);

inline constexpr RecordShape kEight{8, 4, 2};
inline constexpr RecordShape kFive{5, 4, 2};

}  // namespace bi_test::testing
