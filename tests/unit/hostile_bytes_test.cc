// A cert and its trace, cut at every byte and with every byte changed.
//
// The rule: what promotes is a cert that its trace bears out. So of a pair in which one byte is
// missing or different either a file is refused, or at least one promotion point is unmet, or
// verifying names a difference; unless the change leaves the cert the same JSON document (`\u00e9`
// and `\u00E9`). Every byte of a trace counts, because the cert holds its digest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/json_reader.h"
#include "base/sha256.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/address_sanitizer.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "trace/trace.h"

namespace bi_test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using testing_support::TraceText;

constexpr const char* kTime = "2026-01-02T03:04:05Z";

/// One bit of each kind: another digit or letter, the other case, no ASCII.
constexpr unsigned char kMasks[] = {0x01, 0x20, 0x80};
/// Every byte takes minutes under a sanitizer.
constexpr std::size_t kStep = testing_support::kAddressSanitizer ? 7 : 1;

/// What JudgeTrace makes of the text of a trace; nothing when it is refused.
[[nodiscard]] std::optional<Cert> CertOfTrace(const std::string& text) {
  Result<Record> record = trace::ParseTrace(text);
  if (!record.ok()) {
    EXPECT_NE(record.error().message, "");
    return std::nullopt;
  }
  Policy policy;
  if (const Json* recorded = record->header.Find("policy")) {
    const Result<Policy> parsed = ParsePolicyJson(*recorded);
    if (!parsed.ok()) return std::nullopt;
    policy = *parsed;
  }
  return BuildCert(*record, Judge(*record, policy), policy, {kTime, Sha256Hex(text)});
}

[[nodiscard]] bool IsGreen(const Cert& cert) {
  const Json* status = cert.document.Find("status");
  return status != nullptr && *status == Json("green");
}

/// What Judge compares of a trial. Token ids that one side lacks were not measured: then the texts
/// alone are compared.
struct Compared {
  std::string fields;
  std::optional<std::vector<std::int64_t>> token_ids;
};
using ComparedTrials = std::map<std::tuple<Arm, int, std::string>, Compared>;
[[nodiscard]] ComparedTrials ComparedOf(const std::string& text) {
  ComparedTrials out;
  const Result<Record> record = trace::ParseTrace(text);
  if (!record.ok()) return out;
  for (const Trial& t : record->trials) {
    Compared& compared = out[{t.arm, t.pass, t.test_id}];
    for (const Json* value :
         {&t.score, &t.passed, &t.extracted_answer, &t.expected_answer, &t.prompt_tokens_measured,
          &t.failure_mode, &t.content, &t.finish_reason, &t.completion_tokens}) {
      compared.fields += CompactText(*value) + "\n";
    }
    compared.token_ids = t.token_ids;
  }
  return out;
}

[[nodiscard]] bool Agree(const ComparedTrials& x, const ComparedTrials& y) {
  return x.size() == y.size() && std::all_of(x.begin(), x.end(), [&y](const auto& entry) {
           const auto other = y.find(entry.first);
           if (other == y.end() || entry.second.fields != other->second.fields) return false;
           const auto& ids = entry.second.token_ids;
           return !ids || !other->second.token_ids || *ids == *other->second.token_ids;
         });
}

class HostileBytes : public ::testing::Test {
 protected:
  static constexpr int kIds = 5;
  HostileBytes() {
    Record record = testing::CleanRecord({kIds, 2, 1});
    for (Trial& trial : record.trials) {
      trial.margins.reset();
      // All requests of the pass side by side.
      if (trial.arm == Arm::kC) trial.dispatch_ts = 1000.0, trial.complete_ts = 1000.5;
    }
    trace_ = TraceText(record);
    cert_ = CertOfTrace(trace_).value();
  }

  std::string trace_;
  Cert cert_;
};

TEST_F(HostileBytes, TheUnchangedPairIsGreenAndVerified) {
  ASSERT_TRUE(IsGreen(cert_));
  ASSERT_THAT(CheckCertAgainst(cert_, CertOfTrace(trace_).value()), IsEmpty());
}

TEST_F(HostileBytes, ATraceCutAnywhereIsRefusedOrDiffers) {
  int judged = 0;
  for (std::size_t length = 0; length < trace_.size(); ++length) {
    const std::optional<Cert> cert = CertOfTrace(trace_.substr(0, length));
    if (!cert) continue;
    ++judged;
    EXPECT_THAT(CheckCertAgainst(cert_, *cert), Not(IsEmpty())) << length;
    // Only the last newline may be missing; every other cut loses the closing record.
    EXPECT_EQ(IsGreen(*cert), length + 1 == trace_.size()) << length;
  }
  // Each line but the last can be cut before and after its newline.
  const auto lines = std::count(trace_.begin(), trace_.end(), '\n');
  EXPECT_EQ(judged, 2 * (lines - 1) + 1);
}

TEST_F(HostileBytes, ATraceWithAByteChangedIsRefusedOrDiffers) {
  const ComparedTrials compared = ComparedOf(trace_);
  int judged = 0;
  for (std::size_t i = 0; i < trace_.size(); i += kStep) {
    std::string text = trace_;
    const unsigned char mask = kMasks[i / kStep % std::size(kMasks)];
    text[i] = static_cast<char>(static_cast<unsigned char>(text[i]) ^ mask);
    const std::optional<Cert> cert = CertOfTrace(text);
    if (!cert) continue;
    ++judged;
    ASSERT_THAT(CheckCertAgainst(cert_, *cert), Not(IsEmpty())) << "byte " << i;
    // Even apart from the digest: GREEN only when all that is compared is what it was.
    if (IsGreen(*cert)) {
      ASSERT_TRUE(Agree(ComparedOf(text), compared))
          << "byte " << i << ": " << text.substr(i < 40 ? 0 : i - 40, 80);
    }
  }
  EXPECT_GT(judged, 1000 / kStep);
}

/// A cert that all points of promotion are met for.
[[nodiscard]] Cert Promotable(Cell& cell) {
  Record record = testing::CleanRecord({30, 4, 1});
  record.header["provenance"]["finished_utc"] = kTime;
  cell = record.cell;
  return CertOfTrace(TraceText(record)).value();
}

TEST(HostileCertBytes, ACertCutAnywhereIsRefused) {
  Cell cell;
  const std::string text = CertText(Promotable(cell));
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ParseJson(text.substr(0, length)).ok()) << length;
  }
}

TEST(HostileCertBytes, ACertWithAByteChangedIsRefusedOrNotPromotable) {
  Cell cell;
  const Cert good = Promotable(cell);
  ASSERT_THAT(UnmetPromotionPoints(good, cell), IsEmpty());
  const std::string text = CertText(good);
  int accepted = 0;
  for (std::size_t i = 0; i < text.size(); i += kStep) {
    for (const unsigned char mask : kMasks) {
      std::string changed = text;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ mask);
      Result<Json> document = ParseJson(changed);
      if (!document.ok()) continue;
      ++accepted;
      const bool same = *document == good.document;
      const Cert cert{std::move(document).value()};
      ASSERT_EQ(UnmetPromotionPoints(cert, cell).empty(), same) << "byte " << i;
      ASSERT_EQ(CheckCertAgainst(cert, good).empty(), same) << "byte " << i;
      ASSERT_NE(ExplainCert(cert), "");
    }
  }
  EXPECT_GT(accepted, 1000 / kStep);
}

}  // namespace
}  // namespace bi_test
