// `bi-test plan` and the set-up checks of `bi-test promote`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/json_reader.h"
#include "base/sha256.h"
#include "bi_test/cert.h"
#include "cert/cert_reader.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::WriteText;

[[nodiscard]] BinaryResult BiTest(std::vector<std::string> args) {
  testing_support::BinaryOptions options;
  options.args = std::move(args);
  return testing_support::RunBinary(BI_TEST_PROGRAM, options);
}

/// A folder with a sweep of one cell. Its server would leave a mark if anybody started it.
class SweepFolder : public ::testing::Test {
 protected:
  SweepFolder() {
    WriteText(dir_.path() / "server", "#!/bin/sh\ntouch " + Started().string() + "\n");
    fs::permissions(dir_.path() / "server", fs::perms::owner_all);
    WriteText(dir_.path() / "m.gguf", "not really a model");
    WriteSweep("");
  }
  void WriteSweep(const std::string& more, const std::string& flags = "[-fa, off]") {
    WriteText(Sweep(), "server: {binary: ./server, flags: " + flags +
                           "}\n"
                           "models: [{id: m, path: m.gguf}]\n"
                           "matrix: {ctx: 4096, parallel: 4}\n"
                           "workset: {builtin: smoke}\n" +
                           more);
  }
  [[nodiscard]] fs::path Sweep() const { return dir_.path() / "cells.yaml"; }
  [[nodiscard]] fs::path Started() const { return dir_.path() / "started"; }
  [[nodiscard]] BinaryResult Plan(std::vector<std::string> more = {}) const {
    std::vector<std::string> args{"plan", Sweep().string()};
    args.insert(args.end(), more.begin(), more.end());
    return BiTest(args);
  }

  test_support::TempDir dir_;
};

TEST_F(SweepFolder, APlanStartsNothingAndSaysWhatARunWouldDo) {
  WriteSweep("run: {passes: 3, control_sample: 5}\nguard: {memory_floor_gib: 0}\n");
  const BinaryResult plan = Plan();
  EXPECT_EQ(plan.exit_code, 0) << plan;
  EXPECT_THAT(plan.out,
              AllOf(StartsWith("m__ctx4096__n4  m ctx=4096 N=4\n"),
                    HasSubstr("  memory    1 slot: "), HasSubstr("  memory    4 slots: "),
                    HasSubstr("  work-set  40 items, 40 distinct prompts, longest "),
                    HasSubstr("  requests  A 40 + A2 40 + A3 5 + B 40 + C 120 + B2 5 = 250\n"),
                    HasSubstr("  time      unknown until a cell of this model was measured\n"),
                    HasSubstr("  sees      a 1 % flip with probability 0.701 (120 comparisons; "
                              "299 needed for 0.95)\n"),
                    HasSubstr(" --port PORT -np 4 -c 16384 "),
                    ::testing::EndsWith("nothing was started\n")));
  EXPECT_FALSE(fs::exists(Started()));
  EXPECT_FALSE(fs::exists(dir_.path() / "bi_test-out")) << "a plan writes nothing";
  const BinaryResult dry = BiTest({"run", Sweep().string(), "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry;
  const auto without_memory = [](std::string text) {  // what is free changes from call to call
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  memory ")) out += line + "\n";
    }
    return out;
  };
  EXPECT_EQ(without_memory(dry.out), without_memory(plan.out));
}

TEST_F(SweepFolder, AScorerOfAnotherProgramIsNoReasonNotToPlan) {
  WriteSweep("scorer: mine\nguard: {memory_floor_gib: 0}\n");
  const BinaryResult plan = Plan();
  EXPECT_EQ(plan.exit_code, 0) << plan;
  EXPECT_THAT(plan.out, HasSubstr("nothing was started\n"));
  EXPECT_EQ(plan.err, "bi-test plan: warning: " + Sweep().string() +
                          ": scorer \"mine\" is not built in: only a program that registers it can "
                          "run these cells\n");
  const BinaryResult run = BiTest({"run", Sweep().string()});
  EXPECT_EQ(run.exit_code, 2) << run;
  EXPECT_THAT(run.err, ::testing::StartsWith("bi-test run: " + Sweep().string() +
                                             ":5: scorer: found \"mine\", allowed: "));
}

TEST_F(SweepFolder, AServerThatIsNotThereIsNamedBeforeAndAtTheRun) {
  fs::remove(dir_.path() / "server");
  WriteSweep("guard: {memory_floor_gib: 0}\n");
  const std::string missing =
      "server.binary: found no program `./server`; name the server program in server.binary, "
      "--server-binary or BI_TEST_LLAMA_SERVER, or put it on PATH\n";
  const BinaryResult plan = Plan();
  EXPECT_EQ(plan.exit_code, 0) << plan;
  EXPECT_EQ(plan.err, "bi-test plan: warning: " + missing);
  const BinaryResult run = BiTest({"run", Sweep().string()});
  EXPECT_EQ(run.exit_code, 1) << run;
  EXPECT_THAT(run.out, HasSubstr("N=4: " + missing));
}

TEST_F(SweepFolder, APlanSaysWhatTheGuardsWouldRefuse) {
  WriteSweep("guard: {max_footprint_gib: 1}\n");
  const BinaryResult plan = Plan();
  EXPECT_EQ(plan.exit_code, 3) << plan;
  EXPECT_THAT(plan.out,
              HasSubstr("  memory    4 slots: EXCEEDS: m: guard S0: projected footprint "));
}

TEST_F(SweepFolder, ASmallWorkSetIsSeenBeforeTheRun) {
  WriteText(Sweep(),
            "server: {binary: ./server}\nmodels: [{id: m, path: m.gguf}]\n"
            "matrix: {ctx: 4096, parallel: 4}\nworkset: [{prompt: a}, {prompt: b}, {prompt: b}]\n");
  EXPECT_THAT(
      Plan().out,
      AllOf(HasSubstr("  work-set  3 items, 2 distinct prompts, longest 1 bytes\n"),
            HasSubstr("  width     the work-set has 3 items, fewer than N=4: the cell can only "
                      "be UNVERIFIED\n")));
}

TEST_F(SweepFolder, APlanAsJson) {
  WriteSweep("guard: {memory_floor_gib: 0}\n");
  const BinaryResult plan = Plan({"--json", "--passes", "2"});
  EXPECT_EQ(plan.exit_code, 0) << plan;
  const Result<Json> document = ParseJson(plan.out);
  ASSERT_TRUE(document.ok()) << plan;
  EXPECT_EQ(*document->Find("started"), Json(false));
  const CertReader cell(document->Find("cells")->if_array()->front());
  EXPECT_EQ(cell.IntAt("n_requests"), 40 + 40 + 8 + 40 + 80 + 8);
  EXPECT_EQ(cell.IntAt("requests.C"), 80);
  const CertReader launch(cell.ListAt("launches")->at(1));
  EXPECT_EQ(launch.TextAt("fit"), "OK");
  EXPECT_EQ(launch.IntAt("slots"), 4);
}

TEST_F(SweepFolder, AWrongSelectionIsNothingToDo) {
  const BinaryResult plan = Plan({"--parallel", "3"});
  EXPECT_EQ(plan.exit_code, 4) << plan;
  EXPECT_THAT(plan.err, HasSubstr("no cell selected, nothing was run"));
  const BinaryResult json = Plan({"--parallel", "3", "--json"});
  EXPECT_EQ(json.exit_code, 4);
  EXPECT_THAT(json.out, HasSubstr("\"code\": \"usage\""));
}

TEST_F(SweepFolder, PassesOutOfRangeAreAUsageError) {
  for (const char* passes : {"0", "1001"}) {
    const BinaryResult plan = Plan({"--passes", passes});
    EXPECT_EQ(plan.exit_code, 2) << plan;
    EXPECT_EQ(plan.err, "bi-test plan: --passes: found " + std::string(passes) +
                            ", allowed: a whole number from 1 to 1000\n");
  }
}

TEST_F(SweepFolder, OptionsWinOverTheSweepFile) {
  WriteSweep("guard: {memory_floor_gib: 0}\n");
  const BinaryResult plan = Plan({"--server-binary", "/bin/true", "--json"});
  EXPECT_EQ(plan.exit_code, 0) << plan;
  EXPECT_THAT(plan.out, HasSubstr("\"/bin/true\""));
}

TEST_F(SweepFolder, ARunWithoutItsKnownVerdictsRunsNothing) {
  const BinaryResult run =
      BiTest({"run", Sweep().string(), "--known-verdicts", (dir_.path() / "none.yaml").string()});
  EXPECT_EQ(run.exit_code, 2) << run;
  EXPECT_THAT(run.err, HasSubstr("none.yaml: found no such file, allowed: the path of a "
                                 "known-verdicts file"));
  EXPECT_FALSE(fs::exists(Started()));
}

TEST_F(SweepFolder, ALaunchThatWantsToBeAcknowledgedWaitsForIt) {
  WriteSweep("guard: {require_acknowledgement: true}\n");
  const BinaryResult run = BiTest({"run", Sweep().string()});
  EXPECT_EQ(run.exit_code, 1) << run;
  EXPECT_THAT(run.out,
              HasSubstr("guard.require_acknowledgement is set and nobody acknowledged the launch: "
                        "nothing was launched; look at `bi-test plan`, then run with "
                        "--acknowledge"));
  EXPECT_FALSE(fs::exists(Started()));
  // With it the launch is tried (and this server is none).
  EXPECT_EQ(BiTest({"run", Sweep().string(), "--acknowledge"}).exit_code, 1);
  EXPECT_TRUE(fs::exists(Started()));
}

/// A promotable cert that was earned with the program, model and flags of the sweep.
class Promotion : public SweepFolder {
 protected:
  Promotion() {
    Record record = testing::CleanRecord({30, 4, 2});
    Json& server = record.header["server"];
    server["kind"] = "llama.cpp";
    server["binary"] = (dir_.path() / "server").string();
    server["binary_sha256"] = Sha256Hex("#!/bin/sh\ntouch " + Started().string() + "\n");
    server["model_sha256"] = Sha256Hex("not really a model");
    server["flags"] = Json(Json::Array{"-fa", "off"});
    server["model_flags"] = Json(Json::Array{});
    server["env_names"] = Json(Json::Array{});
    fs::create_directories(Out());
    run_ = testing_support::WriteRun(Out(), record);
  }
  [[nodiscard]] fs::path Out() const { return dir_.path() / "out"; }
  [[nodiscard]] BinaryResult Promote(std::vector<std::string> more = {}) const {
    std::vector<std::string> args{"promote", "--cert-dir", Out().string(), "--model", "m",
                                  "--ctx",   "4096",       "--parallel",   "4"};
    args.insert(args.end(), more.begin(), more.end());
    return BiTest(args);
  }
  [[nodiscard]] BinaryResult PromoteForSweep() const {
    return Promote({"--sweep", Sweep().string()});
  }
  testing_support::RecordedRun run_;
};

TEST_F(Promotion, TheSameSetUpPromotes) {
  EXPECT_EQ(Promote().exit_code, 0) << Promote();
  EXPECT_EQ(PromoteForSweep().exit_code, 0) << PromoteForSweep();
  EXPECT_EQ(PromoteForSweep().out, "promotable: m ctx=4096 N=4\n");
}

// R122: the binary; the flags and the date have cases of their own below and in
// cert_promotion_test.
TEST_F(Promotion, OneChangedByteOfTheProgramDoesNot) {
  WriteText(dir_.path() / "server", "#!/bin/sh\n");
  for (const BinaryResult& result : {Promote(), PromoteForSweep()}) {
    EXPECT_EQ(result.exit_code, 3) << result;
    EXPECT_THAT(result.out,
                StartsWith("BINARY_DIGEST: server.binary_sha256: the cert was earned "));
  }
  fs::remove(dir_.path() / "server");
  EXPECT_EQ(Promote().exit_code, 0) << "a gate on another machine has no program to look at";
  const BinaryResult result = PromoteForSweep();
  EXPECT_EQ(result.exit_code, 1) << "but one that names it must be able to read it";
  EXPECT_THAT(result.err, HasSubstr("server.binary: found no program `./server`"));
}

TEST_F(Promotion, AnotherModelFileOrFlagDoesNot) {
  WriteText(dir_.path() / "m.gguf", "another model");
  EXPECT_EQ(Promote().exit_code, 0) << "without a sweep nothing says which file will serve";
  EXPECT_EQ(PromoteForSweep().exit_code, 3);
  EXPECT_THAT(PromoteForSweep().out, StartsWith("MODEL_DIGEST: server.model_sha256: "));

  WriteText(dir_.path() / "m.gguf", "not really a model");
  WriteSweep("", "[-fa, on]");
  EXPECT_EQ(PromoteForSweep().out,
            "FLAGS: server.flags: the cert was earned with [\"-fa\",\"off\"], the sweep file has "
            "[\"-fa\",\"on\"]; run the cell again\n");
}

TEST_F(Promotion, ASweepWithoutTheCellIsAUsageError) {
  WriteText(Sweep(),
            "server: {binary: ./server}\nmodels: [{id: m, path: m.gguf}]\n"
            "matrix: {ctx: 4096, parallel: 8}\nworkset: {builtin: smoke}\n");
  const BinaryResult result = PromoteForSweep();
  EXPECT_EQ(result.exit_code, 2) << result;
  EXPECT_THAT(result.err, HasSubstr("it has no cell m ctx=4096 N=4"));
}

TEST_F(Promotion, ARedInTheHistoryBesideTheCertIsNotErased) {
  const std::string red =
      R"({"run_id":"r0","status":"failed","subject":")" + std::string(64, 'c') +
      R"(","transport_only":false,"reason_codes":["AC_DIVERGED"],"ts_utc":"t"})";
  WriteText(Out() / "m__ctx4096__N4.attempts.jsonl", red + "\n");
  const BinaryResult result = Promote();
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_THAT(result.out,
              StartsWith("EARLIER_RED: attempts.earlier: run \"r0\" of \"t\" was RED "));
  WriteText(Out() / "m__ctx4096__N4.attempts.jsonl", "{\"run_id\":");
  EXPECT_EQ(Promote().out, "ATTEMPTS: the history beside the cert cannot be read as a whole\n");
}

TEST_F(Promotion, TheRunOfTheCertItselfIsNoEarlierOne) {
  const Result<Json> cert = ParseJson(testing_support::ReadText(run_.cert));
  ASSERT_TRUE(cert.ok());
  const auto history = [&](const Json& digest) {
    Json attempt;
    attempt["run_id"] = "r0";
    attempt["status"] = "failed";
    attempt["cert_digest"] = digest;
    WriteText(Out() / "m__ctx4096__N4.attempts.jsonl", CompactText(attempt) + "\n");
  };
  history(*cert->Find("cert_digest"));
  EXPECT_EQ(Promote().exit_code, 0) << Promote();
  history(Json(std::string(64, 'd')));
  EXPECT_THAT(Promote().out, StartsWith("EARLIER_RED: "));
}

}  // namespace
}  // namespace bi_test
