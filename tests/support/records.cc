#include "support/records.h"

#include <cstdlib>

namespace bi_test::testing {
namespace {

[[nodiscard]] std::string Numbered(const char* prefix, int value) {
  std::string out = prefix;
  if (value < 10) out.append(1, '0');
  return out.append(std::to_string(value));
}

[[nodiscard]] Json Header(const RecordShape& shape) {
  Json header;
  header["record"] = "bi_test.trace/1";
  header["reps"] = 1;
  header["plan"]["passes"] = shape.passes;
  header["server"]["pid_verified"] = true;
  header["server"]["total_slots"] = shape.dispatch_n;
  header["server"]["n_ctx_slot"] = 4096;
  header["workset"]["sha256"] = std::string(64, 'a');
  header["workset"]["n_rows"] = shape.n_ids;
  header["scorer"]["name"] = "exact";
  header["scorer"]["version"] = "1";
  header["request"]["temperature"] = 0.0;
  header["provenance"]["run_id"] = std::string(32, '0');
  // Far enough away that certs of it have not expired when a program looks at the clock.
  header["provenance"]["finished_utc"] = "2100-01-02T03:04:05Z";
  header["attempts"]["subject"] = std::string(64, 'c');
  header["attempts"]["readable"] = true;
  header["attempts"]["earlier"] = Json(Json::Array{});
  for (const char* arm : {"a", "a2", "b"}) header["retries"][arm] = 0;
  header["retries"]["c"] = Json(Json::Array(static_cast<std::size_t>(shape.passes), Json(0)));
  return header;
}

[[nodiscard]] PassEvidence FullWidth(int pass, int n) {
  PassEvidence evidence;
  evidence.pass = pass;
  evidence.server_peak_busy_slots = n;
  evidence.mean_busy_slots = n - 0.1;
  evidence.decode_calls = 100;
  evidence.tokens_decoded = 380;
  return evidence;
}

}  // namespace

Trial MakeTrial(Arm arm, int pass, int item, double start, double end) {
  Trial trial;
  trial.arm = arm;
  trial.pass = pass;
  trial.test_id = Numbered("w", item);
  trial.score = 1.0;
  trial.passed = true;
  trial.extracted_answer = Numbered("answer ", item);
  trial.expected_answer = Numbered("answer ", item);
  trial.prompt_tokens_measured = 10 + item;
  trial.failure_mode = "ok";
  trial.content = Numbered("answer ", item);
  trial.finish_reason = "stop";
  trial.completion_tokens = 3;
  trial.token_ids = std::vector<std::int64_t>{7, 100 + item, 9};
  trial.logprobs = std::vector<double>{-0.5, -0.25, -0.125};
  trial.margins = std::vector<double>{2.0, 0.125, 3.0};
  trial.family = "f";
  trial.fill_ratio = 0.1;
  trial.dispatch_ts = start;
  trial.complete_ts = end;
  trial.cached_tokens = 0;
  trial.prompt_tokens = 20 + item;
  trial.prompt_sha256 = Numbered("prompt-", item);
  trial.request_sha256 = Numbered("request-", item);
  return trial;
}

Record CleanRecord(const RecordShape& shape) {
  Record record;
  record.cell = {"m", 4096, shape.dispatch_n, "f16"};
  record.source = "live";
  record.header = Header(shape);
  record.complete = true;
  double clock = 0.0;
  const auto add = [&](Arm arm, int pass, int item, double start, double end) {
    Trial trial = MakeTrial(arm, pass, item, start, end);
    if (!shape.distinct_prompts) trial.prompt_sha256 = "one prompt";
    record.trials.push_back(std::move(trial));
  };
  const auto serial = [&](Arm arm, int pass) {
    for (int item = 0; item < shape.n_ids; ++item, clock += 1.0) {
      add(arm, pass, item, clock, clock + 0.5);
    }
  };
  serial(Arm::kA, 0);
  serial(Arm::kA, 1);
  serial(Arm::kB, 0);
  for (int pass = 0; pass < shape.passes; ++pass, clock += 1.0) {
    for (int item = 0; item < shape.n_ids; ++item) {
      if (item % shape.dispatch_n == 0) clock += 1.0;
      add(Arm::kC, pass, item, clock, clock + 0.5);
    }
    record.evidence.push_back(FullWidth(pass, shape.dispatch_n));
  }
  return record;
}

Record ContractRecord() {
  Record record;
  record.cell = {"m", 8192, 4, "q8_0"};
  record.source = "live";
  for (const auto& [arm, pass] : {std::pair(Arm::kA, 0), std::pair(Arm::kA, 1),
                                  std::pair(Arm::kB, 0), std::pair(Arm::kC, 0)}) {
    for (int item = 0; item < 4; ++item) {
      Trial trial;
      trial.arm = arm;
      trial.pass = pass;
      trial.test_id = std::string(1, 't').append(std::to_string(item));
      trial.score = 1.0;
      trial.passed = true;
      trial.extracted_answer = "A";
      trial.expected_answer = "A";
      trial.prompt_tokens_measured = 10;
      trial.failure_mode = "ok";
      trial.content = "c";
      trial.family = "f";
      trial.fill_ratio = 0.1;
      trial.dispatch_ts = 0.0;
      trial.complete_ts = 1.0;
      record.trials.push_back(std::move(trial));
    }
  }
  PassEvidence evidence;
  evidence.server_peak_busy_slots = 4;
  record.evidence.push_back(evidence);
  return record;
}

Trial& At(Record& record, Arm arm, int pass, std::string_view id) {
  for (Trial& trial : record.trials) {
    if (trial.arm == arm && trial.pass == pass && trial.test_id == id) return trial;
  }
  std::abort();
}

}  // namespace bi_test::testing
