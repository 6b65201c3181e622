// `--json` of judge, verify, promote and show: one JSON document on standard output whatever
// happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "cert/cert_reader.h"
#include "run/cert_file.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using test_support::TempDir;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::RecordedRun;
using testing_support::WriteRun;

[[nodiscard]] BinaryResult BiTest(std::vector<std::string> args) {
  testing_support::BinaryOptions options;
  options.args = std::move(args);
  return testing_support::RunBinary(BI_TEST_PROGRAM, options);
}

/// The one document on standard output; null, and a failure, when it is none.
[[nodiscard]] Json Output(const BinaryResult& result) {
  EXPECT_TRUE(result.out.ends_with("\n")) << result;
  Result<Json> document = ParseJson(result.out);
  EXPECT_TRUE(document.ok()) << (document.ok() ? "" : document.error().Text()) << "\n" << result;
  return document.ok() ? *document : Json();
}

[[nodiscard]] Json At(const Json& document, std::string_view path) {
  const Json* found = CertReader(document).At(path);
  return found == nullptr ? Json("absent") : *found;
}

/// One folder with a promotable run, and one with a RED run.
class CliJson : public ::testing::Test {
 protected:
  CliJson() {
    fs::create_directories(red_dir_);
    fs::create_directories(good_dir_);
    good_ = WriteRun(good_dir_, testing::CleanRecord({30, 4, 2}));
    Record record = testing::CleanRecord();
    testing::At(record, Arm::kC, 1, "w02").score = 0.0;
    red_ = WriteRun(red_dir_, record);
  }

  [[nodiscard]] static std::vector<std::string> Promote(const fs::path& dir) {
    return {"promote", "--cert-dir", dir.string(), "--model", "m",
            "--ctx",   "4096",       "--parallel", "4",       "--json"};
  }

  TempDir dir_;
  fs::path good_dir_ = dir_.path() / "good";
  fs::path red_dir_ = dir_.path() / "red";
  RecordedRun good_, red_;
};

TEST_F(CliJson, JudgePrintsTheSameWithAndWithoutIt) {
  const BinaryResult with = BiTest({"judge", red_.trace.string(), "--json"});
  EXPECT_EQ(with.exit_code, 3) << with;
  EXPECT_EQ(At(Output(with), "status"), Json("failed"));
  // The time of writing aside, and with it the digest.
  Json plain = Output(BiTest({"judge", red_.trace.string()}));
  Json document = Output(with);
  for (Json* one : {&plain, &document}) {
    (*one)["ts_utc"] = Json();
    (*one)["cert_digest"] = Json();
  }
  EXPECT_EQ(plain, document);
  EXPECT_EQ(BiTest({"judge", good_.trace.string(), "--json"}).exit_code, 0);
}

TEST_F(CliJson, ShowHoldsTheCertAndItsUnmetPoints) {
  const BinaryResult good = BiTest({"show", good_.cert.string(), "--json"});
  EXPECT_EQ(good.exit_code, 0) << good;
  EXPECT_EQ(At(Output(good), "cert"), good_.run.cert.document);
  EXPECT_EQ(At(Output(good), "promotable"), Json(true));
  EXPECT_EQ(At(Output(good), "unmet"), Json(Json::Array{}));
  EXPECT_EQ(At(Output(good), "path"), Json(good_.cert.string()));

  const BinaryResult red = BiTest({"show", red_.cert.string(), "--json"});
  EXPECT_EQ(red.exit_code, 3) << red;
  EXPECT_EQ(At(Output(red), "promotable"), Json(false));
  EXPECT_EQ(At(Output(red), "unmet").if_array()->front(),
            Json("STATUS: status: found \"failed\", expected \"green\""));
}

TEST_F(CliJson, VerifyListsTheDifferences) {
  const BinaryResult good = BiTest({"verify", good_.cert.string(), "--json"});
  EXPECT_EQ(good.exit_code, 0) << good;
  EXPECT_EQ(At(Output(good), "verified"), Json(true));
  EXPECT_EQ(At(Output(good), "differences"), Json(Json::Array{}));
  EXPECT_EQ(At(Output(good), "cert"), Json(good_.cert.string()));
  EXPECT_EQ(At(Output(good), "trace"), Json(good_.trace.string()));

  Cert edited = red_.run.cert;
  edited.document["status"] = "green";
  edited.document["cert_digest"] = CertDigest(edited);
  testing_support::WriteText(red_.cert, CertText(edited));
  const BinaryResult red = BiTest({"verify", red_.cert.string(), "--json"});
  EXPECT_EQ(red.exit_code, 3) << red;
  EXPECT_EQ(At(Output(red), "verified"), Json(false));
  EXPECT_EQ(At(Output(red), "differences"),
            Json(Json::Array{"status: stored \"green\", recomputed \"failed\""}));
}

TEST_F(CliJson, PromoteListsTheUnmetPoints) {
  const BinaryResult good = BiTest(Promote(good_dir_));
  EXPECT_EQ(good.exit_code, 0) << good;
  EXPECT_EQ(At(Output(good), "promotable"), Json(true));
  EXPECT_EQ(At(Output(good), "unmet"), Json(Json::Array{}));
  EXPECT_EQ(At(Output(good), "cert"), Json(good_.cert.string()));

  const BinaryResult red = BiTest(Promote(red_dir_));
  EXPECT_EQ(red.exit_code, 3) << red;
  EXPECT_EQ(At(Output(red), "promotable"), Json(false));
  EXPECT_EQ(At(Output(red), "unmet").if_array()->front(),
            Json("STATUS: status: found \"failed\", expected \"green\""));
}

struct Trouble {
  const char* name;
  std::vector<std::string> args;
  int exit_code;
  const char* code;
  std::string message;
  std::string where;
};

TEST_F(CliJson, AnErrorIsAnObjectTooAndItsTextGoesToStandardError) {
  const std::string none = (dir_.path() / "none").string();
  const std::string broken = (dir_.path() / "broken").string();
  testing_support::WriteText(broken, "{");
  fs::rename(red_.trace, dir_.path() / "aside");
  const std::string enoent = "cannot open the file: ENOENT (No such file or directory)";
  const Trouble cases[] = {
      {"judge nothing", {"judge", none}, 1, "not_found", enoent, none},
      {"judge a directory",
       {"judge", dir_.path().string()},
       1,
       "not_found",
       "found a directory, expected a regular file",
       dir_.path().string()},
      {"judge no trace",
       {"judge", broken},
       1,
       "invalid_file",
       "the trace is truncated at line 1, which has no newline: invalid JSON at byte 1: expected a "
       "key in double quotes; run the cell again",
       broken + ":1"},
      {"show nothing", {"show", none}, 1, "not_found", enoent, none},
      {"show no cert",
       {"show", broken},
       1,
       "invalid_file",
       "no cert: invalid JSON at byte 1: expected a key in double quotes",
       broken},
      {"verify nothing", {"verify", none}, 1, "not_found", enoent, none},
      {"verify without the trace",
       {"verify", red_.cert.string()},
       1,
       "not_found",
       "cannot judge the trace of this cert: " + enoent + "; name the right one with --trace",
       red_.trace.string()},
      {"verify an older cert",
       {"verify", std::string(BI_TEST_UNIT_DATA_DIR) + "/older_certs/full_green.json"},
       1,
       "not_found",
       "a cert of an older kind (no schema_version): there is no trace to recompute it from; run "
       "the "
       "cell again",
       std::string(BI_TEST_UNIT_DATA_DIR) + "/older_certs/full_green.json"},
      {"promote nothing",
       {"promote", "--cert-dir", none, "--model", "m", "--ctx", "8", "--parallel", "2"},
       1,
       "not_found",
       "found no cert of m ctx=8 N=2, expected one: run the cell, or name the folder of its cert; "
       "the folder has none",
       none + "/m__ctx8__N2.json"},
      {"promote another N",
       {"promote", "--cert-dir", good_dir_.string(), "--model", "m", "--ctx", "4096", "--parallel",
        "8"},
       1,
       "not_found",
       "found no cert of m ctx=4096 N=8, expected one: run the cell, or name the folder of its "
       "cert; the folder has m__ctx4096__N4.json",
       (good_dir_ / "m__ctx4096__N8.json").string()},
      {"promote no cell",
       {"promote", "--cert-dir", none, "--model", "", "--ctx", "8", "--parallel", "2"},
       2,
       "usage",
       "no cell can be called  ctx=8 N=2: a non-empty model, ctx >= 1 and N >= 2 are needed",
       ""},
  };
  for (Trouble one : cases) {
    const BinaryResult plain = BiTest(one.args);
    EXPECT_EQ(plain.exit_code, one.exit_code) << one.name << plain;
    EXPECT_EQ(plain.out, "") << one.name;
    const std::string text = "bi-test " + one.args.front() + ": " +
                             Error{ErrorCode::kUsage, one.message, one.where}.Text() + "\n";
    EXPECT_EQ(plain.err, text) << one.name;

    one.args.push_back("--json");
    const BinaryResult result = BiTest(one.args);
    EXPECT_EQ(result.exit_code, one.exit_code) << one.name << result;
    EXPECT_EQ(result.err, text) << one.name;
    Json expected;
    expected["error"]["code"] = one.code;
    expected["error"]["message"] = one.message;
    expected["error"]["where"] = one.where;
    EXPECT_EQ(Output(result), expected) << one.name;
  }
}

TEST_F(CliJson, AWrongCommandLineIsAnErrorObjectTooWhenJsonIsAskedFor) {
  const struct {
    std::vector<std::string> args;
    const char* message;
  } cases[] = {
      {{"judge", "--json"}, "TRACE is required"},
      {{"show", "--json", "--bogus", "x"}, "The following argument was not expected: --bogus"},
      {{"promote", "--json", "--cert-dir", "d", "--model", "m", "--ctx", "x", "--parallel", "2"},
       "Could not convert: --ctx = x"},
  };
  for (const auto& one : cases) {
    const BinaryResult result = BiTest(one.args);
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_EQ(At(Output(result), "error.code"), Json("usage"));
    EXPECT_EQ(At(Output(result), "error.message"), Json(one.message));
    EXPECT_EQ(At(Output(result), "error.where"), Json(""));
    EXPECT_THAT(result.err, HasSubstr(one.message));
  }
  EXPECT_EQ(BiTest({"judge"}).out, "");
  EXPECT_EQ(BiTest({"judge"}).err,
            "bi-test judge: TRACE is required; `bi-test judge --help` lists what there is\n");
  EXPECT_EQ(BiTest({}).err,
            "bi-test: A subcommand is required: run, plan, judge, verify, promote, report, known, "
            "show, workset, make-model; `bi-test --help` lists what there is\n");
}

TEST_F(CliJson, TextThatIsNoUtf8IsReplacedSoThatTheOutputStaysJson) {
  const std::string name = (dir_.path() / "\xFF\x1b[31m\"").string();
  const BinaryResult result = BiTest({"show", name, "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(*At(Output(result), "error.where").if_string(), HasSubstr("\\xff\\x1b[31m\""));
  EXPECT_THAT(result.err, HasSubstr("\\xff\\x1b[31m\""));

  fs::copy_file(good_.cert, name);
  const BinaryResult shown = BiTest({"show", name, "--json"});
  EXPECT_EQ(shown.exit_code, 0) << shown;
  EXPECT_THAT(*At(Output(shown), "path").if_string(), HasSubstr("\uFFFD\x1b[31m\""));
  EXPECT_THAT(BiTest({"show", name}).out, HasSubstr("/\\xff\\x1b[31m\"\nGREEN  m"));
}

TEST_F(CliJson, OutputThatCannotBeWrittenIsAnError) {
  testing_support::BinaryOptions options;
  options.args = {
      "-c", std::string(BI_TEST_PROGRAM) + " show '" + good_.cert.string() + "' --json >/dev/full"};
  const BinaryResult result = testing_support::RunBinary("/bin/sh", options);
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.err, "bi-test: cannot write standard output\n");
}

TEST_F(CliJson, HelpSaysWhatItPrints) {
  for (const char* command : {"verify", "promote", "show"}) {
    EXPECT_THAT(BiTest({command, "--help"}).out,
                HasSubstr("print one JSON object, of an error too ({\"error\": {...}})"))
        << command;
  }
  EXPECT_THAT(BiTest({"judge", "--help"}).out,
              HasSubstr("the cert is JSON already; with this an error is one JSON object too"));
}

}  // namespace
}  // namespace bi_test
