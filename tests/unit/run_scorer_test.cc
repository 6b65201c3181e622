#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "process/process_table.h"
#include "run/cell_scorer.h"
#include "run/command_scorer.h"
#include "run/scorer_reply.h"
#include "support/temp_dir.h"
#include "unit/last_line_scorer.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test_support::TempDir;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const Json kGold = "42";

struct LineCase {
  const char* name;
  std::string line;
  const char* fault;  ///< Nothing: it is an answer.
  ScoredReply reply = {};
};
void PrintTo(const LineCase& test, std::ostream* out) { *out << test.name; }

class ScorerLineTable : public ::testing::TestWithParam<LineCase> {};

TEST_P(ScorerLineTable, GivesAReplyOrAFault) {
  const ScorerItem item;
  const ScorerLine line = ReadScorerLine(GetParam().line, 7, {"text", 3, kGold, item});
  if (GetParam().fault != nullptr) {
    EXPECT_FALSE(line.reply.has_value());
    EXPECT_EQ(line.fault, GetParam().fault);
  } else {
    ASSERT_TRUE(line.reply.has_value()) << line.fault;
    EXPECT_EQ(*line.reply, GetParam().reply);
  }
}

#define KEYS "allowed: id, score, passed, failure_mode, extracted_answer, reason, error"
#define LABEL "allowed: 1 to 64 of a-z, 0-9 and \"_\", and none of bi_test's own labels"

INSTANTIATE_TEST_SUITE_P(
    All, ScorerLineTable,
    ::testing::Values(
        LineCase{"Least", R"({"id":7,"score":1})", nullptr, {1.0, true, "ok", "text", ""}},
        LineCase{"Everything",
                 R"({"id":7,"score":0.25,"passed":true,"failure_mode":"parse_fail",)"
                 R"("extracted_answer":"4","reason":"for people"})",
                 nullptr,
                 {0.25, true, "parse_fail", "4", ""}},
        LineCase{"NullsAreAbsent",
                 R"({"id":7,"score":0,"passed":null,"failure_mode":null,"extracted_answer":null,)"
                 R"("reason":null,"error":null})",
                 nullptr,
                 {0.0, false, "ok", "text", ""}},
        LineCase{"HalfPasses", R"({"id":7,"score":0.5})", nullptr, {0.5, true, "ok", "text", ""}},
        LineCase{"AnEmptyAnswerIsAnAnswer",
                 R"({"id":7,"score":0,"extracted_answer":""})",
                 nullptr,
                 {0.0, false, "ok", "", ""}},
        LineCase{"BrokenTextOfAModel",
                 R"({"id":7,"score":0,"extracted_answer":"\ud800"})",
                 nullptr,
                 {0.0, false, "ok", "\xed\xa0\x80", ""}},
        LineCase{
            "CarriageReturn", "{\"id\":7,\"score\":1}\r", nullptr, {1.0, true, "ok", "text", ""}},
        LineCase{"Error",
                 R"({"id":7,"error":"no such unit"})",
                 nullptr,
                 {0.0, false, "scorer_error", "text", "the scorer says: no such unit"}},
        LineCase{"EmptyError", R"({"id":7,"error":""})",
                 "found the error \"\", allowed: a text that is not empty"},
        LineCase{"Empty", "",
                 "found \"\", allowed: one JSON object in one line (invalid JSON at byte 0: the "
                 "document is empty)"},
        LineCase{"NoObject", "1", "found \"1\", allowed: one JSON object in one line"},
        LineCase{"NoId", R"({"score":1})", "found the id nothing, allowed: 7"},
        LineCase{"AnotherId", R"({"id":6,"score":1})", "found the id 6, allowed: 7"},
        LineCase{"IdAsText", R"({"id":"7","score":1})", "found the id \"7\", allowed: 7"},
        LineCase{"NoScore", R"({"id":7})",
                 "found the score nothing, allowed: a number from 0 to 1"},
        LineCase{"ScoreAsText", R"({"id":7,"score":"1"})",
                 "found the score \"1\", allowed: a number from 0 to 1"},
        LineCase{"ScoreTooLarge", R"({"id":7,"score":1.01})",
                 "found the score 1.01, allowed: a number from 0 to 1"},
        LineCase{"NegativeScore", R"({"id":7,"score":-1e-9})",
                 "found the score -1e-09, allowed: a number from 0 to 1"},
        LineCase{"PassedAsNumber", R"({"id":7,"score":1,"passed":1})",
                 "found passed 1, allowed: true or false"},
        LineCase{"LabelOfTransport", R"({"id":7,"score":1,"failure_mode":"oom"})",
                 "found the failure_mode \"oom\", " LABEL},
        LineCase{"EmptyLabel", R"({"id":7,"score":1,"failure_mode":""})",
                 "found the failure_mode \"\", " LABEL},
        LineCase{"LabelWithABlank", R"({"id":7,"score":1,"failure_mode":"a b"})",
                 "found the failure_mode \"a b\", " LABEL},
        LineCase{"LabelOf65Characters",
                 R"({"id":7,"score":1,"failure_mode":")" + std::string(65, 'a') + R"("})",
                 "found the failure_mode \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", " LABEL},
        LineCase{"AnswerAsNumber", R"({"id":7,"score":1,"extracted_answer":4})",
                 "found the extracted_answer 4, allowed: a text or null"},
        LineCase{"ReasonAsList", R"({"id":7,"score":1,"reason":[]})",
                 "found the reason an array, allowed: a text or null"},
        LineCase{"UnknownKey", R"({"id":7,"score":1,"answer":"4"})",
                 "found the key \"answer\", " KEYS},
        LineCase{"TooLong", std::string((1u << 20) + 1, ' '),
                 "found a line of more than 1048576 bytes, allowed: one JSON object"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ScorerLineTest, ABlankCompletionIsEmptyUnlessTheProgramSaysOtherwise) {
  const ScorerItem item;
  const auto label = [&](std::string_view response, std::optional<std::int64_t> tokens) {
    return ReadScorerLine(R"({"id":1,"score":0})", 1, {response, tokens, kGold, item})
        .reply->failure_mode;
  };
  EXPECT_EQ(label(" \n", 2), "empty");
  EXPECT_EQ(label("", 0), "premature_eos");
  EXPECT_EQ(label("a", 0), "ok");
}

TEST(ScorerQuestionTest, IsOneLineOfAsciiWhateverTheModelSaid) {
  ScorerItem item;
  item.test_id = "m|1|f";
  item.prompt = "p\u00e9";
  item.family = "f";
  item.position = 0.5;
  item.tool_calls = Json::Array{1};
  EXPECT_EQ(
      ScorerQuestion({"a\n\xff\"", std::nullopt, kGold, item}, 7),
      R"({"completion_tokens":null,"expected_answer":"42","family":"f","fill_ratio":0.0,"id":7,)"
      R"("position":0.5,"prompt":"p\u00e9","rep":0,"response":"a\n\udcff\"","system":null,)"
      R"("test_id":"m|1|f","tool_calls":[1]})");
}

/// A folder with a program in shell. `$id` is the id of the question.
class Program {
 public:
  explicit Program(const std::string& body, milliseconds timeout = milliseconds(20'000),
                   int max_restarts = 3)
      : Program() {
    std::ofstream(dir_.path() / "judge")
        << "#!/bin/sh\nwhile IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%%[!0-9]*}\n"
        << body << "\ndone\n";
    fs::permissions(dir_.path() / "judge", fs::perms::owner_all);
    command_.argv = {"./judge"};
    command_.program = dir_.path() / "judge";
    command_.timeout = timeout;
    command_.max_restarts = max_restarts;
    Make();
  }
  explicit Program(const std::vector<std::string>& argv) : Program() {
    command_.argv = argv;
    command_.program = argv.front();
    command_.timeout = milliseconds(20'000);
    Make();
  }

  ScoredReply Score(std::string_view response, std::int64_t tokens = 3) {
    return scorer_->Score({response, tokens, kGold, item_});
  }
  void End() { scorer_.reset(); }
  [[nodiscard]] const fs::path& path() const { return dir_.path(); }
  [[nodiscard]] std::string Read(const std::string& name) const {
    std::ifstream file(dir_.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  ScorerCommand command_;
  RunClock clock_;

 private:
  Program() { command_.folder = dir_.path(); }
  void Make() {
    auto scorer = MakeCommandScorer(command_, clock_);
    ASSERT_TRUE(scorer.ok()) << scorer.error().Text();
    scorer_ = *std::move(scorer);
  }

  TempDir dir_;
  ScorerItem item_;
  std::unique_ptr<AnswerScorer> scorer_;
};

constexpr const char* kGood = R"(printf '{"id":%s,"score":1}\n' "$id")";

TEST(CommandScorerTest, AsksOneProgramAllQuestions) {
  Program program("echo $$ >> pids\n" + std::string(kGood));
  for (const char* text : {"a", "b", "c"}) {
    EXPECT_EQ(program.Score(text), (ScoredReply{1.0, true, "ok", text, ""}));
  }
  program.End();
  const std::string pids = program.Read("pids");
  EXPECT_EQ(pids, pids.substr(0, pids.size() / 3) + pids.substr(0, pids.size() / 3) +
                      pids.substr(0, pids.size() / 3));
}

TEST(CommandScorerTest, EqualCompletionsAreAskedOnce) {
  Program program("echo x >> asked\n" + std::string(kGood));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(program.Score("a").score, 1.0);
  EXPECT_EQ(program.Score("a", 4).score, 1.0) << "another number of tokens is another completion";
  EXPECT_EQ(program.Read("asked"), "x\nx\n");
}

TEST(CommandScorerTest, RunsInItsFolderWithABareEnvironment) {
  ::setenv("BI_TEST_SECRET_TOKEN", "t", 1);
  Program program("env > env.txt; pwd > pwd.txt\n" + std::string(kGood));
  EXPECT_EQ(program.Score("a").score, 1.0);
  EXPECT_EQ(program.Read("pwd.txt"), fs::canonical(program.path()).string() + "\n");
  const std::string env = program.Read("env.txt");
  EXPECT_THAT(env, AllOf(HasSubstr("PATH="), HasSubstr("LC_ALL=C.UTF-8"),
                         HasSubstr("PYTHONUNBUFFERED=1"), HasSubstr("BI_TEST_SCORER_MARK=")));
  EXPECT_THAT(env, ::testing::Not(HasSubstr("SECRET")));
}

struct Mishap {
  const char* name;
  const char* body;
  milliseconds timeout;
  const char* reason;
};

TEST(CommandScorerTest, EveryMishapIsAScorerErrorWithItsReason) {
  const Mishap mishaps[] = {
      {"an end", "exit 3", milliseconds(20'000), "scorer \"./judge\" exited 3"},
      {"a crash", "echo 'no luck' >&2; kill -SEGV $$", milliseconds(20'000),
       "scorer \"./judge\" killed by signal 11 (SIGSEGV); its last words: no luck"},
      {"silence", "sleep 100", milliseconds(300), "scorer \"./judge\" gave no answer in time"},
      {"half a line", "printf '{\"id\":'; sleep 100", milliseconds(300),
       "scorer \"./judge\" gave no answer in time"},
      {"a closed output", "exec >&-; sleep 100", milliseconds(20'000),
       "scorer \"./judge\" closed its output"},
      {"nonsense", "echo hello", milliseconds(20'000),
       "scorer \"./judge\" gave no answer: found \"hello\", allowed: one JSON object in one line "
       "("},
      {"the id of another question", R"(echo '{"id":0,"score":1}')", milliseconds(20'000),
       "scorer \"./judge\" gave no answer: found the id 0, allowed: 1"},
      {"a score out of range", R"(printf '{"id":%s,"score":2}\n' "$id")", milliseconds(20'000),
       "scorer \"./judge\" gave no answer: found the score 2, allowed: a number from 0 to 1"},
      {"a line without end", "head -c 3000000 /dev/zero | tr '\\0' x; sleep 100",
       milliseconds(20'000), "scorer \"./judge\" wrote more than 1048576 bytes without a line end"},
  };
  for (const Mishap& mishap : mishaps) {
    Program program(mishap.body, mishap.timeout);
    const ScoredReply reply = program.Score("text");
    EXPECT_EQ(reply.failure_mode, "scorer_error") << mishap.name;
    EXPECT_EQ(reply.extracted_answer, "text") << mishap.name;
    EXPECT_EQ(reply.score, 0.0) << mishap.name;
    EXPECT_FALSE(reply.passed) << mishap.name;
    EXPECT_THAT(reply.reason, StartsWith(mishap.reason)) << mishap.name;
  }
}

TEST(CommandScorerTest, AnErrorOfTheProgramItselfLeavesItRunning) {
  Program program(R"(echo $$ >> pids; case $line in *bad*) printf '{"id":%s,"error":"no unit"}\n' )"
                  R"("$id";; *) printf '{"id":%s,"score":1}\n' "$id";; esac)");
  EXPECT_EQ(program.Score("bad"),
            (ScoredReply{0.0, false, "scorer_error", "bad", "the scorer says: no unit"}));
  EXPECT_EQ(program.Score("good").score, 1.0);
  const std::string pids = program.Read("pids");
  EXPECT_EQ(pids, pids.substr(0, pids.size() / 2) + pids.substr(0, pids.size() / 2));
}

TEST(CommandScorerTest, AnAccidentIsMadeGoodByTheNextProgram) {
  Program program("if [ ! -e once ]; then touch once; kill -KILL $$; fi\n" + std::string(kGood));
  EXPECT_EQ(program.Score("a"), (ScoredReply{1.0, true, "ok", "a", ""}));
}

TEST(CommandScorerTest, AnAnswerThatComesLateIsNotTakenForTheNextOne) {
  Program program("if [ ! -e once ]; then touch once; sleep 1; fi\n" + std::string(kGood),
                  milliseconds(300));
  EXPECT_EQ(program.Score("a").score, 1.0) << "asked once more of a new program";
  EXPECT_EQ(program.Score("b").score, 1.0);
}

TEST(CommandScorerTest, AfterNonsenseTheNextQuestionGoesToANewProgram) {
  Program program("if [ ! -e once ]; then touch once; echo hello; echo hello; else\n" +
                  std::string(kGood) + "\nfi");
  EXPECT_THAT(program.Score("a").reason, HasSubstr("gave no answer: found \"hello\""));
  EXPECT_EQ(program.Score("b").score, 1.0);
}

TEST(CommandScorerTest, AnErrorIsNotRemembered) {
  Program program(R"(echo x >> asked; printf '{"id":%s,"error":"no unit"}\n' "$id")");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(program.Score("a").failure_mode, "scorer_error");
  EXPECT_EQ(program.Read("asked"), "x\nx\n");
}

TEST(CommandScorerTest, GetsTheVariablesOfTheSweepFile) {
  Program program("printf '%s' \"$UNIT,$LC_ALL\" > env.txt\n" + std::string(kGood));
  program.command_.env = {{"UNIT", "km"}, {"LC_ALL", "C"}};
  auto scorer = MakeCommandScorer(program.command_, program.clock_);
  const ScorerItem item;
  EXPECT_EQ((*scorer)->Score({"a", 1, kGold, item}).score, 1.0);
  EXPECT_EQ(program.Read("env.txt"), "km,C");
}

TEST(CommandScorerTest, TheDeadlineOfTheRunEndsAQuestionToo) {
  Program program("sleep 3\n" + std::string(kGood));
  program.clock_.deadline = Clock::now() + milliseconds(1'000);
  auto scorer = MakeCommandScorer(program.command_, program.clock_);
  const ScorerItem item;
  const ScoredReply reply = (*scorer)->Score({"a", 1, kGold, item});
  EXPECT_EQ(reply.failure_mode, "scorer_error");
  EXPECT_EQ(reply.reason, "scorer \"./judge\" was not asked: the deadline of the whole run passed")
      << "not asked a second time";
}

TEST(CommandScorerTest, TwoLinesForOneQuestionAreNoticed) {
  Program program(std::string(kGood) + "\n" + kGood);
  EXPECT_EQ(program.Score("a").score, 1.0);
  EXPECT_THAT(program.Score("b").reason, HasSubstr("found the id 1, allowed: 2"));
}

// Ids count up, so a program can guess the next one.
TEST(CommandScorerTest, AnAnswerToAQuestionThatWasNotAskedYetIsNoAnswer) {
  Program program(
      R"(next=$((id + 1)); printf '{"id":%s,"score":1}\n{"id":%s,"score":1}\n' "$id" "$next")");
  EXPECT_EQ(program.Score("a").score, 1.0);
  const ScoredReply reply = program.Score("b");
  EXPECT_EQ(reply.failure_mode, "scorer_error");
  EXPECT_EQ(reply.reason,
            "scorer \"./judge\" gave no answer: found an answer with the id 2 before the question "
            "was sent, allowed: one line for each question");
  EXPECT_EQ(program.Score("c").score, 1.0);
}

TEST(CommandScorerTest, RestartsHaveALimit) {
  Program program("echo x >> starts; exit 1", milliseconds(20'000), 2);
  EXPECT_EQ(program.Score("a").reason, "scorer \"./judge\" exited 1");
  EXPECT_EQ(program.Score("b").reason,
            "scorer \"./judge\" exited 1; it was started 3 times, scorer.max_restarts is 2");
  EXPECT_EQ(program.Score("c").reason,
            "scorer \"./judge\" was not asked; it was started 3 times, scorer.max_restarts is 2");
  EXPECT_EQ(program.Read("starts"), "x\nx\nx\n");
}

TEST(CommandScorerTest, NothingIsAskedAfterTheDeadlineOfTheRun) {
  ScorerCommand command;
  command.argv = {"/bin/cat"};
  command.program = "/bin/cat";
  RunClock clock;
  clock.deadline = Clock::now() - milliseconds(1);
  const auto scorer = MakeCommandScorer(command, clock);
  const ScorerItem item;
  EXPECT_EQ((*scorer)->Score({"a", 1, kGold, item}).reason,
            "scorer \"/bin/cat\" was not asked: the deadline of the whole run passed");
}

TEST(CommandScorerTest, AProgramThatCannotBeStartedIsAScorerError) {
  Program program(std::vector<std::string>{"/nonexistent/judge"});
  EXPECT_THAT(program.Score("a").reason,
              StartsWith("scorer \"/nonexistent/judge\" could not be started: "
                         "/nonexistent/judge: cannot execute the scorer: No such file"));
}

TEST(CommandScorerTest, LongQuestionsAndAnswersPass) {
  Program program(std::vector<std::string>{"/bin/sh", "-c",
                                           "IFS= read -r line; printf '{\"id\":1,\"score\":1,"
                                           "\"extracted_answer\":\"%s\"}\\n' "
                                           "$(printf '%s' \"$line\" | head -c 900000 | tr -dc x)"});
  const std::string text(800'000, 'x');
  const ScoredReply reply = program.Score(text);
  EXPECT_EQ(reply.score, 1.0) << reply.reason;
  EXPECT_EQ(reply.extracted_answer.size(), text.size() + 1) << "one more in a key of the question";
}

TEST(CommandScorerTest, AProgramThatDoesNotReadIsAnsweredInTime) {
  Program program(std::vector<std::string>{"/bin/sh", "-c", "exec sleep 100"});
  program.command_.timeout = milliseconds(300);
  auto scorer = MakeCommandScorer(program.command_, program.clock_);
  const ScorerItem item;
  const std::string text(3'000'000, 'x');  // More than a pipe holds.
  EXPECT_THAT((*scorer)->Score({text, 1, kGold, item}).reason, HasSubstr("gave no answer in time"));
}

TEST(CommandScorerTest, AProgramThatEndsWhileItIsWrittenToRaisesNoSignal) {
  ASSERT_NE(std::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  Program program(std::vector<std::string>{"/bin/sh", "-c", "exec <&-; exit 0"});
  const std::string text(3'000'000, 'x');
  EXPECT_THAT(program.Score(text).reason, HasSubstr("exited 0"));
}

TEST(CommandScorerTest, NothingIsLeftBehind) {
  Program program("sleep 300 & setsid sleep 300 &\n" + std::string(kGood));
  EXPECT_EQ(program.Score("a").score, 1.0);
  const auto ours = [&] {
    std::vector<int> pids;
    for (const process::ProcessEntry& process : process::ListProcesses()) {
      std::error_code code;
      const fs::path folder =
          fs::read_symlink("/proc/" + std::to_string(process.pid) + "/cwd", code);
      if (!code && !process.zombie && folder == program.path()) pids.push_back(process.pid);
    }
    return pids;
  };
  EXPECT_THAT(ours(), SizeIs(3));
  program.End();
  EXPECT_THAT(ours(), IsEmpty());
}

TEST(CommandScorerTest, AMissingProgramIsAnErrorBeforeTheRun) {
  Sweep sweep;
  sweep.scorer = "command";
  sweep.scorer_command.argv = {"no_such_judge"};
  const auto scorer = MakeAnswerScorer(sweep, {});
  ASSERT_FALSE(scorer.ok());
  EXPECT_EQ(
      scorer.error().Text(),
      "scorer.command: found no program \"no_such_judge\", allowed: the path of an executable "
      "file, or a name in PATH");
  EXPECT_EQ(ScorerIdentity(sweep).error().Text(), scorer.error().Text());
}

TEST(ScorerIdentityTest, AProgramIsWhatItConsistsOf) {
  TempDir dir;
  std::ofstream(dir.path() / "judge.py") << "one";
  Sweep sweep;
  sweep.scorer = "command";
  sweep.scorer_command.argv = {"sh", "judge.py", "--strict"};
  sweep.scorer_command.program = "/bin/sh";
  sweep.scorer_command.folder = dir.path();
  sweep.scorer_command.env["KEY"] = "secret";
  const Result<Json> before = ScorerIdentity(sweep);
  ASSERT_TRUE(before.ok()) << before.error().Text();
  EXPECT_EQ(*before->Find("name"), Json("command"));
  EXPECT_EQ(CompactText(*before->Find("argv")), R"(["sh","judge.py","--strict"])");
  EXPECT_THAT(*before->Find("program_sha256")->if_string(), SizeIs(64));
  EXPECT_EQ(CompactText(*before->Find("options")), R"({"max_restarts":3,"timeout_ms":10000})");
  EXPECT_THAT(*before->Find("version")->if_string(), SizeIs(16));
  EXPECT_EQ(before->Find("files")->if_object()->size(), 1u);
  EXPECT_THAT(CompactText(*before), ::testing::Not(HasSubstr("secret")));
  EXPECT_EQ(*ScorerIdentity(sweep), *before);
  std::ofstream(dir.path() / "judge.py") << "two lines";
  EXPECT_NE(*ScorerIdentity(sweep)->Find("version"), *before->Find("version"));
}

TEST(ScorerIdentityTest, AScorerOfThisProgramHasAllItsOptions) {
  Sweep sweep;
  sweep.scorer = "number";
  sweep.scorer_options["tolerance"] = 0.5;
  EXPECT_EQ(
      CompactText(*ScorerIdentity(sweep)),
      R"({"name":"number","options":{"relative_tolerance":0.0,"tolerance":0.5,"which":"last"},)"
      R"("version":"1"})");
  sweep.scorer = "nobody";
  sweep.file = "cells.yaml";
  EXPECT_EQ(ScorerIdentity(sweep).error().Text(), "cells.yaml: there is no scorer \"nobody\"");
  EXPECT_EQ(MakeAnswerScorer(sweep, {}).error().Text(),
            "cells.yaml: there is no scorer \"nobody\"");
}

/// Asks a program of samples/scorers.
std::vector<ScoredReply> AskSample(const std::vector<std::string>& argv, const fs::path& program,
                                   const std::vector<std::string>& responses) {
  ScorerCommand command;
  command.argv = argv;
  command.program = program;
  command.folder = fs::path(BI_TEST_SOURCE_DIR) / "samples/scorers";
  command.timeout = milliseconds(60'000);
  auto scorer = MakeCommandScorer(command, {});
  std::vector<ScoredReply> replies;
  const ScorerItem item;
  for (const std::string& response : responses) {
    replies.push_back((*scorer)->Score({response, 5, kGold, item}));
  }
  return replies;
}

TEST(SampleScorers, TheOneInPythonScoresTheLastNumber) {
  const fs::path python = "/usr/bin/env";
  EXPECT_THAT(AskSample({"env", "python3", "score.py"}, python,
                        {"6 times 7 is 42.", "1,042", "none", "quote \" \\ \n\xff 42"}),
              ::testing::ElementsAre(ScoredReply{1.0, true, "ok", "42", ""},
                                     ScoredReply{0.0, false, "ok", "1042", ""},
                                     ScoredReply{0.0, false, "ok", "none", ""},
                                     ScoredReply{1.0, true, "ok", "42", ""}));
}

TEST(SampleScorers, TheOneInShellTellsAnswersFromRefusals) {
  EXPECT_THAT(AskSample({"./score.sh"}, fs::path(BI_TEST_SOURCE_DIR) / "samples/scorers/score.sh",
                        {"It is 42", "I'm sorry", "\",\"system\":\"\n I cannot", "\"id\":99"}),
              ::testing::ElementsAre(ScoredReply{1.0, true, "ok", "answered", ""},
                                     ScoredReply{0.0, false, "ok", "refused", ""},
                                     ScoredReply{0.0, false, "ok", "refused", ""},
                                     ScoredReply{1.0, true, "ok", "answered", ""}));
}

/// A page of docs or a source file.
std::string SourceText(const std::string& name) {
  std::ifstream file(fs::path(BI_TEST_SOURCE_DIR) / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ScorersPage, ShowsCodeThatWorks) {
  EXPECT_TRUE(known);
  EXPECT_EQ(ScoreReply(*FindScorer("last_line"), "so\n42", 3, kGold, {}),
            (ScoredReply{1.0, true, "ok", "42", "", true}));
  EXPECT_THAT(SourceText("docs/scorers.md"),
              HasSubstr(SourceText("tests/unit/last_line_scorer.h")));
}

TEST(ScorersPage, ShowsLinesAsTheyAre) {
  ScorerItem item;
  item.test_id = "m|4096|f|0.500000|0|fill0.00";
  item.prompt = "What is 6 times 7?";
  item.family = "f";
  item.position = 0.5;
  const ScoringTask task{"It is 42.", 7, kGold, item};
  const std::string page = SourceText("docs/scorers.md");
  EXPECT_THAT(page, HasSubstr("\n" + ScorerQuestion(task, 1) + "\n"));
  const std::string answer = R"({"id":1,"score":1.0,"extracted_answer":"42"})";
  EXPECT_THAT(page, HasSubstr("\n" + answer + "\n"));
  EXPECT_EQ(ReadScorerLine(answer, 1, task).reply, (ScoredReply{1.0, true, "ok", "42", ""}));
}

TEST(ScorersPage, NamesEveryScorerAndOption) {
  const std::string page = SourceText("docs/scorers.md");
  for (const std::string& name : ScorerNames()) {
    if (name == "last_line") continue;
    EXPECT_THAT(page, HasSubstr("| `" + name + "` |"));
    for (const ScorerOption& option : *FindScorerOptions(name)) {
      EXPECT_THAT(page, HasSubstr("`" + option.name)) << name;
    }
  }
}

}  // namespace
}  // namespace bi_test::run
