// Certs of the older kind (no schema_version): they load and are shown with what they lack; nothing
// promotes or verifies them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "run/cert_file.h"
#include "support/recorded_run.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"
#include "unit/approved.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using test_support::TempDir;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::ExpectApproved;

struct Older {
  const char* name;
  const char* file;
  const char* model;
};

const Older kOlder[] = {
    {"full GREEN", "full_green.json", "phi-4"},
    {"full RED", "full_red.json", "caf\xC3\xA9-7b"},
    {"first of two writes, ten keys", "short_ten_keys.json", "phi-4"},
    {"four keys that the older rule promoted", "four_keys.json", "phi-4"},
};

[[nodiscard]] fs::path FileOf(const Older& older) {
  return fs::path(BI_TEST_UNIT_DATA_DIR) / "older_certs" / older.file;
}

[[nodiscard]] BinaryResult BiTest(std::vector<std::string> args) {
  testing_support::BinaryOptions options;
  options.args = std::move(args);
  return testing_support::RunBinary(BI_TEST_PROGRAM, options);
}

[[nodiscard]] std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(OlderCerts, AreShownWithWhatTheyLack) {
  for (const Older& older : kOlder) {
    const Result<Cert> cert = run::LoadCert(FileOf(older));
    ASSERT_TRUE(cert.ok()) << older.name << ": " << cert.error().Text();
    ExpectApproved(std::string("older_") + fs::path(older.file).stem().string() + ".txt",
                   ExplainCert(*cert));
    const BinaryResult shown = BiTest({"show", FileOf(older).string()});
    EXPECT_EQ(shown.out, FileOf(older).string() + "\n" + ExplainCert(*cert)) << older.name;
    EXPECT_EQ(shown.exit_code, 3) << older.name << shown;
  }
}

TEST(OlderCerts, AreNeverPromotedAndTheReasonIsSaid) {
  for (const Older& older : kOlder) {
    const TempDir dir;
    const Cell cell{older.model, 8192, 4, "q8_0"};
    fs::copy_file(FileOf(older), run::CertPath(dir.path(), cell));
    const BinaryResult result = BiTest({"promote", "--cert-dir", dir.path().string(), "--model",
                                        older.model, "--ctx", "8192", "--parallel", "4"});
    EXPECT_EQ(result.exit_code, 3) << older.name << result;
    EXPECT_THAT(result.out, StartsWith("SCHEMA: schema_version: found nothing, expected 2\n"))
        << older.name;
    EXPECT_EQ(Lines(result.out).back(),
              "NO_TRACE: a cert of an older kind (no schema_version): there is no trace to "
              "recompute it from; run the cell again")
        << older.name;
    EXPECT_EQ(result.err, "") << older.name;
  }
}

TEST(OlderCerts, CannotBeVerifiedForLackOfATrace) {
  for (const Older& older : kOlder) {
    const BinaryResult result = BiTest({"verify", FileOf(older).string()});
    EXPECT_EQ(result.exit_code, 1) << older.name << result;
    EXPECT_EQ(result.err, "bi-test verify: " + FileOf(older).string() +
                              ": a cert of an older kind (no schema_version): there is no trace to "
                              "recompute it from; run the cell again\n")
        << older.name;
    EXPECT_EQ(result.out, "") << older.name;
  }
}

/// Whoever names a trace gets an answer about that trace.
TEST(OlderCerts, AreComparedWithATraceThatIsNamed) {
  const TempDir dir;
  testing_support::WriteText(dir.path() / "t.jsonl",
                             R"({"record":"bi_test.trace/1","cell":{"model":"phi-4","ctx":8192,)"
                             R"("dispatch_n":4,"kv_label":"q8_0"},"source":"live"})"
                             "\n");
  const BinaryResult result =
      BiTest({"verify", FileOf(kOlder[0]).string(), "--trace", (dir.path() / "t.jsonl").string()});
  EXPECT_EQ(result.exit_code, 3) << result;
  EXPECT_THAT(Lines(result.out),
              Contains("status: stored \"green\", recomputed \"green_unverified\""));
}

TEST(OlderCerts, OfANewerKindSayThatTheyAreNotUnderstood) {
  const Cert cert{*ParseJson(R"({"schema_version":3,"verdict":"GREEN"})")};
  EXPECT_THAT(ExplainCert(cert),
              HasSubstr("\nschema_version is 3, this program knows 2: what follows may be "
                        "incomplete\n"));
  EXPECT_THAT(ExplainCert(Cert{*ParseJson("{}")}),
              HasSubstr("\nthis is no cert: it has neither a schema_version nor a status\n"));
}

}  // namespace
}  // namespace bi_test
