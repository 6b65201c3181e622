// The verdict table: full enumeration, then the additions to it.
#include "verdict/verdict_rows.h"

#include <gmock/gmock.h>

#include <array>
#include <functional>

namespace bi_test {
namespace {

using ::testing::ElementsAreArray;

using Text = std::optional<std::string>;

/// Everything in order: the inputs of row 5.
[[nodiscard]] VerdictInputs Clean() {
  VerdictInputs in;
  in.ac_divergent = 0;
  in.ab_divergent = 0;
  in.bc_divergent = 0;
  in.ac_compared = 5;
  in.overlap_ok = true;
  in.floor_ok = true;
  in.coverage_ok = true;
  return in;
}

/// The eleven facts that the enumeration runs through.
enum Fact {
  kSelfBad,
  kAcDirty,
  kAbDirty,
  kOverlapBad,
  kFloorBad,
  kCoverageBad,
  kTokens,
  kDriftOnToken,
  kDriftElsewhere,
  kControlTokens,
  kSerialTokens,
  kFacts
};
using Facts = std::array<bool, kFacts>;

[[nodiscard]] VerdictInputs InputsOf(const Facts& facts) {
  VerdictInputs in = Clean();
  in.self_identity_failed = facts[kSelfBad];
  in.ac_divergent = facts[kAcDirty] ? 2 : 0;
  in.ab_divergent = facts[kAbDirty] ? 1 : 0;
  in.overlap_ok = !facts[kOverlapBad];
  in.floor_ok = !facts[kFloorBad];
  in.coverage_ok = !facts[kCoverageBad];
  in.ac_token_only = facts[kTokens] ? 1 : 0;
  in.token_only_drifted = facts[kTokens] && facts[kDriftOnToken];
  in.identical_drifted = facts[kDriftElsewhere];
  in.control_token_drift = facts[kControlTokens];
  in.serial_token_drift = facts[kSerialTokens];
  return in;
}

/// A line of table 9.3. In `pattern`, one character per fact: 1 and 0 as they are, `.` for any.
struct TableRow {
  const char* name;
  const char* pattern;
  Verdict verdict;
  Text divergence_class, anomaly;
};

//                         self ac ab overlap floor coverage tokens drift-on-them elsewhere B serial
const TableRow kTable[] = {
    {"1", "1..........", Verdict::kRed, "harness_nondeterminism", "self_identity_failed"},
    {"2, 4", "010........", Verdict::kRed, "co_batching", {}},
    {"3", "011........", Verdict::kRed, "slot_allocation(+co_batching)", {}},
    {"5, 6", "00.1.......", Verdict::kUnverified, {}, {}},
    {"7, 8", "00.01......", Verdict::kUnverified, {}, {}},
    {"9, 10", "00.001.....", Verdict::kUnverified, {}, {}},
    {"11, 12", "001000.....", Verdict::kAmber, {}, "AC_agree_B_disagrees"},
    {"13, 15", "00000010...", Verdict::kAmber, {}, {}},
    {"14", "00000011...", Verdict::kAmber, {}, "token_and_logit_drift"},
    {"16", "0000000.1..", Verdict::kAmber, {}, "logit_drift_only"},
    {"17", "0000000.01.", Verdict::kAmber, {}, "control_token_drift"},
    {"18", "0000000.001", Verdict::kAmber, {}, "serial_token_drift"},
    {"19", "0000000.000", Verdict::kGreen, {}, {}},
};

[[nodiscard]] bool Matches(const char* pattern, const Facts& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (pattern[i] != '.' && (pattern[i] == '1') != facts[i]) return false;
  }
  return true;
}

TEST(VerdictRowsTest, EveryCombinationGivesTheRowOfTheTable) {
  for (unsigned bits = 0; bits < (1U << kFacts); ++bits) {
    Facts facts{};
    for (std::size_t i = 0; i < facts.size(); ++i) facts[i] = ((bits >> i) & 1U) != 0;
    const VerdictRow row = DecideVerdict(InputsOf(facts));
    int n_matches = 0;
    for (const TableRow& expected : kTable) {
      if (!Matches(expected.pattern, facts)) continue;
      ++n_matches;
      ASSERT_EQ(row.verdict, expected.verdict) << "row " << expected.name << ", bits " << bits;
      ASSERT_EQ(row.divergence_class, expected.divergence_class) << "row " << expected.name;
      ASSERT_EQ(row.anomaly, expected.anomaly) << "row " << expected.name << ", bits " << bits;
      ASSERT_FALSE(row.transport_only);
    }
    ASSERT_EQ(n_matches, 1) << "bits " << bits;
  }
}

struct CodeCase {
  const char* name;
  std::function<void(VerdictInputs&)> change;
  Verdict verdict;
  Text divergence_class, anomaly;
  std::vector<std::string> codes;
};

TEST(VerdictRowsTest, EachFactHasItsCode) {
  const auto red = Verdict::kRed;
  const auto amber = Verdict::kAmber;
  const auto open = Verdict::kUnverified;
  const CodeCase cases[] = {
      {"clean", [](VerdictInputs&) {}, Verdict::kGreen, {}, {}, {"CLEAN"}},
      {"request bodies differ",
       [](VerdictInputs& in) { in.request_mismatch = true; },
       red,
       "request_mismatch",
       "request_mismatch",
       {"REQUEST_MISMATCH"}},
      {"row 0",
       [](VerdictInputs& in) { in.self_identity_failed = true; },
       red,
       "harness_nondeterminism",
       "self_identity_failed",
       {"SELF_IDENTITY"}},
      {"row 0 by faults alone",
       [](VerdictInputs& in) { in.self_identity_failed = in.control_faults_only = true; },
       red,
       "infrastructure",
       "self_identity_failed",
       {"SELF_IDENTITY", "INFRASTRUCTURE"}},
      {"faulty repeat beside a real divergence",
       [](VerdictInputs& in) {
         in.self_identity_failed = in.control_faults_only = true;
         in.ac_divergent = 1;
       },
       red,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"restart",
       [](VerdictInputs& in) { in.restart_failed = true; },
       red,
       "harness_nondeterminism",
       "restart_unstable",
       {"RESTART_UNSTABLE"}},
      {"row 1a",
       [](VerdictInputs& in) {
         in.ac_divergent = 1;
         in.arm_missing = true;
       },
       red,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"row 1b",
       [](VerdictInputs& in) { in.ac_divergent = 1; },
       red,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"a failed arm B blames no slots",
       [](VerdictInputs& in) {
         in.ac_divergent = in.ab_divergent = 1;
         in.b_faults_only = in.control_fault = true;
       },
       red,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"a failed arm B",
       [](VerdictInputs& in) {
         in.ab_divergent = 1;
         in.b_faults_only = in.control_fault = true;
       },
       open,
       "infrastructure",
       "control_arm_failed",
       {"CONTROL_FAULT"}},
      {"row 1c without arm B",
       [](VerdictInputs& in) {
         in.ac_divergent = 1;
         in.ab_divergent.reset();
       },
       red,
       "slot_allocation(+co_batching)",
       {},
       {"AC_AB_DIVERGED"}},
      {"faults only",
       [](VerdictInputs& in) {
         in.ac_divergent = 1;
         in.faults_only = true;
       },
       red,
       "infrastructure",
       {},
       {"AC_DIVERGED", "INFRASTRUCTURE"}},
      {"leak",
       [](VerdictInputs& in) {
         in.ac_divergent = 1;
         in.leak = true;
       },
       red,
       "leak",
       {},
       {"AC_DIVERGED", "LEAK"}},
      {"cut prompts explain all",
       [](VerdictInputs& in) {
         in.ac_divergent = 1;
         in.prompt_truncated = in.truncated_only = true;
       },
       open,
       "infrastructure",
       "prompt_truncated",
       {"PROMPT_TRUNCATED"}},
      {"cut prompts explain some",
       [](VerdictInputs& in) {
         in.ac_divergent = 2;
         in.prompt_truncated = true;
       },
       red,
       "co_batching",
       {},
       {"AC_DIVERGED", "PROMPT_TRUNCATED"}},
      {"row 1d, missing report",
       [](VerdictInputs& in) { in.bc_divergent.reset(); },
       open,
       {},
       {},
       {"INVALID_INPUT"}},
      {"125", [](VerdictInputs& in) { in.ac_divergent = -1; }, open, {}, {}, {"INVALID_INPUT"}},
      {"20, nothing compared",
       [](VerdictInputs& in) { in.ac_compared = 0; },
       open,
       {},
       {},
       {"INVALID_INPUT"}},
      {"no repeat",
       [](VerdictInputs& in) { in.self_identity_missing = true; },
       open,
       {},
       {},
       {"INVALID_INPUT", "A2_MISSING"}},
      {"broken off",
       [](VerdictInputs& in) { in.trace_incomplete = true; },
       open,
       {},
       {},
       {"TRACE_INCOMPLETE"}},
      {"cache",
       [](VerdictInputs& in) { in.cached_prompt = true; },
       open,
       {},
       {},
       {"CACHED_PROMPT"}},
      {"row 2 to 2c all at once",
       [](VerdictInputs& in) {
         in.overlap_ok = in.floor_ok = in.coverage_ok = in.width_ok = false;
       },
       open,
       {},
       {},
       {"NO_OVERLAP", "FLOOR", "COVERAGE", "WIDTH"}},
      {"width alone",
       [](VerdictInputs& in) { in.width_ok = false; },
       open,
       {},
       {},
       {"COVERAGE", "WIDTH"}},
      {"control",
       [](VerdictInputs& in) { in.positive_control_failed = true; },
       open,
       {},
       {},
       {"POSITIVE_CONTROL"}},
      {"B2",
       [](VerdictInputs& in) { in.b2_disagrees = true; },
       amber,
       {},
       "state_left_behind",
       {"B2_DISAGREES"}},
      {"framing",
       [](VerdictInputs& in) {
         in.ac_token_only = 1;
         in.framing_only = true;
       },
       amber,
       {},
       "framing_differs",
       {"FRAMING"}},
      {"finish reason",
       [](VerdictInputs& in) {
         in.ac_token_only = 1;
         in.finish_reason_only = true;
       },
       amber,
       {},
       "finish_reason_differs",
       {"FINISH_REASON"}},
      {"uncertified",
       [](VerdictInputs& in) { in.uncertified_ids = true; },
       amber,
       {},
       "uncertified_ids",
       {"UNCERTIFIED_IDS"}},
      {"few prompts",
       [](VerdictInputs& in) { in.few_prompts = true; },
       open,
       {},
       {},
       {"FEW_PROMPTS"}},
      {"few prompts do not hide a caveat",
       [](VerdictInputs& in) { in.few_prompts = in.uncertified_ids = true; },
       amber,
       {},
       "uncertified_ids",
       {"UNCERTIFIED_IDS"}},
      {"all caveats of one run",
       [](VerdictInputs& in) {
         in.ab_divergent = 1;
         in.ac_token_only = 2;
         in.serial_token_drift = true;
       },
       amber,
       {},
       "AC_agree_B_disagrees",
       {"B_DISAGREES", "TOKEN_ONLY", "SERIAL_TOKEN"}},
  };
  for (const CodeCase& one : cases) {
    VerdictInputs in = Clean();
    one.change(in);
    const VerdictRow row = DecideVerdict(in);
    EXPECT_EQ(row.verdict, one.verdict) << one.name;
    EXPECT_EQ(row.divergence_class, one.divergence_class) << one.name;
    EXPECT_EQ(row.anomaly, one.anomaly) << one.name;
    EXPECT_THAT(row.reason_codes, ElementsAreArray(one.codes)) << one.name;
    const bool infrastructure =
        row.divergence_class == "infrastructure" && row.verdict == Verdict::kRed;
    EXPECT_EQ(row.transport_only, infrastructure) << one.name;
  }
}

}  // namespace
}  // namespace bi_test
