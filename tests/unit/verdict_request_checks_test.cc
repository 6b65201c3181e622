// What the trials say about the experiment itself: bodies, prompts, caches, failures.
#include "verdict/request_checks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

[[nodiscard]] RequestChecks Look(const Record& record) { return CheckRequests(BuildIndex(record)); }

TEST(RequestChecksTest, ACleanRecordShowsNothing) {
  const RequestChecks checks = Look(CleanRecord());
  EXPECT_THAT(checks.request_mismatch, IsEmpty());
  EXPECT_THAT(checks.prompt_truncated, IsEmpty());
  EXPECT_THAT(checks.cached_prompt, IsEmpty());
  EXPECT_EQ(checks.truncation, "");
  EXPECT_EQ(checks.first_cause, "");
  EXPECT_THAT(checks.status_counts, ElementsAre(Pair("ok", 40)));
}

TEST(RequestChecksTest, PromptCountsAreComparedWithTheFirstThatAnswered) {
  struct Case {
    const char* name;
    std::function<void(Record&)> change;
    const char* text;
  };
  const auto set = [](Arm arm, int pass, std::optional<std::int64_t> tokens) {
    return [=](Record& r) { At(r, arm, pass, "w01").prompt_tokens = tokens; };
  };
  const auto fail = [](Record& r) {
    Trial& trial = At(r, Arm::kC, 0, "w01");
    trial.prompt_tokens = 3;
    trial.failure_mode = "http_timeout";
  };
  const Case cases[] = {
      {"fewer in one pass", set(Arm::kC, 1, 20),
       R"(prompt truncated in C: test_id "w01" has 21 prompt tokens in A, 20 in C)"},
      {"more in the repeat", set(Arm::kA, 1, 22),
       R"(prompt token count differs in A2: test_id "w01" has 21 prompt tokens in A, 22 in A2)"},
      {"arm A did not count", set(Arm::kA, 0, std::nullopt), ""},
      {"nobody but arm B counts otherwise",
       [](Record& r) {
         for (Trial& t : r.trials) {
           if (t.test_id == "w01" && t.arm != Arm::kB) t.prompt_tokens.reset();
         }
       },
       ""},
      {"a failed request counted what it had", fail, ""},
      {"both passes of C are named once",
       [](Record& r) {
         for (const int pass : {0, 1}) At(r, Arm::kC, pass, "w01").prompt_tokens = 20;
       },
       R"(prompt truncated in C: test_id "w01" has 21 prompt tokens in A, 20 in C)"},
      {"the first id is told",
       [](Record& r) {
         for (const char* id : {"w03", "w01"}) At(r, Arm::kB, 0, id).prompt_tokens = 1;
       },
       R"(prompt truncated in B: test_id "w01" has 21 prompt tokens in A, 1 in B)"},
  };
  for (const Case& one : cases) {
    Record record = CleanRecord();
    one.change(record);
    const RequestChecks checks = Look(record);
    EXPECT_EQ(checks.truncation, one.text) << one.name;
    EXPECT_EQ(checks.prompt_truncated.empty(), checks.truncation.empty()) << one.name;
  }
}

TEST(RequestChecksTest, LabelsOfAnyTypeAreCountedAndManyAreFolded) {
  Record record = CleanRecord({70, 4, 1});
  for (int i = 0; i < 70; ++i) {
    record.trials[static_cast<std::size_t>(i)].failure_mode =
        std::string("label ").append(std::to_string(100 + i));
  }
  RequestChecks checks = Look(record);
  EXPECT_THAT(checks.status_counts, SizeIs(65));
  EXPECT_EQ(checks.status_counts.at("(other)"), 70 - 64 + 3 * 70);

  record = CleanRecord();
  At(record, Arm::kC, 0, "w00").failure_mode = 5;
  At(record, Arm::kC, 0, "w01").failure_mode = Json();
  At(record, Arm::kC, 0, "w02").malformed_row = Json();
  At(record, Arm::kC, 0, "w03").malformed_row = Json("x");
  checks = Look(record);
  EXPECT_THAT(checks.status_counts,
              ElementsAre(Pair("5", 1), Pair("<row>", 2), Pair("null", 1), Pair("ok", 36)));
}

TEST(RequestChecksTest, TheFirstCauseIsTheEarliestFailure) {
  struct Failed {
    Arm arm;
    int pass;
    const char* id;
    std::optional<double> sent, done;
  };
  struct Case {
    const char* name;
    std::vector<Failed> failures;
    const char* cause;
  };
  const double nan = std::nan("");
  const Case cases[] = {
      {"by completion",
       {{Arm::kC, 0, "w00", 1, 9}, {Arm::kC, 1, "w05", 2, 8}},
       "arm C pass 1 test_id \"w05\": http_timeout"},
      {"by dispatch when it never completed",
       {{Arm::kC, 0, "w00", 1, 9}, {Arm::kB, 0, "w05", 3, std::nullopt}},
       "arm B test_id \"w05\": http_timeout"},
      {"by dispatch when the completion is no number",
       {{Arm::kC, 0, "w00", 1, 9}, {Arm::kA, 1, "w05", 3, nan}},
       "arm A2 test_id \"w05\": http_timeout"},
      {"what was never sent comes last",
       {{Arm::kA, 0, "w00", {}, {}}, {Arm::kC, 1, "w05", 3, 4}},
       "arm C pass 1 test_id \"w05\": http_timeout"},
      {"of what was never sent, arm B2 comes after C",
       {{Arm::kB, 1, "w00", {}, {}}, {Arm::kC, 1, "w05", {}, {}}},
       "arm C pass 1 test_id \"w05\": http_timeout"},
      {"at one time by arm, pass and id",
       {{Arm::kC, 1, "w00", 1, 9}, {Arm::kC, 0, "w02", 1, 9}, {Arm::kC, 0, "w01", 1, 9}},
       "arm C pass 0 test_id \"w01\": http_timeout"},
  };
  for (const Case& one : cases) {
    Record record = CleanRecord();
    Trial b2 = At(record, Arm::kB, 0, "w00");
    b2.pass = 1;
    record.trials.push_back(b2);
    for (const Failed& failed : one.failures) {
      Trial& trial = At(record, failed.arm, failed.pass, failed.id);
      trial.failure_mode = "http_timeout";
      trial.dispatch_ts = failed.sent;
      trial.complete_ts = failed.done;
    }
    EXPECT_EQ(Look(record).first_cause, one.cause) << one.name;
  }
}

TEST(RequestChecksTest, OneOtherBodyOrOneCachedTokenIsEnough) {
  Record record = CleanRecord();
  At(record, Arm::kA, 1, "w02").request_sha256 = "other";
  At(record, Arm::kB, 0, "w03").request_sha256 = nullptr;
  At(record, Arm::kC, 1, "w05").cached_tokens = 1;
  At(record, Arm::kC, 1, "w06").cached_tokens.reset();
  At(record, Arm::kC, 1, "w07").cached_tokens = -1;
  const RequestChecks checks = Look(record);
  EXPECT_THAT(checks.request_mismatch, ElementsAre(2U));
  EXPECT_THAT(checks.cached_prompt, ElementsAre(5U, 7U));
}

}  // namespace
}  // namespace bi_test
