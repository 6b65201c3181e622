// `bi-test known`: a file of verdicts from certs, and certs held against it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

TEST_F(CliKnown, AnEmptyFolderIsAnError) {
  const BinaryResult written = Write();
  EXPECT_EQ(written.exit_code, 1);
  EXPECT_EQ(written.err, "bi-test known: " + out_.string() +
                             ": found no cert (*__ctx*.json), expected the out dir of a run\n");
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace
}  // namespace bi_test
