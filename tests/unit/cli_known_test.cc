// `bi-test known`: a file of verdicts from certs, and certs held against it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "support/recorded_run.h"
#include "support/records.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using test_support::TempDir;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::ReadText;
using testing_support::WriteRun;
using testing_support::WriteText;

class CliKnown : public ::testing::Test {
 protected:
  CliKnown() { fs::create_directories(out_); }

  [[nodiscard]] BinaryResult Known(std::vector<std::string> words) const {
    testing_support::BinaryOptions options;
    options.args = {"known"};
    options.args.insert(options.args.end(), words.begin(), words.end());
    return testing_support::RunBinary(BI_TEST_PROGRAM, options);
  }
  [[nodiscard]] BinaryResult Write(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"write", file_, out_.string()});
    return Known(more);
  }
  [[nodiscard]] BinaryResult Check(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"check", file_, out_.string()});
    return Known(more);
  }
  static Record Red() {
    Record record = testing::CleanRecord();
    testing::At(record, Arm::kC, 1, "w02").score = 0.0;
    return record;
  }

  TempDir scratch_;
  fs::path out_ = scratch_.path() / "out";
  std::string file_ = (scratch_.path() / "known.yaml").string();
};

TEST_F(CliKnown, WhatWasWrittenIsTheSame) {
  static_cast<void>(WriteRun(out_, Red()));
  const BinaryResult written = Write({"--reason", "flash attention"});
  EXPECT_EQ(written.exit_code, 0) << written;
  EXPECT_THAT(written.out, HasSubstr("wrote " + file_ + "; against the file before:\n"));
  EXPECT_THAT(written.out, HasSubstr("new  RED (co_batching)"));
  EXPECT_THAT(ReadText(file_), AllOf(HasSubstr("    verdict: RED\n    class: \"co_batching\"\n"),
                                     HasSubstr("    reason: \"flash attention\"\n")));
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 0) << checked;
  EXPECT_THAT(checked.out, HasSubstr("same  RED (co_batching)"));
}

TEST_F(CliKnown, AChangeIsExplainedAndIsExitCodeThree) {
  static_cast<void>(WriteRun(out_, Red()));
  ASSERT_EQ(Write().exit_code, 0);
  EXPECT_THAT(ReadText(file_), HasSubstr("    reason: \"not looked into yet\"\n"));
  static_cast<void>(WriteRun(out_, testing::CleanRecord()));
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 3) << checked;
  EXPECT_THAT(checked.out,
              AllOf(HasSubstr("changed  was RED (co_batching)"), HasSubstr("is GREEN")));
  const BinaryResult json = Check({"--json"});
  EXPECT_EQ(json.exit_code, 3);
  EXPECT_THAT(json.out,
              AllOf(HasSubstr("\"kind\": \"changed\""), HasSubstr("\"found\": \"GREEN\"")));
  ASSERT_EQ(Write().exit_code, 0);
  EXPECT_EQ(Check().exit_code, 0);
  EXPECT_THAT(ReadText(file_), Not(HasSubstr("    reason:"))) << "a GREEN needs none";
}

TEST_F(CliKnown, ReasonsDatesAndOtherCellsStayWhenTheFileIsRenewed) {
  static_cast<void>(WriteRun(out_, Red()));
  ASSERT_EQ(Write({"--reason", "first"}).exit_code, 0);
  std::string text = ReadText(file_);
  text +=
      "  - {model: other, ctx: 1, parallel: 2, verdict: AMBER, reason: kept, until: 2999-01-01}\n";
  WriteText(file_, text);
  ASSERT_EQ(Write({"--reason", "second"}).exit_code, 0);
  EXPECT_THAT(ReadText(file_), AllOf(HasSubstr("reason: \"first\""), HasSubstr("reason: \"kept\""),
                                     HasSubstr("until: \"2999-01-01\""), Not(HasSubstr("second"))));
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 3) << "a known cell without a cert";
  EXPECT_THAT(checked.out, HasSubstr("other ctx=1 N=2  not run  no cert of this cell was found"));
}

TEST_F(CliKnown, ABrokenFileIsNotOverwritten) {
  static_cast<void>(WriteRun(out_, Red()));
  WriteText(file_, "version: 1\ncells: all\n");
  const BinaryResult written = Write();
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.err, "bi-test known: " + file_ +
                             ":2: cells: found \"all\", allowed: a list of mappings, or [] for "
                             "none\n");
  EXPECT_EQ(ReadText(file_), "version: 1\ncells: all\n");
}

TEST_F(CliKnown, ADamagedCertIsNoVerdict) {
  const auto run = WriteRun(out_, Red());
  static_cast<void>(run);
  for (const auto& entry : fs::directory_iterator(out_)) {
    if (entry.path().extension() != ".json") continue;
    std::string text = ReadText(entry.path());
    const std::size_t at = text.find("\"failed\"");
    if (at == std::string::npos) continue;
    text.replace(at, 8, "\"green\"");
    WriteText(entry.path(), text);
  }
  ASSERT_EQ(Write().exit_code, 0);
  EXPECT_THAT(ReadText(file_), HasSubstr("cells: []"));
  EXPECT_EQ(Check().exit_code, 3);
}

struct NoVerdict {
  const char* name;
  void (*change)(Record& record);
  const char* found;
};
std::ostream& operator<<(std::ostream& out, const NoVerdict& test) { return out << test.name; }

class CliKnownNothing : public CliKnown, public ::testing::WithParamInterface<NoVerdict> {};

TEST_P(CliKnownNothing, IsNeitherWrittenNorTheSameAsAnything) {
  static_cast<void>(WriteRun(out_, Red()));
  ASSERT_EQ(Write({"--reason", "first"}).exit_code, 0);
  const std::string before = ReadText(file_);
  Record record = testing::CleanRecord();
  GetParam().change(record);
  static_cast<void>(WriteRun(out_, record));
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 3) << checked;
  EXPECT_THAT(checked.out, StartsWith("m ctx=4096 N=4  no verdict  "));
  EXPECT_THAT(Check({"--json"}).out,
              HasSubstr("\"found\": \"" + std::string(GetParam().found) + "\""));
  ASSERT_EQ(Write().exit_code, 0);
  EXPECT_EQ(ReadText(file_), before) << "what is known of it stays";
}

INSTANTIATE_TEST_SUITE_P(
    All, CliKnownNothing,
    ::testing::Values(NoVerdict{"Unverified", [](Record& r) { r.evidence.clear(); }, "UNVERIFIED"},
                      NoVerdict{"AFault",
                                [](Record& r) {
                                  Trial& trial = testing::At(r, Arm::kC, 1, "w02");
                                  trial.failure_mode = "http_5xx";
                                  trial.phase = "status";
                                },
                                "RED"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(CliKnown, AnotherClassIsAChange) {
  static_cast<void>(WriteRun(out_, Red()));
  WriteText(file_,
            "version: 1\ncells: [{model: m, ctx: 4096, parallel: 4, verdict: RED, class: leak, "
            "reason: r, until: 2999-01-01}]\n");
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 3) << checked;
  EXPECT_THAT(checked.out, HasSubstr("  changed  was RED (leak), is RED (co_batching)"));
  ASSERT_EQ(Write().exit_code, 0);
  EXPECT_THAT(ReadText(file_),
              AllOf(HasSubstr("    reason: \"not looked into yet\"\n"), Not(HasSubstr("2999"))))
      << "the reason was that of another verdict";
}

TEST_F(CliKnown, AnEntryEndsWithItsLastDay) {
  static_cast<void>(WriteRun(out_, Red()));
  WriteText(file_,
            "version: 1\ncells: [{model: m, ctx: 4096, parallel: 4, verdict: RED, class: "
            "co_batching, reason: r, until: 2001-02-03}]\n");
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 3) << checked;
  EXPECT_EQ(checked.out, "m ctx=4096 N=4  expired  the entry held until 2001-02-03\n");
  ASSERT_EQ(Write({"--reason", "second"}).exit_code, 0);
  EXPECT_THAT(ReadText(file_),
              AllOf(HasSubstr("    reason: \"r\"\n"), HasSubstr("    until: \"2001-02-03\"\n")))
      << "only a person gives it another day";
}

TEST_F(CliKnown, AnEntryKeepsTheBuildAndTheTimeOfItsCert) {
  Record record = testing::CleanRecord();
  record.header["server"]["build"] = "b4711";
  const auto run = WriteRun(out_, record);
  const std::string written = *run.run.cert.document.Find("ts_utc")->if_string();
  ASSERT_EQ(Write({"--reason", "a GREEN needs none"}).exit_code, 0);
  EXPECT_THAT(ReadText(file_), ::testing::EndsWith("    verdict: GREEN\n    seen: \"" + written +
                                                   "\"\n    build: \"b4711\"\n"));
  static_cast<void>(WriteRun(out_, Red()));
  EXPECT_THAT(Check().out,
              HasSubstr("was GREEN on " + written.substr(0, 10) + " with build b4711, is RED"));
}

TEST_F(CliKnown, AMissingFileIsAnErrorOfTheCheck) {
  static_cast<void>(WriteRun(out_, Red()));
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 2) << checked;
  EXPECT_THAT(checked.err, HasSubstr("known.yaml: found no such file, allowed: the path of a "
                                     "known-verdicts file"));
}

TEST_F(CliKnown, HalfOfTheCertsIsNotCompared) {
  static_cast<void>(WriteRun(out_, Red()));
  ASSERT_EQ(Write().exit_code, 0);
  WriteText(out_ / "x__ctx1__N2.json", "{");
  const BinaryResult checked = Check();
  EXPECT_EQ(checked.exit_code, 1) << checked;
  EXPECT_THAT(checked.err, HasSubstr("x__ctx1__N2.json"));
  EXPECT_EQ(checked.out, "");
}

TEST_F(CliKnown, AnEmptyFolderIsAnError) {
  const BinaryResult written = Write();
  EXPECT_EQ(written.exit_code, 1);
  EXPECT_EQ(written.err, "bi-test known: " + out_.string() +
                             ": found no cert (*__ctx*.json), expected the out dir of a run\n");
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace
}  // namespace bi_test
