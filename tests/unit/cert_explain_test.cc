// The screen for a person: what it lists, and what it leaves out.
#include <gmock/gmock.h>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::AllOf;
using testing::At;
using testing::CleanRecord;
using ::testing::HasSubstr;
using ::testing::Not;

[[nodiscard]] std::string Explained(const Record& record, const Policy& policy = {}) {
  return ExplainCert(
      BuildCert(record, Judge(record, policy), policy, {"2026-01-02T03:04:05Z", ""}));
}

/// The explanation of a good cert with one key changed.
[[nodiscard]] std::string ExplainedWith(const char* key, const Json& value) {
  const Record record = CleanRecord();
  Cert cert = BuildCert(record, Judge(record), {}, {"2026-01-02T03:04:05Z", ""});
  cert.document[key] = value;
  return ExplainCert(cert);
}

TEST(ExplainCertTest, AllReasonCodesAreNamed) {
  Record record = CleanRecord();
  record.evidence.clear();
  EXPECT_THAT(Explained(record), HasSubstr("why: NO_OVERLAP COVERAGE WIDTH\n"));
  EXPECT_THAT(ExplainedWith("reason_codes", Json()), HasSubstr("why: ?\n"));
}

TEST(ExplainCertTest, PassesThatDoNotCountAreNamedUpToThree) {
  Record record = CleanRecord({8, 4, 6});
  for (const std::size_t pass : {0U, 2U, 3U, 5U}) {
    record.evidence[pass].server_peak_busy_slots = 1;
    record.evidence[pass].mean_busy_slots = 1.0;
  }
  const std::string text = Explained(record);
  for (const char* pass : {"c1", "c3", "c4"}) {
    EXPECT_THAT(text, HasSubstr(std::string("  ").append(pass).append(
                          " does not count: no co-batching: widest 1 < 4")));
  }
  EXPECT_THAT(text, Not(HasSubstr("c2 does not count")));
  EXPECT_THAT(text, Not(HasSubstr("c6 does not count")));
}

TEST(ExplainCertTest, IdsWithoutAVerdictAreNamedUpToFive) {
  EXPECT_THAT(ExplainedWith("uncertified_ids", Json::Array{"a", "b"}),
              HasSubstr("  nothing known about: a b\n"));
  EXPECT_THAT(ExplainedWith("serial_unstable_ids", Json::Array{"a", "b", "c", "d", "e"}),
              HasSubstr("  batching not judged for: a b c d e\n"));
  EXPECT_THAT(ExplainedWith("serial_unstable_ids", Json::Array{"a", "b", "c", "d", "e", "f", "g"}),
              HasSubstr("  batching not judged for: a b c d e and 2 more\n"));
  EXPECT_THAT(ExplainedWith("uncertified_ids", Json::Array{}), Not(HasSubstr("nothing known")));
}

TEST(ExplainCertTest, ThreeDivergencesAreShownAndAllAreCounted) {
  Record record = CleanRecord();
  for (const char* id : {"w00", "w01", "w02", "w03"}) At(record, Arm::kC, 0, id).score = 0.0;
  const std::string text = Explained(record);
  EXPECT_THAT(text, HasSubstr("where outputs part (4 in all):"));
  EXPECT_THAT(text, HasSubstr("  w02: in c1, score, width 4\n"));
  EXPECT_THAT(text, Not(HasSubstr("  w03: in c")));
  EXPECT_THAT(text, Not(HasSubstr("serial:"))) << "equal texts have no place to show";
  EXPECT_THAT(Explained(CleanRecord()), Not(HasSubstr("where outputs part")));
}

TEST(ExplainCertTest, AFlipThatRoundingDoesNotExplainIsMarked) {
  Record record = CleanRecord();
  Trial& trial = At(record, Arm::kC, 0, "w00");
  trial.token_ids = {{8, 100, 9}};
  trial.content = trial.extracted_answer = "other";
  const std::string text = Explained(record);
  EXPECT_THAT(text, HasSubstr("margin 2.0 (not rounding)\n"));
  (*trial.token_ids)[0] = 7;
  (*trial.token_ids)[1] = 5;
  EXPECT_THAT(Explained(record), Not(HasSubstr("(not rounding)")));
}

TEST(ExplainCertTest, FailedRequestsSendTheReaderToTheLog) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w00").failure_mode = "http_5xx";
  const std::string text = Explained(record);
  EXPECT_THAT(text,
              HasSubstr("next: A server or transport fault, not a numeric difference: read the "
                        "server log"));
  EXPECT_THAT(text, HasSubstr(", http_5xx\n"));
}

TEST(ExplainCertTest, ACertOfTheOlderKindSaysWhatItLacks) {
  const std::string text = ExplainCert(Cert{Json(Json::Object{{"status", "green"}})});
  EXPECT_THAT(text, HasSubstr("a cert of an older kind: no schema_version, so it can be shown but "
                              "never promoted; it lacks "));
  EXPECT_THAT(text, HasSubstr("verdict"));
  EXPECT_THAT(Explained(CleanRecord()), Not(HasSubstr("older kind")));
}

TEST(ExplainCertTest, EarlierRunsAreCounted) {
  Record record = CleanRecord();
  EXPECT_THAT(Explained(record), Not(HasSubstr("earlier runs")));
  Json red;
  red["status"] = "failed";
  red["subject"] = *record.header.Find("attempts")->Find("subject");
  record.header["attempts"]["n_earlier"] = 3;
  record.header["attempts"]["earlier"] = Json::Array{red};
  EXPECT_THAT(Explained(record), HasSubstr("  earlier runs of this cell 3, RED with this set-up 1: "
                                           "a clean run does not erase them\n"));
  record.header["attempts"]["earlier"] = Json::Array{};
  EXPECT_THAT(Explained(record),
              HasSubstr("  earlier runs of this cell 3, RED with this set-up 0\n"));
}

TEST(ExplainCertTest, AServerThatDoesNotProveItsWidthGetsTheHint) {
  Record record = CleanRecord();
  record.header["server"]["width_hint"] = "switch on the metrics";
  EXPECT_THAT(Explained(record), Not(HasSubstr("switch on")));
  Record narrow = record;
  for (PassEvidence& evidence : narrow.evidence) evidence.mean_busy_slots = 1.0;
  EXPECT_THAT(Explained(narrow), HasSubstr("does not count: mean width 1"));
  EXPECT_THAT(Explained(narrow), Not(HasSubstr("switch on"))) << "it did prove its width";
  record.evidence.clear();
  EXPECT_THAT(Explained(record),
              HasSubstr("\nnext: The server did not show how many requests it served at once: "
                        "switch on the metrics.\n"));
}

TEST(ExplainCertTest, WhatIsAbsentIsAQuestionMark) {
  EXPECT_THAT(ExplainedWith("model", Json()), HasSubstr("GREEN  ? ctx=4096"));
  EXPECT_THAT(ExplainedWith("statistics", Json()), HasSubstr("95 %: ? to ?"));
  EXPECT_THAT(ExplainedWith("passes", Json()), Not(HasSubstr("does not count")));
  EXPECT_THAT(ExplainedWith("reason_codes", Json::Array{}),
              HasSubstr("next: `bi-test promote` tells whether"));
  EXPECT_THAT(ExplainedWith("reason_codes", Json::Array{"NEW_CODE"}),
              AllOf(HasSubstr("  NEW_CODE: a code that this version does not know\n"),
                    HasSubstr("next: `bi-test promote` tells whether")));
  const std::string bare =
      ExplainedWith("divergences", Json::Array{Json::Object{{"test_id", "t"}}, Json()});
  EXPECT_THAT(bare, HasSubstr("  t: in ?, ?\n  ?: in ?, ?\n"));
}

TEST(ExplainCertTest, ADocumentOfAnotherKindSaysSo) {
  EXPECT_THAT(ExplainedWith("schema_version", 3),
              HasSubstr("\nschema_version is 3, this program knows 2: what follows may be "
                        "incomplete\nwhy: CLEAN\n"));
  EXPECT_THAT(ExplainCert(Cert{Json("no object")}),
              AllOf(HasSubstr("?  ? ctx=? N=? kv=?  (?, ?)\nthis is no cert: it has neither a "
                              "schema_version nor a status\nwhy: ?\n"),
                    HasSubstr("\nnext: Add the missing evidence and run the cell again.\n")));
}

TEST(ExplainCertTest, WithoutCodesTheLinesOfReasonAreShownUpToEight) {
  const auto explained = [](std::size_t n_lines) {
    Cert cert{Json(Json::Object{{"status", "failed"}, {"n_passes", 3}})};
    Json::Array lines;
    for (std::size_t i = 0; i < n_lines; ++i) lines.push_back("line " + std::to_string(i));
    cert.document["decision_reasons"] = lines;
    return ExplainCert(cert);
  };
  EXPECT_THAT(explained(8), HasSubstr("  line 6\n  line 7\nevidence:\n"));
  EXPECT_THAT(explained(10), HasSubstr("  line 7\n  and 2 more lines\nevidence:\n"));
  EXPECT_THAT(explained(0), AllOf(HasSubstr("why: ?\nevidence:\n"), HasSubstr(", passes 3\n")));
}

TEST(ExplainCertTest, TheMeaningsOfEightCodesAreTold) {
  Json::Array codes(9, Json("CLEAN"));
  codes[7] = "EIGHTH";
  codes[8] = "NINTH";
  EXPECT_THAT(ExplainedWith("reason_codes", codes),
              AllOf(HasSubstr(" CLEAN EIGHTH NINTH\n"), HasSubstr("\n  EIGHTH: "),
                    Not(HasSubstr("NINTH: "))));
}

struct OneKey {
  const char* key;
  Json value;
  const char* line;
};

TEST(ExplainCertTest, WhatOnlySomeCertsSayHasALineOfItsOwn) {
  const OneKey cases[] = {
      {"anomaly", "B alone differs", "\n  anomaly: B alone differs\n"},
      {"mismatch", "sampler", "\n  mismatch: sampler\n"},
      {"divergence_class", "token", "\n  divergence_class: token\n"},
      {"first_cause", "w00 in c1", "\n  first_cause: w00 in c1\n"},
  };
  const std::string plain = Explained(CleanRecord());
  for (const OneKey& one : cases) {
    EXPECT_THAT(ExplainedWith(one.key, one.value), HasSubstr(one.line));
    EXPECT_THAT(plain, Not(HasSubstr(std::string("\n  ") + one.key + ": ")));
  }
}

TEST(ExplainCertTest, FiguresThatCannotBeReadAreShownAsTheyStandOrNotAtAll) {
  const OneKey cases[] = {
      {"ctx", "large", "GREEN  m ctx=large N=4"},
      {"status", "fine", "?  m ctx=4096"},
      {"statistics", Json::Object{{"planned_power_1_percent", "high"}},
       "sees a 1 % flip with probability ?; ? comparisons needed"},
      {"statistics", Json::Object{{"n_effective_prompts", "some"}},
       "no clean bound: the cert has no statistics\n"},
      {"statistics",
       Json::Object{{"n_effective_prompts", "some"}, {"clopper_pearson_upper_95", Json()}},
       "no clean bound: a verdict of GREEN bears none\n"},
      {"passes", Json::Array{Json::Object{{"effective", false}}}, "\n  ? does not count: ?\n"},
      {"divergences", Json::Array{Json::Object{{"test_id", "t"}, {"arm", "C"}}},
       "\n  t: in ?, ?\n"},
      {"divergences", Json::Array{Json::Object{{"test_id", "t"}, {"arm", 3}, {"pass", 0}}},
       "\n  t: in ?, ?\n"},
      {"divergences",
       Json::Array{Json::Object{{"test_id", "t"},
                                {"arm", "C"},
                                {"pass", 0},
                                {"field", "content"},
                                {"leak_donor", "w07"}}},
       "\n  t: in c1, content, text of w07\n"},
  };
  for (const OneKey& one : cases) {
    EXPECT_THAT(ExplainedWith(one.key, one.value), HasSubstr(one.line));
  }
}

}  // namespace
}  // namespace bi_test
