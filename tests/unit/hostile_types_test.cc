// Every key of a trace with values of every wrong type: an error that names the key, or a verdict
// that does not rest on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "trace/trace.h"
#include "trace/trial_columns.h"

namespace bi_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kValues[] = {"null", "true", "-1", "1e400", "\"x\"", "[]", "{}"};

/// One line of a trace with one value replaced. `1e400` has no Json, so the text is replaced last.
[[nodiscard]] std::string WithValue(Json line, const std::string& path, const char* value) {
  constexpr const char* kPlace = "@the value@";
  Json* at = &line;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1) {
    at = &(*at)[path.substr(begin, dot - begin)];
  }
  (*at)[path.substr(begin)] = kPlace;
  std::string text = CompactText(line);
  const std::string quoted = "\"" + std::string(kPlace) + "\"";
  return text.replace(text.find(quoted), quoted.size(), value);
}

/// One entry per line, so that a failure shows which ones differ.
[[nodiscard]] std::string Listed(const std::set<std::string>& entries) {
  std::string out;
  for (const std::string& entry : entries) out += entry + "\n";
  return out;
}

struct Outcome {
  std::string error;  ///< Empty: judged.
  bool promotable = false;
  bool green = false;
};

[[nodiscard]] Outcome Judged(const std::string& trace) {
  Outcome out;
  const Result<Record> record = trace::ParseTrace(trace);
  if (!record.ok()) {
    out.error = record.error().Text();
    return out;
  }
  Policy policy;
  if (const Json* recorded = record->header.Find("policy")) {
    const Result<Policy> parsed = ParsePolicyJson(*recorded);
    if (!parsed.ok()) {
      out.error = parsed.error().Text();
      return out;
    }
    policy = *parsed;
  }
  const Cert cert = BuildCert(*record, Judge(*record, policy), policy,
                              {"2026-01-02T03:04:05Z", std::string(64, 'b')});
  EXPECT_TRUE(ParseJson(CertText(cert)).ok());
  EXPECT_NE(ExplainCert(cert), "");
  out.promotable = UnmetPromotionPoints(cert, record->cell).empty();
  out.green = *cert.document.Find("status") == Json("green");
  return out;
}

class HostileTypes : public ::testing::Test {
 protected:
  HostileTypes() {
    Record record = testing::CleanRecord({30, 4, 1});
    record.header["policy"] = PolicyJson(Policy{});
    record.header["provenance"]["finished_utc"] = "2026-01-02T03:04:05Z";
    const std::string text = testing_support::TraceText(record);
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    n_trials_ = record.trials.size();
  }

  /// The trace with one line changed.
  [[nodiscard]] std::string Trace(std::size_t line, const std::string& changed) const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      text += (i == line ? changed : lines_[i]) + "\n";
    return text;
  }

  [[nodiscard]] Outcome Try(std::size_t line, const std::string& path, const char* value) const {
    const Result<Json> document = ParseJson(lines_[line]);
    return Judged(Trace(line, WithValue(*document, path, value)));
  }

  [[nodiscard]] std::size_t ConcurrentLine() const { return n_trials_; }
  [[nodiscard]] std::size_t EvidenceLine() const { return n_trials_ + 1; }
  [[nodiscard]] std::size_t EndLine() const { return n_trials_ + 2; }

  std::vector<std::string> lines_;
  std::size_t n_trials_ = 0;
};

TEST_F(HostileTypes, TheUnchangedTraceIsPromotable) {
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  const Outcome outcome = Judged(text);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.promotable);
}

/// A number too large for a double is refused wherever it stands; the message says where.
TEST_F(HostileTypes, ANumberBeyondADoubleIsRefusedEverywhere) {
  for (const auto& [line, path] : {std::pair<std::size_t, const char*>(0, "reps"),
                                   {0, "server.total_slots"},
                                   {ConcurrentLine(), "score"},
                                   {ConcurrentLine(), "unknown"},
                                   {EvidenceLine(), "evidence.wall_s"},
                                   {EndLine(), "end.trials"}}) {
    const Outcome outcome = Try(line, path, "1e400");
    EXPECT_THAT(outcome.error,
                StartsWith("trace:" + std::to_string(line + 1) + ": invalid JSON at byte"))
        << path;
    EXPECT_THAT(outcome.error, HasSubstr("the number is too big for a double")) << path;
  }
}

/// Of the values of a wrong type, the ones that leave the trace promotable. `key` alone: all of
/// them.
TEST_F(HostileTypes, HeaderKeysOfWrongTypes) {
  const std::set<std::string> only_repeated = {
      "reps",    "workset.n_rows", "request",     "request.temperature", "provenance.run_id",
      "unknown", "plan",           "plan.passes", "server.n_expert"};
  const char* keys[] = {"record",
                        "cell",
                        "cell.model",
                        "cell.ctx",
                        "cell.dispatch_n",
                        "cell.kv_label",
                        "source",
                        "expects_end",
                        "reps",
                        "plan",
                        "plan.passes",
                        "policy",
                        "policy.logprobs",
                        "policy.logit_drift_eps",
                        "policy.min_ok_fraction",
                        "policy.min_coverage_fraction",
                        "policy.min_width_fraction",
                        "policy.min_effective_prompts",
                        "policy.min_promotion_prompts",
                        "policy.extra_invariant_fields",
                        "server",
                        "server.pid_verified",
                        "server.total_slots",
                        "server.n_ctx_slot",
                        "server.n_expert",
                        "workset",
                        "workset.sha256",
                        "workset.n_rows",
                        "scorer",
                        "scorer.name",
                        "scorer.version",
                        "request",
                        "request.temperature",
                        "provenance",
                        "provenance.run_id",
                        "provenance.finished_utc",
                        "attempts",
                        "attempts.subject",
                        "attempts.readable",
                        "attempts.earlier",
                        "retries",
                        "unknown"};
  std::set<std::string> still_promotable;
  for (const std::string key : keys) {
    // The closing record repeats some of the header, and its word is the last.
    const std::string top = key.substr(0, key.find('.'));
    const bool amended = std::find(std::begin(trace::kAmendedByEnd), std::end(trace::kAmendedByEnd),
                                   top) != std::end(trace::kAmendedByEnd);
    for (const char* value : kValues) {
      const Outcome outcome = amended ? Try(EndLine(), "end." + key, value) : Try(0, key, value);
      if (!outcome.promotable) continue;
      still_promotable.insert(only_repeated.contains(key) ? key : key + " " + value);
    }
  }
  std::set<std::string> expected = only_repeated;
  expected.insert({// Another text in the place of a text.
                   R"(cell.model "x")", R"(cell.kv_label "x")", R"(workset.sha256 "x")",
                   R"(scorer.name "x")", R"(scorer.version "x")",
                   // What the key says already, or what it says when it is absent.
                   "cell.kv_label null", "expects_end true", "expects_end null", "policy null",
                   "server.pid_verified true", "policy {}", "policy.extra_invariant_fields []",
                   "attempts.readable true", R"(attempts.subject "x")", "attempts.earlier []"});
  EXPECT_EQ(Listed(still_promotable), Listed(expected));
}

/// Of the values of a wrong type in one concurrent trial, the ones that leave the verdict GREEN.
TEST_F(HostileTypes, TrialKeysOfWrongTypes) {
  // Diagnostics, buckets, and figures that are recorded without a part in the verdict.
  const std::set<std::string> not_compared = {
      "slot",      "http_status", "phase",        "reason",         "unknown",
      "family",    "fill_ratio",  "prompt_ms",    "predicted_ms",   "response_first_200",
      "logit_sum", "logprob_sum", "mean_logprob", "first_token_ts", "logit_mean",
      "scored"};  // of a trial whose label is not `ok` only
  std::set<std::string> keys = {"arm", "pass", "test_id", "row", "retry_attempts", "unknown"};
  for (const trace::TrialColumn& column : trace::TrialColumns()) keys.emplace(column.name);
  std::set<std::string> still_green;
  for (const std::string& key : keys) {
    for (const char* value : kValues) {
      const Outcome outcome = Try(ConcurrentLine(), key, value);
      if (!outcome.green) continue;
      still_green.insert(not_compared.contains(key) ? key : key + " " + value);
    }
  }
  std::set<std::string> expected = not_compared;
  expected.insert({// Absent: not measured.
                   "cached_tokens null", "logprobs null", "logprobs []", "margins null",
                   "margins []", "prompt_tokens null", "reasoning_content null",
                   "retry_attempts null", "tool_calls null",
                   // What the key says already; an earlier start, which still overlaps; an object
                   // without a field to change; another name of the prompt.
                   "passed true", "dispatch_ts -1", "row {}", R"(prompt_sha256 "x")"});
  EXPECT_EQ(Listed(still_green), Listed(expected));
}

/// Of the values of a wrong type in the evidence, the ones that leave the verdict GREEN.
TEST_F(HostileTypes, EvidenceKeysOfWrongTypes) {
  const std::set<std::string> not_needed = {"decode_calls", "tokens_decoded", "polls",
                                            "missed_polls", "wall_s",         "unknown"};
  std::set<std::string> still_green;
  for (const char* key :
       {"arm", "pass", "server_peak_busy_slots", "mean_busy_slots", "decode_calls",
        "tokens_decoded", "polls", "missed_polls", "counter_reset", "wall_s", "unknown"}) {
    for (const char* value : kValues) {
      const Outcome outcome = Try(EvidenceLine(), std::string("evidence.") + key, value);
      if (!outcome.green) continue;
      still_green.insert(not_needed.contains(key) ? key : std::string(key) + " " + value);
    }
  }
  std::set<std::string> expected = not_needed;
  expected.insert("counter_reset null");
  // Not measured: then the other proof of the width has to do.
  for (const char* key : {"mean_busy_slots", "server_peak_busy_slots"}) {
    for (const char* value : {"null", "true", "\"x\"", "[]", "{}"}) {
      expected.insert(std::string(key) + " " + value);
    }
  }
  EXPECT_EQ(Listed(still_green), Listed(expected));
}

/// Without either proof of the width nothing is GREEN, whatever stands there.
TEST_F(HostileTypes, EvidenceWithoutAnyWidthIsNotGreen) {
  for (const char* value : kValues) {
    const Result<Json> document = ParseJson(lines_[EvidenceLine()]);
    Json line = *document;
    line["evidence"].if_object()->erase("mean_busy_slots");
    EXPECT_FALSE(
        Judged(Trace(EvidenceLine(), WithValue(line, "evidence.server_peak_busy_slots", value)))
            .green)
        << value;
  }
}

TEST_F(HostileTypes, KeysOfTheClosingRecordOfWrongTypes) {
  for (const char* key : {"end.trials", "end.evidence"}) {
    for (const char* value : kValues) {
      const Outcome outcome = Try(EndLine(), key, value);
      EXPECT_NE(outcome.error, "") << key << " " << value;
    }
  }
  for (const char* value : kValues) {
    const Outcome outcome = Try(EndLine(), "end", value);
    EXPECT_TRUE(std::string(value) == "{}" ? outcome.green : !outcome.error.empty()) << value;
  }
}

struct Message {
  const char* name;
  std::size_t line;
  const char* path;
  const char* value;
  std::string error;
};

TEST_F(HostileTypes, TheMessagesNameLineKeyAndWhatWasFound) {
  const std::string c = std::to_string(ConcurrentLine() + 1);
  const std::string e = std::to_string(EvidenceLine() + 1);
  const std::string end = std::to_string(EndLine() + 1);
  const Message cases[] = {
      {"record", 0, "record", "true",
       "trace:1:record: found true, expected \"bi_test.trace/1\"; the trace was written by another "
       "version of the format"},
      {"cell", 0, "cell", "[]", "trace:1:cell: found an array, expected an object"},
      {"ctx", 0, "cell.ctx", "\"x\"", "trace:1:cell.ctx: found \"x\", expected a whole number"},
      {"source", 0, "source", "-1", "trace:1:source: found -1, expected a text"},
      {"policy", 0, "policy", "[]", "policy.: found [], allowed: an object"},
      {"policy key", 0, "policy.min_ok_fraction", "\"x\"",
       "policy.min_ok_fraction: found \"x\", allowed: a number"},
      {"arm", ConcurrentLine(), "arm", "{}",
       "trace:" + c +
           ":arm: found an object, expected \"A\", \"B\" or \"C\" (A2 is arm \"A\" with "
           "pass 1, B2 is arm \"B\" with pass 1)"},
      {"pass", ConcurrentLine(), "pass", "-1",
       "trace:" + c + ":pass: found -1, expected a whole number from 0 up"},
      {"token ids", ConcurrentLine(), "token_ids", "true",
       "trace:" + c + ":token_ids: found true, expected an array of numbers or null"},
      {"retries", ConcurrentLine(), "retry_attempts", "[]",
       "trace:" + c + ":retry_attempts: found an array, expected a whole number from 0 up"},
      {"evidence", EvidenceLine(), "evidence", "\"x\"",
       "trace:" + e + ":evidence: found \"x\", expected an object"},
      {"reset", EvidenceLine(), "evidence.counter_reset", "-1",
       "trace:" + e + ":evidence.counter_reset: found -1, expected true or false"},
      {"end", EndLine(), "end", "[]", "trace:" + end + ":end: found an array, expected an object"},
      {"end.trials", EndLine(), "end.trials", "\"x\"",
       "trace:" + end +
           ":end.trials: found 120 lines before the closing record, expected \"x\"; "
           "lines were lost or added"},
  };
  for (const Message& one : cases) {
    EXPECT_EQ(Try(one.line, one.path, one.value).error, one.error) << one.name;
  }
}

/// The labels of two arms exchanged: the serial rows then stand under C.
TEST_F(HostileTypes, SwappedArmsAreNotGreen) {
  const struct {
    const char* name;
    Arm x, y;
  } cases[] = {{"A and C", Arm::kA, Arm::kC}, {"B and C", Arm::kB, Arm::kC}};
  for (const auto& one : cases) {
    Record record = testing::CleanRecord({30, 4, 1});
    for (Trial& trial : record.trials) {
      if (trial.arm == one.x) {
        trial.arm = one.y;
      } else if (trial.arm == one.y) {
        trial.arm = one.x;
      }
    }
    const Judgement judgement = Judge(record);
    EXPECT_NE(judgement.verdict, Verdict::kGreen) << one.name << judgement;
  }
}

}  // namespace
}  // namespace bi_test
