#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/judgement.h"

namespace bi_test {

/// Why a verdict is what it is. In order of priority: of the codes of one judgement the first in
/// this order decided, and what it advises is what should be done.
enum class ReasonCode : std::uint8_t {
  kInfrastructure,
  kRequestMismatch,
  kSelfIdentity,
  kRestartUnstable,
  kArmMissing,
  kLeak,
  kAcAbDiverged,
  kAcDiverged,
  kPromptTruncated,
  kA2Missing,
  kInvalidInput,
  kTraceIncomplete,
  kCachedPrompt,
  kControlFault,
  kNoOverlap,
  kFloor,
  kWidth,
  kCoverage,
  kPositiveControl,
  kBDisagrees,
  kB2Disagrees,
  kTokenAndLogit,
  kFraming,
  kFinishReason,
  kTokenOnly,
  kLogitOnly,
  kControlToken,
  kSerialToken,
  kUncertifiedIds,
  kFewPrompts,
  kClean,
};

/// All there is to say about a code; every view takes its words from here.
struct Reason {
  ReasonCode code;
  std::string_view name;     ///< As it stands on a cert: `AC_DIVERGED`.
  std::string_view meaning;  ///< A clause.
  std::string_view advice;   ///< What to do next, one or two sentences.
};

/// Every code, by priority.
[[nodiscard]] std::span<const Reason> Reasons();

[[nodiscard]] const Reason& ReasonOf(ReasonCode code);

/// Null for a name that this version does not know.
[[nodiscard]] const Reason* FindReason(std::string_view name);

/// `meaning` of the code of that name, or that it is unknown.
[[nodiscard]] std::string_view MeaningOf(std::string_view name);

/// The code that decided, null when there is none that this version knows.
[[nodiscard]] const Reason* DecidingReason(const Judgement& judgement);

[[nodiscard]] bool HasCode(const Judgement& judgement, ReasonCode code);

}  // namespace bi_test
