// The history of a cell: a later clean run never erases a RED.
#include "run/attempts.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "run/cell_files.h"
#include "support/temp_dir.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const Cell kCell{"m", 4096, 4, "f16"};

std::string Read(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

Cert CertOf(const std::string& run_id, const std::string& status) {
  Cert cert;
  cert.document["provenance"]["run_id"] = run_id;
  cert.document["status"] = status;
  cert.document["ts_utc"] = "2026-01-02T03:04:05Z";
  cert.document["transport_only"] = false;
  cert.document["reason_codes"] = Json(Json::Array{status == "failed" ? "AC_DIVERGED" : "CLEAN"});
  cert.document["divergence_report"]["AC"]["n_divergent"] = status == "failed" ? 3 : 0;
  cert.document["attempts"]["subject"] = "s";
  cert.document["cert_digest"] = CertDigest(cert);
  return cert;
}

class AttemptLedgerTest : public ::testing::Test {
 protected:
  [[nodiscard]] AttemptLedger Open() {
    Result<AttemptLedger> ledger = AttemptLedger::Open(file_);
    if (!ledger.ok()) ADD_FAILURE() << ledger.error().Text();
    return std::move(*ledger);
  }
  [[nodiscard]] static std::vector<std::string> RunIds(const Json& summary) {
    std::vector<std::string> ids;
    for (const Json& one : *summary.Find("earlier")->if_array()) {
      ids.push_back(*one.Find("run_id")->if_string());
    }
    return ids;
  }

  test_support::TempDir dir_;
  fs::path file_ = dir_.path() / "m__ctx4096__N4.attempts.jsonl";
};

TEST_F(AttemptLedgerTest, RunsStayInTheOrderInWhichTheyEnded) {
  {
    AttemptLedger ledger = Open();
    ASSERT_TRUE(ledger.Append(CertOf("r1", "failed")).ok());
    ASSERT_TRUE(ledger.Append(CertOf("r2", "green")).ok());
  }
  const Json summary = Open().Summary("s");
  EXPECT_THAT(RunIds(summary), ::testing::ElementsAre("r1", "r2"));
  EXPECT_EQ(*summary.Find("n_earlier"), Json(2));
  EXPECT_EQ(*summary.Find("readable"), Json(true));
  EXPECT_EQ(*summary.Find("subject"), Json("s"));
  const Json& red = summary.Find("earlier")->if_array()->front();
  EXPECT_EQ(*red.Find("n_divergent"), Json(3));
  EXPECT_EQ(*red.Find("subject"), Json("s"));
}

TEST_F(AttemptLedgerTest, OneProcessAtATimeHasACell) {
  const AttemptLedger held = Open();
  const Result<AttemptLedger> second = AttemptLedger::Open(file_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kRefused);
  EXPECT_EQ(second.error().message,
            "another process is running this very cell in this out dir; wait for it, or give this "
            "run an out dir of its own");
}

TEST_F(AttemptLedgerTest, ADamagedLineIsToldAndTheOthersStand) {
  std::ofstream(file_) << "{\"run_id\":\"r0\",\"status\":\"failed\"}\n{\"run_id\":\"r";
  {
    AttemptLedger ledger = Open();
    EXPECT_FALSE(ledger.readable());
    ASSERT_TRUE(ledger.Append(CertOf("r2", "green")).ok());
  }
  const Json summary = Open().Summary("s");
  EXPECT_THAT(RunIds(summary), ::testing::ElementsAre("r0", "r2"))
      << "the new line must not stick to the torn one";
  EXPECT_EQ(*summary.Find("readable"), Json(false));
}

TEST_F(AttemptLedgerTest, ALinkInThePlaceOfTheHistoryIsNotFollowed) {
  fs::create_symlink(dir_.path() / "elsewhere", file_);
  EXPECT_FALSE(AttemptLedger::Open(file_).ok());
  EXPECT_FALSE(fs::exists(dir_.path() / "elsewhere"));
}

TEST_F(AttemptLedgerTest, RedsAreTheLastToBeLeftOut) {
  {
    AttemptLedger ledger = Open();
    ASSERT_TRUE(ledger.Append(CertOf("red", "failed")).ok());
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(ledger.Append(CertOf("g" + std::to_string(i), "green")).ok());
    }
  }
  const Json summary = Open().Summary("s");
  const std::vector<std::string> ids = RunIds(summary);
  EXPECT_EQ(*summary.Find("n_earlier"), Json(61));
  ASSERT_EQ(ids.size(), 50u);
  EXPECT_EQ(ids.front(), "red");
  EXPECT_EQ(ids[1], "g11");
  EXPECT_EQ(ids.back(), "g59");
}

class EarlierRunTest : public AttemptLedgerTest {
 protected:
  void Put(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() / name) << text;
  }
  void SetAside() {
    const Result<CellFiles> files = NameCellFiles(dir_.path(), kCell, "r9");
    ASSERT_TRUE(files.ok()) << files.error().Text();
    AttemptLedger ledger = Open();
    const Status status = SetEarlierRunAside(*files, ledger);
    ASSERT_TRUE(status.ok()) << status.error().Text();
    summary_ = ledger.Summary("s");
  }
  Json summary_;
};

TEST_F(EarlierRunTest, ARedIsKeptForGoodWithItsTrace) {
  const Cert red = CertOf("r1", "failed");
  Put("m__ctx4096__N4.json", CertText(red));
  Put("m__ctx4096__N4.trace.jsonl", "the trace");
  SetAside();
  EXPECT_FALSE(fs::exists(dir_.path() / "m__ctx4096__N4.json"));
  EXPECT_EQ(Read(dir_.path() / "m__ctx4096__N4.json.prev"), CertText(red));
  EXPECT_THAT(RunIds(summary_), ::testing::ElementsAre("r1"));

  Put("m__ctx4096__N4.json", CertText(CertOf("r2", "green")));
  Put("m__ctx4096__N4.trace.jsonl", "a later trace");
  SetAside();
  EXPECT_EQ(Read(dir_.path() / "attempts/m__ctx4096__N4__r1.json"), CertText(red));
  EXPECT_EQ(Read(dir_.path() / "attempts/m__ctx4096__N4__r1.trace.jsonl"), "the trace");
  EXPECT_FALSE(fs::exists(dir_.path() / "attempts/m__ctx4096__N4__r2.json"));
  EXPECT_THAT(RunIds(summary_), ::testing::ElementsAre("r1", "r2"));
}

TEST_F(EarlierRunTest, ARunIdIsNeverAPath) {
  const Cert red = CertOf("../../x", "failed");
  Put("m__ctx4096__N4.json", CertText(red));
  SetAside();
  EXPECT_EQ(
      Read(dir_.path() / ("attempts/m__ctx4096__N4__" + CertDigest(red).substr(0, 32) + ".json")),
      CertText(red));
}

TEST_F(EarlierRunTest, WhatIsNoCertIsOnlySetAside) {
  Put("m__ctx4096__N4.json", "no cert");
  SetAside();
  EXPECT_EQ(Read(dir_.path() / "m__ctx4096__N4.json.prev"), "no cert");
  EXPECT_EQ(*summary_.Find("n_earlier"), Json(0));
}

TEST_F(EarlierRunTest, ACertIsAdoptedOnce) {
  const Cert red = CertOf("r1", "failed");
  {
    AttemptLedger ledger = Open();
    ASSERT_TRUE(ledger.Append(red).ok());
  }
  Put("m__ctx4096__N4.json", CertText(red));
  SetAside();
  EXPECT_EQ(*summary_.Find("n_earlier"), Json(1));
  EXPECT_EQ(*AttemptsBeside(dir_.path() / "m__ctx4096__N4.json").Find("n_earlier"), Json(1));
}

}  // namespace
}  // namespace bi_test::run
