// Laws of the judge that hold for every record.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "base/equality.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"
#include "verdict/pass_union.h"

namespace bi_test {
namespace {

using testing::CleanRecord;
using testing::RecordShape;

/// How far a verdict lets a cell go: RED and UNVERIFIED fail alike, AMBER can be signed off.
[[nodiscard]] int Permission(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return 2;
    case Verdict::kAmber:
      return 1;
    case Verdict::kRed:
    case Verdict::kUnverified:
      return 0;
  }
  return 0;
}

[[nodiscard]] RecordShape AnyShape() {
  RecordShape shape;
  shape.dispatch_n = *rc::gen::inRange(2, 5);
  shape.n_ids = *rc::gen::inRange(shape.dispatch_n, 13);
  shape.passes = *rc::gen::inRange(1, 4);
  return shape;
}

/// One of the things that go wrong.
void Disturb(Trial& trial) {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      trial.score = 0.25;
      break;
    case 1:
      trial.failure_mode = "http_timeout";
      break;
    case 2:
      trial.failure_mode = "empty";
      break;
    case 3:
      trial.content = "drift";
      break;
    case 4:
      trial.finish_reason = "length";
      break;
    case 5:
      trial.complete_ts.reset();
      break;
    case 6:
      trial.malformed_row = Json();
      break;
    default:
      trial.prompt_tokens = 1;
      break;
  }
}

/// A clean record with up to four disturbed trials.
[[nodiscard]] Record AnyRecord() {
  Record record = CleanRecord(AnyShape());
  const int n = *rc::gen::inRange(0, 5);
  for (int i = 0; i < n; ++i) {
    Disturb(record.trials[*rc::gen::inRange(std::size_t{0}, record.trials.size())]);
  }
  return record;
}

[[nodiscard]] Trial& AnyTrialOfC(Record& record) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < record.trials.size(); ++i) {
    if (record.trials[i].arm == Arm::kC) places.push_back(i);
  }
  return record.trials[places[*rc::gen::inRange(std::size_t{0}, places.size())]];
}

[[nodiscard]] Json AnyJson(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0:
      return {};
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::arbitrary<double>();
    case 4:
      return *rc::gen::arbitrary<std::string>();
    case 5:
      return *rc::gen::arbitrary<std::uint64_t>();
    case 6: {
      Json::Array out;
      const int n = *rc::gen::inRange(0, 4);
      for (int i = 0; i < n; ++i) out.push_back(AnyJson(depth - 1));
      return out;
    }
    default: {
      Json::Object out;
      const int n = *rc::gen::inRange(0, 4);
      for (int i = 0; i < n; ++i) {
        out.insert_or_assign(*rc::gen::arbitrary<std::string>(), AnyJson(depth - 1));
      }
      return out;
    }
  }
}

RC_GTEST_PROP(JudgeProperty, OrderOfTrialsAndEvidenceDoesNotMatter, ()) {
  Record record = AnyRecord();
  const Judgement before = Judge(record);
  const auto swap_some = [](auto& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[*rc::gen::inRange(std::size_t{0}, i)]);
    }
  };
  swap_some(record.trials);
  swap_some(record.evidence);
  RC_ASSERT(Judge(record) == before);
}

RC_GTEST_PROP(JudgeProperty, NamesOfIdsDoNotMatter, ()) {
  Record record = AnyRecord();
  const Judgement before = Judge(record);
  const bool reverse = *rc::gen::arbitrary<bool>();
  for (Trial& trial : record.trials) {
    if (reverse) std::reverse(trial.test_id.begin(), trial.test_id.end());
    trial.test_id.insert(0, "renamed ");
  }
  const Judgement after = Judge(record);
  RC_ASSERT(after.verdict == before.verdict);
  RC_ASSERT(after.reason_codes == before.reason_codes);
  RC_ASSERT(after.divergence_class == before.divergence_class);
  RC_ASSERT(after.ac.n_divergent == before.ac.n_divergent);
  RC_ASSERT(after.statistics == before.statistics);
}

RC_GTEST_PROP(JudgeProperty, OnePlantedScoreInACleanRecordIsRed, ()) {
  Record record = CleanRecord(AnyShape());
  Trial& trial = AnyTrialOfC(record);
  trial.score = *rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double score) {
    return !EqualValues(Json(score), Json(1.0));
  });
  RC_ASSERT(Judge(record).verdict == Verdict::kRed);
}

/// Another value than the one given, of any kind.
[[nodiscard]] Json AnyOther(const Json& value) {
  return *rc::gen::suchThat(rc::gen::exec([] { return AnyJson(2); }),
                            [value](const Json& other) { return !EqualValues(value, other); });
}

RC_GTEST_PROP(JudgeProperty, OnePlantedChangeOfAnyComparedFieldIsRed, ()) {
  Record record = CleanRecord(AnyShape());
  Trial& trial = AnyTrialOfC(record);
  const std::string id = trial.test_id;
  const auto member = *rc::gen::elementOf(std::vector<Json Trial::*>{
      &Trial::score, &Trial::passed, &Trial::extracted_answer, &Trial::expected_answer,
      &Trial::prompt_tokens_measured, &Trial::failure_mode});
  trial.*member = AnyOther(trial.*member);
  const Judgement judgement = Judge(record);
  RC_ASSERT(judgement.verdict == Verdict::kRed);
  RC_ASSERT(judgement.ac.divergent_ids == std::vector<std::string>{id});
}

RC_GTEST_PROP(JudgeProperty, OneLostForeignOrBrokenRowIsRed, ()) {
  Record record = CleanRecord(AnyShape());
  Trial& trial = AnyTrialOfC(record);
  switch (*rc::gen::inRange(0, 3)) {
    case 0: {
      const Trial lost = trial;
      testing::RemoveTrials(record, [&lost](const Trial& t) { return t == lost; });
      break;
    }
    case 1:
      trial.test_id += "x";
      break;
    default:
      trial.malformed_row = AnyJson(2);
      break;
  }
  RC_ASSERT(Judge(record).verdict == Verdict::kRed);
}

RC_GTEST_PROP(JudgeProperty, OneChangedOutputIsNotGreen, ()) {
  Record record = CleanRecord(AnyShape());
  const bool was_green = Judge(record).verdict == Verdict::kGreen;
  Trial& trial = AnyTrialOfC(record);
  const auto part = *rc::gen::elementOf(
      std::vector<Json Trial::*>{&Trial::content, &Trial::reasoning_content, &Trial::tool_calls,
                                 &Trial::finish_reason, &Trial::completion_tokens});
  trial.*part = AnyOther(trial.*part);
  const Verdict verdict = Judge(record).verdict;
  RC_ASSERT(verdict != Verdict::kGreen);
  RC_ASSERT(!was_green || verdict == Verdict::kAmber);
}

RC_GTEST_PROP(JudgeProperty, UnknownKeysDoNotMatter, ()) {
  Record record = AnyRecord();
  const Judgement before = Judge(record);
  const int n = *rc::gen::inRange(1, 4);
  for (int i = 0; i < n; ++i) {
    const std::string key = "unknown " + *rc::gen::arbitrary<std::string>();
    record.header[key] = AnyJson(2);
    for (const char* known : {"plan", "server", "workset"}) record.header[known][key] = AnyJson(1);
  }
  RC_ASSERT(Judge(record) == before);
}

RC_GTEST_PROP(UnionProperty, MergingPassesIsAssociative, ()) {
  Record record = CleanRecord({*rc::gen::inRange(1, 7), 2, 3});
  const int n = *rc::gen::inRange(0, 9);
  for (int i = 0; i < n && !record.trials.empty(); ++i) {
    const std::size_t at = *rc::gen::inRange(std::size_t{0}, record.trials.size());
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        record.trials.erase(record.trials.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1: {
        Trial empty;
        empty.arm = record.trials[at].arm;
        empty.pass = record.trials[at].pass;
        empty.test_id = record.trials[at].test_id;
        record.trials[at] = empty;
        break;
      }
      default:
        Disturb(record.trials[at]);
        break;
    }
  }
  const RecordIndex all = BuildIndex(record);
  const RowComparer comparer{Policy{}};
  const auto merge = [&](std::vector<RowMap> passes) {
    RecordIndex index;
    index.ids = all.ids;
    index.a = all.a;
    index.passes = std::move(passes);
    return BuildUnion(index, comparer).rows;
  };
  std::vector<RowMap> passes = all.passes;
  passes.resize(3);
  const auto trials = [](const RowMap& rows) {
    std::vector<std::pair<std::uint32_t, const Trial*>> out;
    for (const Row& row : rows) out.emplace_back(row.id, row.trial);
    return out;
  };
  const auto at_once = trials(merge(passes));
  RC_ASSERT(trials(merge({merge({passes[0], passes[1]}), passes[2]})) == at_once);
  RC_ASSERT(trials(merge({passes[0], merge({passes[1], passes[2]})})) == at_once);
}

RC_GTEST_PROP(JudgeProperty, AddingADivergentPassNeverImproves, ()) {
  Record record = AnyRecord();
  const int before = Permission(Judge(record).verdict);
  int last = 0;
  for (const Trial& trial : record.trials) {
    if (trial.arm == Arm::kC) last = std::max(last, trial.pass);
  }
  const std::size_t n = record.trials.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (record.trials[i].arm != Arm::kC || record.trials[i].pass != last) continue;
    Trial copy = record.trials[i];
    copy.pass = last + 1;
    copy.dispatch_ts = 1e6 + copy.dispatch_ts.value_or(0.0);
    if (copy.complete_ts) copy.complete_ts = 1e6 + *copy.complete_ts;
    record.trials.push_back(std::move(copy));
  }
  PassEvidence evidence = record.evidence.back();
  evidence.pass = last + 1;
  record.evidence.push_back(evidence);
  record.trials.back().score = 0.5;
  RC_ASSERT(Permission(Judge(record).verdict) <= before);
  RC_ASSERT(Judge(record).verdict != Verdict::kGreen);
}

RC_GTEST_PROP(JudgeProperty, RemovingEvidenceNeverMakesGreen, ()) {
  Record record = AnyRecord();
  const Judgement judged = Judge(record);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      record.trials.erase(record.trials.begin() +
                          *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(record.trials)));
      break;
    case 1:
      record.evidence.erase(record.evidence.begin());
      break;
    case 2:
      record.evidence.front().mean_busy_slots.reset();
      record.evidence.front().server_peak_busy_slots.reset();
      break;
    default:
      AnyTrialOfC(record).dispatch_ts.reset();
      break;
  }
  const Judgement after = Judge(record);
  RC_LOG() << judged << " -> " << after << '\n';
  // A lost trial may turn one reason against promotion into another (a control arm that failed into
  // one that disagrees), but none of them away.
  RC_ASSERT(judged.verdict == Verdict::kGreen || after.verdict != Verdict::kGreen);
}

RC_GTEST_PROP(JudgeProperty, EveryCertFitsItsDigestAndIsRedOnlyWithAMismatch, ()) {
  const Record record = AnyRecord();
  const Judgement judgement = Judge(record);
  const Cert cert = BuildCert(record, judgement, {}, {"2026-01-01T00:00:00Z", ""});
  RC_ASSERT(*cert.document.Find("cert_digest") == Json(CertDigest(cert)));
  RC_ASSERT(judgement.mismatch.has_value() == (judgement.verdict == Verdict::kRed));
  RC_ASSERT(CheckCertAgainst(cert, cert).empty());
  if (judgement.verdict != Verdict::kGreen) {
    RC_ASSERT(!UnmetPromotionPoints(cert, record.cell).empty());
  }
}

RC_GTEST_PROP(EqualityProperty, IsSymmetricAndReflexiveWithoutNaN, ()) {
  const Json x = AnyJson(3);
  const Json y = AnyJson(3);
  RC_ASSERT(EqualValues(x, y) == EqualValues(y, x));
  if (CompactText(x).find("NaN") == std::string::npos) RC_ASSERT(EqualValues(x, x));
}

RC_GTEST_PROP(JsonTextProperty, IsAsciiOnAnyValue, ()) {
  const std::string text = PrettyText(AnyJson(3));
  RC_ASSERT(std::all_of(text.begin(), text.end(),
                        [](char c) { return c == '\n' || (c >= ' ' && c < '\x7f'); }));
}

}  // namespace
}  // namespace bi_test
