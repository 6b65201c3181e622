#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/trial_outcome.h"

namespace bi_test::run {
namespace {

struct StatusCase {
  const char* name;
  int status;
  const char* body;
  const char* label;
};

TEST(TrialOutcome, StatusAndBodyGiveTheLabel) {
  const StatusCase cases[] = {
      {"a plain client error", 400, "bad", "http_4xx"},
      {"too many requests", 429, "slow down", "http_4xx"},
      {"a plain server error", 500, "oops", "http_5xx"},
      {"an overloaded server", 503, "server busy", "http_5xx"},
      {"a request timeout", 408, "", "http_timeout"},
      {"a gateway timeout", 504, "", "http_timeout"},
      {"out of memory in words", 500, "CUDA: Out Of Memory", "oom"},
      {"a cuda error", 500, "CUDA error 2", "oom"},
      {"the word oom", 500, "got OOM.", "oom"},
      {"no word of its own", 500, "there is no room for a boom", "http_5xx"},
  };
  for (const StatusCase& c : cases) {
    EXPECT_EQ(LabelOfStatus(c.status, c.body), c.label) << c.name;
  }
}

struct UnsentCase {
  const char* name;
  PassStop stop;
  const char* why;
  const char* log;
  const char* label;
};

TEST(TrialOutcome, ARequestThatWasNeverSentSaysWhy) {
  const UnsentCase cases[] = {
      {"deadline", PassStop::kDeadline, "the deadline of the arm passed", "", "arm_deadline"},
      {"crash", PassStop::kServerDied, "killed by signal 11 (SIGSEGV)", "", "error_other"},
      {"killed", PassStop::kServerDied, "killed by signal 9 (SIGKILL)", "", "oom"},
      {"memory in the log", PassStop::kServerDied, "exited 1", "CUDA error: out of memory", "oom"},
      {"not idle", PassStop::kNotIdle, "busy", "", "error_other"},
  };
  for (const UnsentCase& c : cases) {
    Trial trial;
    MarkNotSent(c.stop, c.why, c.log, trial);
    EXPECT_EQ(trial.failure_mode, Json(c.label)) << c.name;
    EXPECT_EQ(trial.phase, "not_sent") << c.name;
    EXPECT_EQ(trial.reason, std::string("never sent: ") + c.why) << c.name;
    EXPECT_EQ(trial.score, Json(0.0)) << c.name;
    EXPECT_EQ(trial.passed, Json(false)) << c.name;
  }
}

TEST(TrialOutcome, AFaultIsSettledByHowTheServerEnded) {
  Trial trial;
  trial.failure_mode = "error_other";
  trial.reason = "ECONNRESET";
  SettleFault(PassStop::kServerDied, "killed by signal 9 (SIGKILL)", "", trial);
  EXPECT_EQ(trial.failure_mode, Json("oom"));
  EXPECT_EQ(trial.reason, "ECONNRESET; the server died: killed by signal 9 (SIGKILL)");

  Trial wordy;
  wordy.failure_mode = "error_other";
  wordy.reason = "Empty reply";
  SettleFault(PassStop::kServerDied, "exited 1; log:" + std::string(5'000, '\n') + "last words", "",
              wordy);
  EXPECT_THAT(wordy.reason, ::testing::StartsWith("Empty reply; the server died: exited 1; log:"));
  EXPECT_THAT(wordy.reason, ::testing::HasSubstr(" [...] "));
  EXPECT_THAT(wordy.reason, ::testing::EndsWith("last words"));
  EXPECT_LT(wordy.reason.size(), 700U);

  Trial alive;
  alive.failure_mode = "error_other";
  alive.reason = "ECONNRESET";
  SettleFault(PassStop::kNone, std::nullopt, "", alive);
  EXPECT_EQ(alive.failure_mode, Json("error_other"));
  EXPECT_EQ(alive.reason, "ECONNRESET");

  Trial late;
  late.failure_mode = "error_other";
  SettleFault(PassStop::kDeadline, std::nullopt, "", late);
  EXPECT_EQ(late.failure_mode, Json("http_timeout"));
}

}  // namespace
}  // namespace bi_test::run
