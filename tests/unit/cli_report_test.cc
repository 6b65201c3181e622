// `bi-test report`: many folders, one page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "bi_test/json.h"
#include "cert/cert_reader.h"
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

[[nodiscard]] BinaryResult Report(std::vector<std::string> args) {
  testing_support::BinaryOptions options;
  options.args = std::move(args);
  options.args.insert(options.args.begin(), "report");
  return testing_support::RunBinary(BI_TEST_PROGRAM, options);
}

[[nodiscard]] Record RedRecord() {
  Record record = testing::CleanRecord();
  testing::At(record, Arm::kC, 1, "w02").score = 0.0;
  return record;
}

class CliReport : public ::testing::Test {
 protected:
  CliReport() {
    fs::create_directories(one_);
    fs::create_directories(two_);
  }

  TempDir scratch_;
  fs::path one_ = scratch_.path() / "one";
  fs::path two_ = scratch_.path() / "two";
};

TEST_F(CliReport, AGreenFolderIsExitCodeZeroAndThreeFiles) {
  static_cast<void>(WriteRun(one_, testing::CleanRecord()));
  const BinaryResult result = Report({one_.string()});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(ReadText(one_ / "index.html"), HasSubstr("1 of 1 cell passed"));
  EXPECT_THAT(ReadText(one_ / "summary.md"), HasSubstr("1 of 1 cell passed"));
  EXPECT_THAT(ReadText(one_ / "junit.xml"), HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST_F(CliReport, TwoFoldersAreMergedAndARedIsExitCodeThree) {
  static_cast<void>(WriteRun(one_, testing::CleanRecord()));
  Record other = RedRecord();
  other.cell.model = "other";
  static_cast<void>(WriteRun(two_, other));
  const fs::path out = scratch_.path() / "merged";
  const BinaryResult result = Report({one_.string(), two_.string(), "--out", out.string()});
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_THAT(ReadText(out / "index.html"),
              AllOf(HasSubstr("1 of 2 cells passed"), HasSubstr("href=\"./../two/other__ctx")));
  EXPECT_THAT(ReadText(out / "junit.xml"), HasSubstr("tests=\"2\" failures=\"1\""));
}

TEST_F(CliReport, SeveralFoldersNeedAPlaceForTheResult) {
  const BinaryResult result = Report({one_.string(), two_.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(
      result.err,
      "bi-test report: found several folders and no --out, expected the folder for the merged "
      "files, such as --out merged\n");
}

TEST_F(CliReport, AnUnreadableFileIsNamedAndExitCodeOne) {
  static_cast<void>(WriteRun(one_, testing::CleanRecord()));
  WriteText(one_ / "x__ctx1__N2.json", "{");
  WriteText(one_ / "notes.json", "{");  // no cert by its name: none of ours
  const BinaryResult result = Report({one_.string()});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.err, AllOf(HasSubstr("x__ctx1__N2.json"), Not(HasSubstr("notes.json"))));
  EXPECT_THAT(ReadText(one_ / "index.html"),
              AllOf(HasSubstr("Files that could not be read"), HasSubstr("x__ctx1__N2.json")));
}

TEST_F(CliReport, ANameOfAFileIsNoCommandToATerminal) {
  WriteText(one_ / "\x1b[31m__ctx1__N2.json", "{");
  const BinaryResult result = Report({one_.string()});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.err, AllOf(HasSubstr("__ctx1__N2.json"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

TEST_F(CliReport, AMissingFolderAndAnEmptyOneAreErrors) {
  EXPECT_EQ(Report({(scratch_.path() / "none").string(), "--out", one_.string()}).exit_code, 1);
  const BinaryResult empty = Report({two_.string()});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_EQ(empty.err, "bi-test report: " + two_.string() +
                           ": found no cert (*__ctx*.json) and no refusal file, expected the out "
                           "dir of a run\n");
}

TEST_F(CliReport, AnEditedCertIsDamagedAndNeverGreen) {
  const auto run = WriteRun(one_, testing::CleanRecord());
  std::string text = ReadText(run.cert);
  const std::size_t at = text.find("\"n_passes\": ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "\"n_passes\": 1");
  WriteText(run.cert, text);
  const BinaryResult result = Report({one_.string()});
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_THAT(ReadText(one_ / "index.html"),
              AllOf(HasSubstr("DAMAGED"), Not(HasSubstr("class=\"v green\""))));
}

TEST_F(CliReport, TheJsonDocumentNamesCellsTotalsAndFiles) {
  static_cast<void>(WriteRun(one_, RedRecord()));
  const BinaryResult result = Report({one_.string(), "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const Result<Json> document = ParseJson(result.out);
  ASSERT_TRUE(document.ok()) << result;
  const CertReader read(*document);
  ASSERT_NE(read.ListAt("cells"), nullptr);
  EXPECT_EQ(CertReader(read.ListAt("cells")->at(0)).TextAt("result"), "RED");
  EXPECT_EQ(read.IntAt("totals.red"), 1);
  EXPECT_EQ(read.TextAt("files.html"), (one_ / "index.html").string());
}

/// With `--sweep` the file says which cells there have to be, and what is accepted of them.
class CliReportSweep : public CliReport {
 protected:
  /// Two cells, m at N = 4 and N = 8, and what else the file holds.
  [[nodiscard]] BinaryResult ReportSweep(const std::string& more) const {
    WriteText(scratch_.path() / "m.gguf", "not really a model");
    WriteText(sweep_,
              "server: {binary: /bin/true}\n"
              "models: [{id: m, path: m.gguf, labels: [gpu]}]\n"
              "matrix: {ctx: 4096, parallel: [4, 8]}\n"
              "workset: {builtin: smoke}\n" +
                  more);
    return Report({one_.string(), "--sweep", sweep_, "--json"});
  }
  /// `RED failed: MESSAGE` or `AMBER passed, accepted: WHY`, one line per cell, in their order.
  [[nodiscard]] static std::string Cells(const BinaryResult& result) {
    const Result<Json> document = ParseJson(result.out);
    if (!document.ok()) return "no JSON: " + result.out + result.err;
    std::string text;
    for (const Json& cell : *document->Find("cells")->if_array()) {
      const CertReader read(cell);
      text += *read.TextAt("model") + "/" + std::to_string(*read.IntAt("dispatch_n")) + " " +
              *read.TextAt("result");
      text += *cell.Find("passed")->if_bool() ? " passed" : " failed";
      if (const auto accepted = read.TextAt("accepted")) text += ", accepted: " + *accepted;
      text += "\n";
    }
    return text;
  }
  static Record Green(int n) { return testing::CleanRecord({.dispatch_n = n}); }
  static Record Amber() {
    Record record = testing::CleanRecord();
    std::erase_if(record.trials, [](const Trial& trial) { return trial.arm == Arm::kB; });
    return record;
  }

  std::string sweep_ = (scratch_.path() / "cells.yaml").string();
};

TEST_F(CliReportSweep, ACellWithoutAResultIsNotRunAndDoesNotPass) {
  static_cast<void>(WriteRun(one_, Green(4)));
  const BinaryResult result = ReportSweep("");
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_EQ(Cells(result), "m/4 GREEN passed\nm/8 NOT RUN failed\n");
  EXPECT_THAT(result.out, HasSubstr("not run: there is no cert and no refusal of it in these "
                                    "folders"));
}

TEST_F(CliReportSweep, ACellThatItDoesNotNameStays) {
  static_cast<void>(WriteRun(one_, Green(4)));
  static_cast<void>(WriteRun(one_, Green(8)));
  Record other = RedRecord();
  other.cell.model = "other";
  static_cast<void>(WriteRun(one_, other));
  const BinaryResult result = ReportSweep("");
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_EQ(Cells(result), "m/4 GREEN passed\nm/8 GREEN passed\nother/4 RED failed\n");
}

struct AcceptedCase {
  const char* name;
  bool amber;         ///< The cell m/4 is AMBER, else RED.
  const char* sweep;  ///< The rest of the sweep file.
  const char* known;  ///< The entry of the known-verdicts file; empty: none.
  const char* cell;   ///< What the page says of it.
  int exit_code;
};
std::ostream& operator<<(std::ostream& out, const AcceptedCase& test) { return out << test.name; }

class CliReportAccepts : public CliReportSweep,
                         public ::testing::WithParamInterface<AcceptedCase> {};

TEST_P(CliReportAccepts, WhatTheSweepAndTheKnownVerdictsSay) {
  static_cast<void>(WriteRun(one_, GetParam().amber ? Amber() : RedRecord()));
  static_cast<void>(WriteRun(one_, Green(8)));
  std::string more = GetParam().sweep;
  const std::string entry = GetParam().known;
  if (!entry.empty()) {
    WriteText(scratch_.path() / "known.yaml", "version: 1\ncells:\n  - " + entry + "\n");
    more += "known_verdicts: known.yaml\n";
  }
  const BinaryResult result = ReportSweep(more);
  EXPECT_EQ(result.exit_code, GetParam().exit_code) << result;
  std::string cells = Cells(result);
  const std::string folder = scratch_.path().lexically_normal().string();
  if (const std::size_t at = cells.find(folder); at != std::string::npos) {
    cells.replace(at, folder.size(), "DIR");
  }
  EXPECT_EQ(cells, std::string(GetParam().cell) + "\nm/8 GREEN passed\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, CliReportAccepts,
    ::testing::Values(
        AcceptedCase{"AmberUnsigned", true, "", "", "m/4 AMBER failed", 3},
        AcceptedCase{"AmberSigned", true,
                     "sign_offs: [{cell: m/4096/4, by: Ada, reason: tie, expires: 2999-01-01}]\n",
                     "", "m/4 AMBER passed, accepted: signed off by Ada until 2999-01-01: tie", 0},
        AcceptedCase{"AmberSignedUntilLongAgo", true,
                     "sign_offs: [{cell: m/4096/4, by: Ada, reason: tie, expires: 2001-01-01}]\n",
                     "", "m/4 AMBER failed", 3},
        AcceptedCase{"AmberSignedElsewhere", true,
                     "sign_offs: [{cell: m/4096/8, by: Ada, reason: tie, expires: 2999-01-01}]\n",
                     "", "m/4 AMBER failed", 3},
        AcceptedCase{"RedSigned", false,
                     "sign_offs: [{cell: m/4096/4, by: Ada, reason: tie, expires: 2999-01-01}]\n",
                     "", "m/4 RED failed", 3},
        AcceptedCase{"RedKnown", false, "",
                     "{model: m, ctx: 4096, parallel: 4, verdict: RED, class: co_batching, "
                     "reason: fa}",
                     "m/4 RED passed, accepted: known RED (co_batching): fa (DIR/known.yaml:3)", 0},
        AcceptedCase{"RedKnownUntilLongAgo", false, "",
                     "{model: m, ctx: 4096, parallel: 4, verdict: RED, class: co_batching, "
                     "reason: fa, until: 2001-01-01}",
                     "m/4 RED failed", 3},
        AcceptedCase{"RedKnownOfAnotherClass", false, "",
                     "{model: m, ctx: 4096, parallel: 4, verdict: RED, class: leak, reason: fa}",
                     "m/4 RED failed", 3},
        AcceptedCase{"RedKnownAsGreen", false, "",
                     "{model: m, ctx: 4096, parallel: 4, verdict: GREEN}", "m/4 RED failed", 3}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(CliReportSweep, AGreenThatIsKnownAsRedHasChangedAndDoesNotPass) {
  static_cast<void>(WriteRun(one_, Green(4)));
  static_cast<void>(WriteRun(one_, Green(8)));
  WriteText(scratch_.path() / "known.yaml",
            "version: 1\ncells:\n  - {model: m, ctx: 4096, parallel: 4, verdict: RED, class: "
            "co_batching, reason: fa}\n");
  const BinaryResult result = ReportSweep("known_verdicts: known.yaml\n");
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_EQ(Cells(result), "m/4 GREEN failed\nm/8 GREEN passed\n");
  EXPECT_THAT(result.out, HasSubstr("the verdict has changed: known is RED (co_batching) ("));
}

TEST_F(CliReportSweep, ADamagedCertIsNotAcceptedForWhatItClaims) {
  const auto run = WriteRun(one_, RedRecord());
  static_cast<void>(WriteRun(one_, Green(8)));
  std::string text = ReadText(run.cert);
  const std::size_t at = text.find("\"n_passes\": ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "\"n_passes\": 1");
  WriteText(run.cert, text);
  WriteText(scratch_.path() / "known.yaml",
            "version: 1\ncells:\n  - {model: m, ctx: 4096, parallel: 4, verdict: RED, class: "
            "co_batching, reason: fa}\n");
  const BinaryResult result = ReportSweep("known_verdicts: known.yaml\n");
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_EQ(Cells(result), "m/4 DAMAGED failed\nm/8 GREEN passed\n");
  EXPECT_THAT(result.out, Not(HasSubstr("the verdict has changed")));
}

TEST_F(CliReport, ATraceThatIsNotTheCertsGivesNoPlots) {
  const auto run = WriteRun(one_, RedRecord());
  WriteText(run.trace, testing_support::TraceText(testing::CleanRecord()));
  static_cast<void>(Report({one_.string()}));
  EXPECT_THAT(ReadText(one_ / "index.html"),
              HasSubstr("the trace beside the cert is not the one it was made from"));
}

}  // namespace
}  // namespace bi_test
