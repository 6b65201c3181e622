// What is written is read back as it was, and judged as before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"
#include "trace/trace.h"

namespace bi_test {
namespace {

using testing::CleanRecord;

/// Text with everything that writers get wrong.
[[nodiscard]] std::string AnyText() {
  return *rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::element<std::string>("", "\u00e9\u2028\"\\/\t", "\xED\xA0\x80", "\xFF\xFE",
                                    "\U0001F642", "\\ud83d", std::string("\0", 1)));
}

[[nodiscard]] Json AnyScalar() {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return *rc::gen::arbitrary<std::int64_t>();
    case 1:
      return *rc::gen::arbitrary<double>();
    case 2:
      return AnyText();
    case 3:
      return *rc::gen::arbitrary<bool>();
    default:
      return {};
  }
}

[[nodiscard]] Record AnyRecord() {
  Record record = CleanRecord({*rc::gen::inRange(4, 9), 4, *rc::gen::inRange(1, 3)});
  const int n = *rc::gen::inRange(0, 6);
  for (int i = 0; i < n; ++i) {
    Trial& trial = record.trials[*rc::gen::inRange(std::size_t{0}, record.trials.size())];
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        trial.score = AnyScalar();
        break;
      case 1:
        trial.content = AnyText();
        break;
      case 2:
        trial.extracted_answer = AnyScalar();
        break;
      case 3:
        trial.failure_mode = *rc::gen::element<std::string>("http_timeout", "empty", "\x1b");
        break;
      case 4:
        trial.family = AnyText();
        break;
      default:
        trial.complete_ts.reset();
        break;
    }
  }
  return record;
}

[[nodiscard]] Cert CertOf(const Record& record) {
  return BuildCert(record, Judge(record), {}, {"2026-01-01T00:00:00Z", std::string(64, 'b')});
}

RC_GTEST_PROP(CertProperty, ReadingWhatWasWrittenGivesTheSameCert, ()) {
  const Cert cert = CertOf(AnyRecord());
  const std::string text = CertText(cert);
  const Result<Json> read = ParseJson(text);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == cert.document);
  RC_ASSERT(CertText(Cert{*read}) == text);
  RC_ASSERT(CertDigest(Cert{*read}) == CertDigest(cert));
}

RC_GTEST_PROP(CertProperty, OneChangedByteIsNoticed, ()) {
  const Cert cert = CertOf(AnyRecord());
  std::string text = CertText(cert);
  const std::size_t at = *rc::gen::inRange(std::size_t{0}, text.size());
  const char other =
      *rc::gen::suchThat(rc::gen::arbitrary<char>(), [&](char c) { return c != text[at]; });
  text[at] = other;
  const Result<Json> read = ParseJson(text);
  // A document of the same values, such as with one blank for another, is the same cert.
  if (!read.ok() || *read == cert.document) return;
  const Cert changed{*read};
  const Json* digest = read->Find("cert_digest");
  RC_ASSERT(digest == nullptr || *digest != Json(CertDigest(changed)));
  RC_ASSERT(!UnmetPromotionPoints(changed, {"m", 4096, 4, "f16"}).empty());
}

/// The trace text of a record, each line with `extra` members.
[[nodiscard]] std::string TraceOf(const Record& record, const std::string& extra) {
  std::string out;
  const auto add = [&](std::string line) {
    line.insert(1, extra);
    out += line;
  };
  add(trace::HeaderLine(record));
  for (const Trial& trial : record.trials) add(trace::TrialLine(trial));
  for (const PassEvidence& evidence : record.evidence) add(trace::EvidenceLine(evidence));
  out += trace::EndLine(record);
  return out;
}

RC_GTEST_PROP(TraceProperty, AJudgementSurvivesTheTrace, ()) {
  const Record record = AnyRecord();
  const Result<Record> read = trace::ParseTrace(TraceOf(record, ""));
  RC_ASSERT(read.ok());
  RC_ASSERT(Judge(*read) == Judge(record));
}

RC_GTEST_PROP(TraceProperty, UnknownKeysOfAnyLineDoNotMatter, ()) {
  const Record record = AnyRecord();
  const std::string value = *rc::gen::element<std::string>(
      "5", "null", "\"text\"", "[1,{\"a\":[]}]", "{\"score\":0.0,\"arm\":\"C\"}");
  const Result<Record> read = trace::ParseTrace(TraceOf(record, "\"zz_unknown\":" + value + ","));
  RC_ASSERT(read.ok());
  RC_ASSERT(Judge(*read) == Judge(record));
}

}  // namespace
}  // namespace bi_test
