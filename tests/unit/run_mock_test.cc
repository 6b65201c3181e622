// The whole path, arms to cert, against the in-process mock: what a real server cannot be made to
// do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "bi_test/matchers.h"
#include "bi_test/mock_run.h"
#include "config/worksets/built_in_workset.h"
#include "support/cert_schema.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

fs::path OutDir(const std::string& name) {
  return fs::temp_directory_path() / ("bi_test_mock_" + std::to_string(getpid())) / name;
}

/// Eight distinct prompts whose right answers the mock knows.
Sweep EightPrompts(int parallel = 4, int passes = 3) {
  Sweep sweep;
  sweep.file = "eight.yaml";
  sweep.models.resize(1);
  sweep.models[0].id = "m";
  for (int i = 0; i < 8; ++i) {
    WorksetRow row;
    row.prompt = "ask " + std::to_string(i);
    row.expected_answer = "ok-" + std::to_string(i);
    row.family = "w";
    sweep.workset.rows.push_back(row);
  }
  sweep.workset.name = "eight";
  sweep.run.passes = passes;
  sweep.run.max_tokens = 16;
  sweep.run.request_timeout = milliseconds{10'000};
  SweepCell cell;
  cell.cell = Cell{"m", 4096, parallel, "f16"};
  cell.test_name = "m__ctx4096__n" + std::to_string(parallel);
  sweep.cells.push_back(cell);
  return sweep;
}

MockKnobs Honest() {
  MockKnobs knobs;
  knobs.serve_time = milliseconds{15};
  for (int i = 0; i < 8; ++i) {
    knobs.gold["ask " + std::to_string(i)] = "ok-" + std::to_string(i);
  }
  return knobs;
}

/// On a loaded machine a pass of a few milliseconds may not reach its width. Such a run proves
/// nothing either way and is done again with answers that take twice as long, a few times at most.
CellRun RunOnMock(const Sweep& sweep, MockKnobs knobs) {
  RunOptions options;
  options.out_dir = OutDir(::testing::UnitTest::GetInstance()->current_test_info()->name());
  CellRun run;
  for (int attempt = 0; attempt < 5; ++attempt) {
    fs::remove_all(options.out_dir);
    run = RunCellOnMock(sweep, sweep.cells.at(0), knobs, options);
    const auto& codes = run.judgement.reason_codes;
    if (codes.empty() || (codes.front() != "COVERAGE" && codes.front() != "WIDTH")) break;
    knobs.serve_time *= 2;
  }
  return run;
}

/// A, A2, B, three passes of C, A3 and B2, over eight prompts.
constexpr int kRequestsOfARun = 8 * (3 + 3) + 8 + 8;

std::string Gold(const MockRequest& request) { return "ok-" + request.prompt.substr(4); }

MockAnswer Text(std::string content) {
  MockAnswer answer;
  answer.content = std::move(content);
  return answer;
}

class CellOnMock : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { fs::remove_all(OutDir("")); }
};

TEST_F(CellOnMock, AnHonestMockIsGreenAndNeverPromotable) {
  const CellRun run = RunOnMock(EightPrompts(), Honest());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, IsBatchInvariant());
  EXPECT_EQ(run.record.source, "mock");
  EXPECT_THAT(run.cert, Not(IsPromotable()));
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  EXPECT_EQ(run.requests_sent, 8 * (3 + 3) + 8 + 8) << "A, A2, B, three passes of C, A3, B2";
  for (const Trial& trial : run.record.trials) EXPECT_EQ(trial.score, Json(1.0)) << trial;
}

struct Act {
  const char* name;
  std::function<void(MockKnobs&)> play;
  Verdict verdict;
  const char* code;              ///< Among the reason codes.
  const char* divergence_class;  ///< Empty: none.
};

TEST_F(CellOnMock, EachActGetsItsVerdict) {
  const std::vector<Act> acts = {
      {"answers depend on the slot when batched",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           return Text(r.co_batched ? Gold(r) + "/" + std::to_string(r.slot % 3) : Gold(r));
         };
       },
       Verdict::kRed, "AC_DIVERGED", "co_batching"},
      {"one prompt changes only beside another one",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           const bool beside =
               std::find(r.companions.begin(), r.companions.end(), "ask 7") != r.companions.end();
           return Text(r.prompt == "ask 0" && beside ? "other" : Gold(r));
         };
       },
       Verdict::kRed, "AC_DIVERGED", "co_batching"},
      {"the serial answer is not stable",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           return Text(r.prompt == "ask 0" && r.serve_number > 8 ? "ok-0b" : Gold(r));
         };
       },
       Verdict::kRed, "SELF_IDENTITY", "harness_nondeterminism"},
      {"opening slots changes answers", [](MockKnobs& k) { k.control_score_flip = true; },
       Verdict::kRed, "AC_AB_DIVERGED", "slot_allocation(+co_batching)"},
      {"neighbours get each other's text",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           return Text(r.prompt == "ask 2" && r.co_batched ? "ok-3" : Gold(r));
         };
       },
       Verdict::kRed, "LEAK", "leak"},
      {"requests are served one after another", [](MockKnobs& k) { k.serial_engine = true; },
       Verdict::kUnverified, "NO_OVERLAP", ""},
      {"idle slots keep their task numbers",
       [](MockKnobs& k) {
         k.serial_engine = true;
         k.stale_id_task = true;
         k.metrics_disabled = true;
       },
       Verdict::kUnverified, "NO_OVERLAP", ""},
      {"the server has fewer slots than asked", [](MockKnobs& k) { k.ignore_parallel = 2; },
       Verdict::kUnverified, "NO_OVERLAP", ""},
      {"every answer is empty", [](MockKnobs& k) { k.empty_completions = true; },
       Verdict::kUnverified, "FLOOR", ""},
      {"only the reasoning differs", [](MockKnobs& k) { k.reasoning_divergence = true; },
       Verdict::kAmber, "TOKEN_ONLY", ""},
      {"only the finish reason differs", [](MockKnobs& k) { k.finish_divergence = true; },
       Verdict::kAmber, "FINISH_REASON", ""},
      {"only the token count differs", [](MockKnobs& k) { k.usage_divergence = true; },
       Verdict::kAmber, "TOKEN_ONLY", ""},
      {"only the tool calls differ", [](MockKnobs& k) { k.tool_call_divergence = true; },
       Verdict::kAmber, "TOKEN_ONLY", ""},
      {"prompt tokens come from a cache", [](MockKnobs& k) { k.cached_tokens = 3; },
       Verdict::kUnverified, "CACHED_PROMPT", ""},
      {"the tokenizer changes with the slots",
       [](MockKnobs& k) { k.tokenize_changes_with_slots = true; }, Verdict::kRed, "AC_AB_DIVERGED",
       "slot_allocation(+co_batching)"},
      {"errors once requests are batched",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           MockAnswer answer = Text(Gold(r));
           if (r.co_batched && r.prompt == "ask 5") {
             answer.http_status = 500;
             answer.body = R"({"error":{"code":500,"message":"Invalid input batch."}})";
           }
           return answer;
         };
       },
       Verdict::kRed, "INFRASTRUCTURE", "infrastructure"},
      {"a connection is reset in the middle of an answer",
       [](MockKnobs& k) {
         k.answer = [](const MockRequest& r) {
           MockAnswer answer = Text(Gold(r));
           if (r.co_batched && r.prompt == "ask 5") {
             answer.raw = "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"id\"";
             answer.ending = MockEnding::kReset;
           }
           return answer;
         };
       },
       Verdict::kRed, "INFRASTRUCTURE", "infrastructure"},
      {"every stream is cut off", [](MockKnobs& k) { k.reply_shape = MockReplyShape::kCutStream; },
       Verdict::kUnverified, "FLOOR", ""},
      {"monitoring answers late but counters prove the width",
       [](MockKnobs& k) { k.monitor_delay = milliseconds{800}; }, Verdict::kGreen, "CLEAN", ""},
      {"log-probabilities are null", [](MockKnobs& k) { k.logprobs_null = true; }, Verdict::kGreen,
       "CLEAN", ""},
      {"a body in chunks", [](MockKnobs& k) { k.reply_shape = MockReplyShape::kChunked; },
       Verdict::kGreen, "CLEAN", ""},
  };
  for (const Act& act : acts) {
    SCOPED_TRACE(act.name);
    MockKnobs knobs = Honest();
    act.play(knobs);
    const CellRun run = RunOnMock(EightPrompts(), knobs);
    ASSERT_FALSE(run.error.has_value()) << run.error->Text();
    EXPECT_THAT(run, HasVerdict(act.verdict));
    EXPECT_THAT(run.judgement.reason_codes, Contains(act.code)) << run.judgement;
    EXPECT_EQ(run.judgement.divergence_class.value_or(""), act.divergence_class);
    EXPECT_THAT(run.record.trials, ::testing::SizeIs(kRequestsOfARun));
  }
}

TEST_F(CellOnMock, ACanaryNamesTheNeighbourWhoseCodeWordLeaked) {
  Sweep sweep = EightPrompts();
  sweep.workset = config::CanaryWorkset();
  sweep.workset.rows.resize(8);
  const auto word = [](const std::string& prompt) { return prompt.substr(18, 9); };
  MockKnobs knobs = Honest();
  const std::string victim = sweep.workset.rows[3].prompt;
  knobs.answer = [&](const MockRequest& r) {
    const bool leaks = r.prompt == victim && !r.companions.empty();
    return Text("It is " + word(leaks ? r.companions.front() : r.prompt) + ".");
  };
  const CellRun run = RunOnMock(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, HasVerdict(Verdict::kRed));
  EXPECT_THAT(run, HasDivergenceClass("leak"));
  ASSERT_FALSE(run.judgement.divergences.empty());
  const Divergence& leak = run.judgement.divergences.front();
  ASSERT_NE(leak.leak_donor, "");
  std::string said;
  std::string of_donor;
  for (const Trial& trial : run.record.trials) {
    if (trial.arm == Arm::kA && trial.pass == 0 && trial.test_id == leak.leak_donor) {
      of_donor = *trial.content.if_string();
    }
    if (trial.arm == leak.arm && trial.pass == leak.pass && trial.test_id == leak.test_id) {
      said = *trial.content.if_string();
    }
  }
  EXPECT_EQ(said, of_donor) << "the donor is the one whose code word was said";
}

/// "other" for one prompt while between `from` and `to` requests of the run were served by all
/// launches together. A run that is done again counts from the beginning.
std::function<MockAnswer(const MockRequest&)> OtherBetween(int from, int to) {
  const auto served = std::make_shared<std::atomic<int>>(0);
  return [served, from, to](const MockRequest& r) {
    const int n = (*served)++ % kRequestsOfARun + 1;
    return Text(r.prompt == "ask 0" && n > from && n <= to ? "other" : Gold(r));
  };
}

TEST_F(CellOnMock, AFreshLaunchThatAnswersOtherwiseIsNoBaseline) {
  MockKnobs knobs = Honest();
  knobs.answer = OtherBetween(16, 24);  // A and A2 are the first 16 requests, A3 the next eight
  const CellRun run = RunOnMock(EightPrompts(), knobs);
  EXPECT_THAT(run, HasVerdict(Verdict::kRed));
  EXPECT_THAT(run.judgement.reason_codes, Contains("RESTART_UNSTABLE")) << run.judgement;
}

TEST_F(CellOnMock, StateThatBatchingLeavesBehindIsSeenAfterIt) {
  MockKnobs knobs = Honest();
  knobs.answer = OtherBetween(8 * (2 + 1 + 1 + 3), 1'000'000);  // B2 is the last arm
  const CellRun run = RunOnMock(EightPrompts(), knobs);
  EXPECT_THAT(run, HasVerdict(Verdict::kAmber));
  EXPECT_THAT(run.judgement.reason_codes, Contains("B2_DISAGREES")) << run.judgement;
}

TEST_F(CellOnMock, ALaterCleanRunDoesNotEraseARed) {
  const Sweep sweep = EightPrompts();
  RunOptions options;
  options.out_dir = OutDir("history");
  MockKnobs knobs = Honest();
  knobs.control_score_flip = true;
  const CellRun red = RunCellOnMock(sweep, sweep.cells[0], knobs, options);
  ASSERT_THAT(red, HasVerdict(Verdict::kRed));
  const CellRun later = RunCellOnMock(sweep, sweep.cells[0], Honest(), options);
  EXPECT_THAT(UnmetPromotionPoints(later.cert, later.cell),
              Contains(::testing::StartsWith("EARLIER_RED: attempts.earlier: run ")));

  Sweep other_flags = sweep;
  other_flags.server.flags = {"-fa", "off"};
  const CellRun another = RunCellOnMock(other_flags, sweep.cells[0], Honest(), options);
  EXPECT_THAT(UnmetPromotionPoints(another.cert, another.cell),
              Not(Contains(::testing::StartsWith("EARLIER_RED"))))
      << "it is about another set-up";
  EXPECT_EQ(*another.cert.document.Find("attempts")->Find("n_earlier"), Json(2));
}

TEST_F(CellOnMock, OneCellIsRunByOneProcessAtATime) {
  const Sweep sweep = EightPrompts();
  RunOptions options;
  options.out_dir = OutDir("twice");
  CellRun inner;
  options.on_progress = [&](const Progress& progress) {
    if (progress.arm != "launch N" || inner.error.has_value()) return;
    RunOptions same;
    same.out_dir = options.out_dir;
    inner = RunCellOnMock(sweep, sweep.cells[0], Honest(), same);
  };
  const CellRun outer = RunCellOnMock(sweep, sweep.cells[0], Honest(), options);
  EXPECT_FALSE(outer.error.has_value());
  ASSERT_TRUE(inner.error.has_value());
  EXPECT_EQ(inner.error->code, ErrorCode::kRefused);
  EXPECT_THAT(inner.error->message, HasSubstr("another process is running this very cell"));
  EXPECT_TRUE(fs::exists(inner.refusal_path));
  EXPECT_TRUE(fs::exists(outer.cert_path));
}

TEST_F(CellOnMock, LogprobDriftFollowsThePolicy) {
  MockKnobs knobs = Honest();
  knobs.logprob_drift = 1e-9;
  Sweep sweep = EightPrompts();
  EXPECT_THAT(RunOnMock(sweep, knobs), AllOf(IsBatchInvariant(), Not(IsLogprobIdentical())));
  sweep.policy.logprobs = LogprobPolicy::kExact;
  const CellRun amber = RunOnMock(sweep, knobs);
  EXPECT_THAT(amber, HasVerdict(Verdict::kAmber));
  EXPECT_THAT(amber.judgement.reason_codes, Contains("LOGIT_ONLY"));
}

// R022
TEST_F(CellOnMock, BodiesOfOneItemAreTheSameInEveryArm) {
  const CellRun run = RunOnMock(EightPrompts(), Honest());
  std::map<std::string, std::set<std::string>> bodies;
  for (const Trial& trial : run.record.trials) {
    ASSERT_TRUE(trial.request_sha256.is_string());
    bodies[trial.test_id].insert(*trial.request_sha256.if_string());
  }
  EXPECT_EQ(bodies.size(), 8u);
  for (const auto& [id, digests] : bodies) EXPECT_EQ(digests.size(), 1u) << id;
}

TEST_F(CellOnMock, PassesMeetInDifferentOrders) {
  const CellRun run = RunOnMock(EightPrompts(), Honest());
  std::set<std::vector<std::string>> orders;
  for (int pass = 0; pass < 3; ++pass) {
    std::vector<const Trial*> trials;
    for (const Trial& trial : run.record.trials) {
      if (trial.arm == Arm::kC && trial.pass == pass) trials.push_back(&trial);
    }
    std::sort(trials.begin(), trials.end(),
              [](const Trial* a, const Trial* b) { return *a->dispatch_ts < *b->dispatch_ts; });
    std::vector<std::string> order;
    for (const Trial* trial : trials) order.push_back(trial->test_id);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 3u);
}

TEST_F(CellOnMock, AHungServerEndsAtTheDeadlineOfTheArm) {
  MockKnobs knobs = Honest();
  knobs.stuck_after = 12;  // of the N-slot server: in arm C, after all of B
  Sweep sweep = EightPrompts(4, 1);
  sweep.run.request_timeout = milliseconds{600};
  sweep.run.arm_timeout = milliseconds{1'500};
  const CellRun run = RunOnMock(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, Not(IsBatchInvariant()));
  EXPECT_THAT(run.record.trials,
              Contains(::testing::Field(&Trial::failure_mode, Json("http_timeout"))));
}

TEST_F(CellOnMock, AfterABrokenBaselineTheModelIsNotLoadedAgain) {
  MockKnobs knobs = Honest();
  knobs.stuck_after = 4;  // in the middle of arm A; A2 then waits in vain for an idle server
  Sweep sweep = EightPrompts(4, 2);
  sweep.run.request_timeout = milliseconds{300};
  sweep.run.arm_timeout = milliseconds{700};
  RunOptions options;
  options.out_dir = OutDir("broken_baseline");
  std::set<std::string> launches;
  options.on_progress = [&launches](const Progress& progress) {
    if (progress.arm.starts_with("launch")) launches.insert(progress.arm);
  };
  const CellRun run = RunCellOnMock(sweep, sweep.cells[0], knobs, options);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(launches, ::testing::ElementsAre("launch A"));
  EXPECT_THAT(*run.cert.document.Find("server")->Find("launches")->if_array(),
              ::testing::SizeIs(1));
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("infrastructure")));
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  std::map<std::pair<Arm, int>, int> not_sent;
  for (const Trial& trial : run.record.trials) {
    if (trial.phase == "not_sent") ++not_sent[{trial.arm, trial.pass}];
  }
  not_sent.erase({Arm::kA, 0});  // How many were sent before the arm's deadline is chance.
  const std::map<std::pair<Arm, int>, int> all_of_the_rest = {{{Arm::kA, 1}, 8},
                                                              {{Arm::kB, 0}, 8},
                                                              {{Arm::kB, 1}, 8},
                                                              {{Arm::kC, 0}, 8},
                                                              {{Arm::kC, 1}, 8}};
  EXPECT_EQ(not_sent, all_of_the_rest);
}

// R044
TEST_F(CellOnMock, NoPromptIsInAnyArtifact) {
  MockKnobs knobs = Honest();
  knobs.slots_show_prompts = true;
  Sweep sweep = EightPrompts();
  sweep.workset.rows[3].prompt = "SECRET-w3";
  sweep.workset.rows[3].system = "SECRET-system";
  const CellRun run = RunOnMock(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(run.cert_path).parent_path())) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_THAT(text.str(), Not(HasSubstr("SECRET"))) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST_F(CellOnMock, AnswersCanBeKeptOutOfEveryArtifact) {
  MockKnobs knobs = Honest();
  for (auto& [prompt, gold] : knobs.gold) gold = "SECRET-" + gold;
  Sweep sweep = EightPrompts();
  sweep.output.keep_content = false;
  const auto expect_no_answer = [](const CellRun& run) {
    for (const auto& entry : fs::directory_iterator(fs::path(run.cert_path).parent_path())) {
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      EXPECT_THAT(text.str(), Not(HasSubstr("SECRET"))) << entry.path();
    }
  };
  const CellRun green = RunOnMock(sweep, knobs);
  EXPECT_THAT(green, IsBatchInvariant());
  expect_no_answer(green);

  knobs.answer = [](const MockRequest& r) {
    return Text("SECRET-" + Gold(r) + (r.co_batched ? "/batched" : ""));
  };
  const CellRun red = RunOnMock(sweep, knobs);
  EXPECT_THAT(red, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
  expect_no_answer(red);
}

TEST_F(CellOnMock, APromptThatDoesNotFitTheSlotIsRefusedBeforeAnyArm) {
  Sweep sweep = EightPrompts();
  sweep.workset.rows[2].prompt = std::string();
  for (int i = 0; i < 5'000; ++i) sweep.workset.rows[2].prompt += "word ";
  const CellRun run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(run.error->code, ErrorCode::kRefused);
  EXPECT_THAT(run.error->message,
              HasSubstr("work-set row 2 has 5000 tokens; with max_tokens 16 and 64 for the chat "
                        "template it does not fit a slot of 4096"));
  EXPECT_TRUE(run.cert_path.empty());
  EXPECT_TRUE(fs::exists(run.refusal_path));
  EXPECT_EQ(run.requests_sent, 0);
}

TEST_F(CellOnMock, TheRowsOwnLengthDecidesWhetherItFits) {
  Sweep sweep = EightPrompts();
  sweep.workset.rows[3].sampling["max_tokens"] = 4'031;
  CellRun run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(run.error->message,
              HasSubstr("work-set row 3 has 2 tokens; with max_tokens 4031 and 64 for the chat "
                        "template it does not fit a slot of 4096"));
  sweep.workset.rows[3].sampling["max_tokens"] = 4'030;
  run = RunOnMock(sweep, Honest());
  EXPECT_FALSE(run.error.has_value()) << run.error->Text();
}

TEST_F(CellOnMock, TextBesideThePromptTakesRoomAndIsNotPartOfItsCount) {
  std::string words;
  for (int i = 0; i < 4'020; ++i) words += "word ";
  Sweep sweep = EightPrompts();
  sweep.workset.rows[1].system = words;
  CellRun run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(run.error->message,
              HasSubstr("work-set row 1 has 4022 tokens (4020 of them beside its prompt); with "
                        "max_tokens 16 and 64 for the chat template"));
  sweep = EightPrompts();
  sweep.workset.rows[2].messages = {
      {"user", words}, {"assistant", "x"}, {"user", sweep.workset.rows[2].prompt}};
  run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(run.error->message,
              HasSubstr("work-set row 2 has 4023 tokens (4021 of them beside its prompt); with "
                        "max_tokens 16 and 80 for the chat template"));
  sweep = EightPrompts();
  sweep.workset.rows[2].system = "be brief";
  run = RunOnMock(sweep, Honest());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  for (const Trial& trial : run.record.trials) EXPECT_EQ(trial.prompt_tokens_measured, Json(2));
}

TEST_F(CellOnMock, ConversationsCompletionsAndSamplingGoThroughAWholeCell) {
  Sweep sweep = EightPrompts();
  std::vector<WorksetRow>& rows = sweep.workset.rows;
  rows[1].messages = {{"user", "hello"}, {"assistant", "yes?"}, {"user", rows[1].prompt}};
  rows[2].completion = true;
  rows[3].completion = true;
  rows[4].sampling["seed"] = 77;
  rows[5].sampling["stop"] = Json::Array{Json("END")};
  rows[6].sampling["stop"] = Json::Array{Json("END")};
  const CellRun run = RunOnMock(sweep, Honest());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, IsBatchInvariant());
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  for (const Trial& trial : run.record.trials) EXPECT_EQ(trial.score, Json(1.0)) << trial;
  const Json* request = run.cert.document.Find("request");
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(CompactText(*request->Find("sampling")),
            R"([{"n_rows":1,"rows":[4],"sampling":{"seed":77}},)"
            R"({"n_rows":2,"rows":[5,6],"sampling":{"stop":["END"]}}])");
}

TEST_F(CellOnMock, ANeighboursSamplingThatChangesAnAnswerIsRed) {
  Sweep sweep = EightPrompts(2);
  sweep.workset.rows[1].sampling["json_schema"]["type"] = "object";
  MockKnobs knobs = Honest();
  // Whoever shares a batch answers as if the schema were its own.
  knobs.answer = [](const MockRequest& r) { return Text(Gold(r) + (r.co_batched ? "{" : "")); };
  const CellRun run = RunOnMock(sweep, knobs);
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
  EXPECT_THAT(CompactText(*run.cert.document.Find("request")->Find("sampling")),
              HasSubstr("json_schema"));
}

TEST_F(CellOnMock, ARowThatTheServerCannotBeAskedIsRefused) {
  Sweep sweep = EightPrompts();
  sweep.workset.rows[5].completion = true;
  sweep.workset.rows[5].sampling["response_format"]["type"] = "json_object";
  const CellRun run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(
      run.error->Text(),
      HasSubstr("eight: row 5: sampling.response_format: found a response_format of a plain "
                "completion, allowed with kind llama.cpp: json_schema or grammar"));
  EXPECT_EQ(run.requests_sent, 0);
}

/// The eight prompts, scored by a program in shell; `$id` is the id of the question.
Sweep ScoredBy(const std::string& body, int max_restarts = 3) {
  const fs::path folder = OutDir(::testing::UnitTest::GetInstance()->current_test_info()->name())
                              .replace_extension("scorer");
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "judge")
      << "#!/bin/sh\nwhile IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%%[!0-9]*}\n"
      << body << "\ndone\n";
  fs::permissions(folder / "judge", fs::perms::owner_all);
  Sweep sweep = EightPrompts();
  sweep.scorer = "command";
  sweep.scorer_command.argv = {"./judge"};
  sweep.scorer_command.program = folder / "judge";
  sweep.scorer_command.folder = folder;
  sweep.scorer_command.timeout = milliseconds{20'000};
  sweep.scorer_command.max_restarts = max_restarts;
  return sweep;
}

TEST_F(CellOnMock, AProgramScoresEveryAnswer) {
  const CellRun run = RunOnMock(ScoredBy(R"(case $line in *'"response":"ok-'*) s=1;; *) s=0;; esac)"
                                         "\nprintf '{\"id\":%s,\"score\":%s}\\n' \"$id\" $s"),
                                Honest());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, IsBatchInvariant());
  EXPECT_EQ(run.record.trials.size(), static_cast<std::size_t>(kRequestsOfARun));
  for (const Trial& trial : run.record.trials) EXPECT_EQ(trial.score, Json(1.0)) << trial;
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  const Json* scorer = run.cert.document.Find("scorer");
  ASSERT_NE(scorer, nullptr);
  EXPECT_EQ(*scorer->Find("name"), Json("command"));
  EXPECT_EQ(CompactText(*scorer->Find("argv")), R"(["./judge"])");
}

TEST_F(CellOnMock, AProgramWithMoodsCannotMakeARed) {
  const CellRun run = RunOnMock(
      ScoredBy("n=$((n+1)); printf '{\"id\":%s,\"score\":%s,\"extracted_answer\":\"%s\"}\\n' "
               "\"$id\" $((n%2)) $n"),
      Honest());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, IsBatchInvariant());
}

TEST_F(CellOnMock, AProgramThatAlwaysDiesLosesNoTrialAndProvesNothing) {
  // Once: a run that proves nothing has no width that another try could give it.
  RunOptions options;
  options.out_dir = OutDir("dying_scorer");
  const Sweep sweep = ScoredBy("exit 7", 2);
  const CellRun run = RunCellOnMock(sweep, sweep.cells.at(0), Honest(), options);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_EQ(run.record.trials.size(), static_cast<std::size_t>(kRequestsOfARun));
  for (const Trial& trial : run.record.trials) {
    EXPECT_EQ(trial.failure_mode, Json("scorer_error")) << trial;
    EXPECT_THAT(trial.reason, HasSubstr("scorer \"./judge\"")) << trial;
    EXPECT_FALSE(trial.content.is_null()) << "what the model said is kept";
  }
  EXPECT_THAT(run, HasVerdict(Verdict::kUnverified));
}

TEST_F(CellOnMock, ADivergenceIsSeenWithAProgramThatCallsEverythingEqual) {
  MockKnobs knobs = Honest();
  knobs.answer = [](const MockRequest& r) { return Text(Gold(r) + (r.co_batched ? "!" : "")); };
  const CellRun run = RunOnMock(
      ScoredBy("printf '{\"id\":%s,\"score\":1,\"extracted_answer\":\"same\"}\\n' \"$id\""), knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, Not(HasVerdict(Verdict::kGreen)));
}

TEST_F(CellOnMock, AMissingScorerProgramIsRefusedBeforeAnyLaunch) {
  Sweep sweep = ScoredBy("exit 0");
  sweep.scorer_command.program.clear();
  const CellRun run = RunOnMock(sweep, Honest());
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(
      run.error->Text(),
      "scorer.command: found no program \"./judge\", allowed: the path of an executable file, "
      "or a name in PATH");
  EXPECT_EQ(run.requests_sent, 0);
  EXPECT_TRUE(fs::exists(run.refusal_path));
}

TEST_F(CellOnMock, ANumberMayBeWithinATolerance) {
  Sweep sweep = EightPrompts();
  sweep.scorer = "number";
  sweep.scorer_options["tolerance"] = 0.5;
  MockKnobs knobs = Honest();
  for (int i = 0; i < 8; ++i) {
    sweep.workset.rows[static_cast<std::size_t>(i)].expected_answer = i;
    knobs.gold["ask " + std::to_string(i)] = "about " + std::to_string(i) + ".5";
  }
  const CellRun run = RunOnMock(sweep, knobs);
  EXPECT_THAT(run, IsBatchInvariant());
  for (const Trial& trial : run.record.trials) EXPECT_EQ(trial.score, Json(1.0)) << trial;
  EXPECT_EQ(
      CompactText(*run.cert.document.Find("scorer")),
      R"({"name":"number","options":{"relative_tolerance":0.0,"tolerance":0.5,"which":"last"},)"
      R"("version":"1"})");
}

TEST_F(CellOnMock, TheCertOfAFinishedRunRecomputesFromItsTrace) {
  const CellRun run = RunOnMock(EightPrompts(), Honest());
  const Json* ts = run.cert.document.Find("ts_utc");
  ASSERT_NE(ts, nullptr);
  const Result<CellRun> again = JudgeTrace(run.trace_path, std::nullopt, *ts->if_string());
  ASSERT_TRUE(again.ok()) << again.error().Text();
  EXPECT_EQ(CertText(again->cert), CertText(run.cert));
  EXPECT_THAT(CheckCertAgainst(run.cert, again->cert), IsEmpty());
}

}  // namespace
}  // namespace bi_test
