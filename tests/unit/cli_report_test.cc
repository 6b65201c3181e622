// `bi-test report`: many folders, one page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "core/cert_reader.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"
#include "wire/json_reader.h"

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
  const Result<Json> document = wire::ParseJson(result.out);
  ASSERT_TRUE(document.ok()) << result;
  const CertReader read(*document);
  ASSERT_NE(read.ListAt("cells"), nullptr);
  EXPECT_EQ(CertReader(read.ListAt("cells")->at(0)).TextAt("result"), "RED");
  EXPECT_EQ(read.IntAt("totals.red"), 1);
  EXPECT_EQ(read.TextAt("files.html"), (one_ / "index.html").string());
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
