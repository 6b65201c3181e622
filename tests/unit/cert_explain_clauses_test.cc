// Lines of `show` that depend on what a cert can say: the clean bound or why there is none, and
// figures cut to a length that people read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

[[nodiscard]] Cert CertOf(const Record& record) {
  return BuildCert(record, Judge(record), {}, {"2026-01-02T03:04:05Z", ""});
}

struct Bound {
  const char* name;
  std::function<void(Record&)> change_record;
  std::function<void(Json&)> change_cert;
  const char* text;
};

TEST(ExplainCert, SaysTheCleanBoundOrWhyThereIsNone) {
  const auto as_is = [](Record&) {};
  const auto keep = [](Json&) {};
  const auto no_width = [](Record& r) { r.evidence.clear(); };
  const Bound cases[] = {
      {"clean", as_is, keep, "; clean bound 0.3123\n"},
      {"differing", [](Record& r) { testing::At(r, Arm::kC, 1, "w02").score = 0.0; }, keep,
       "; no clean bound: 1 prompt(s) differ\n"},
      {"nothing in company", no_width, [](Json& c) { c["statistics"]["n_effective_prompts"] = 0; },
       "; no clean bound: no prompt was compared beside others\n"},
      {"evidence that does not suffice", [](Record& r) { r.complete = false; }, keep,
       "; no clean bound: a verdict of UNVERIFIED bears none\n"},
      {"without statistics", as_is, [](Json& c) { c.if_object()->erase("statistics"); },
       "; no clean bound: the cert has no statistics\n"},
      {"a bound that is no number", as_is,
       [](Json& c) { c["statistics"]["clopper_pearson_upper_95"] = "x"; }, "; clean bound ?\n"},
  };
  for (const Bound& one : cases) {
    Record record = testing::CleanRecord();
    one.change_record(record);
    Cert cert = CertOf(record);
    one.change_cert(cert.document);
    EXPECT_THAT(ExplainCert(cert), HasSubstr(one.text)) << one.name;
  }
}

struct Figure {
  Json value;
  const char* shown;
};

TEST(ExplainCert, ShowsFiguresShort) {
  const Figure cases[] = {
      {3.9, "3.9"},
      {2.0, "2.0"},
      {2, "2.0"},  // a number, however it is spelled
      {3.8999999999999999e-7, "3.9e-07"},
      {1.0 / 3.0, "0.333333"},
      {3.9166666666666665, "3.91667"},
      {1e300, "1e+300"},
      {1.7976931348623157e308, "1.79769e+308"},
      {12345678.5, "1.23457e+07"},
      {Json("3.9166666666666665"), "3.9166666666666665"},
  };
  for (const Figure& one : cases) {
    Cert cert = CertOf(testing::CleanRecord());
    cert.document["min_mean_width"] = one.value;
    EXPECT_THAT(ExplainCert(cert),
                HasSubstr(", lowest mean " + std::string(one.shown) + ", passes that count"))
        << one.shown;
  }
}

TEST(ExplainCert, ARateIsNeverRoundedToZero) {
  Cert cert = CertOf(testing::CleanRecord());
  cert.document["statistics"]["exact_upper_95"] = 3.0e-7;
  EXPECT_THAT(ExplainCert(cert), HasSubstr("rate of differing prompts, 95 %: 0 to 3e-07; "));
}

}  // namespace
}  // namespace bi_test
