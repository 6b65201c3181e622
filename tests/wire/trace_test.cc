#include "trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "base/sha256.h"
#include "support/temp_dir.h"

namespace bi_test::trace {
namespace {

using test_support::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::SizeIs;

const std::string kHeader =
    R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":4096,"dispatch_n":4},"source":"live"})"
    "\n";

std::string TrialOf(const std::string& more, const std::string& arm = "A",
                    const std::string& id = "t0", int pass = 0) {
  return R"({"arm":")" + arm + R"(","pass":)" + std::to_string(pass) + R"(,"test_id":")" + id +
         "\"" + (more.empty() ? "" : ",") + more + "}\n";
}

Record Good(const std::string& text) {
  Result<Record> result = ParseTrace(text);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().Text();
    return {};
  }
  return *result;
}

Trial OneTrial(const std::string& fields) {
  const Record record = Good(kHeader + TrialOf(fields));
  return record.trials.size() == 1 ? record.trials[0] : Trial{};
}

TEST(Trace, ReadsTheExampleOfTheDesign) {
  const Record record = Good(
      R"({"record":"bi_test.trace/1","cell":{"model":"phi-4","ctx":8192,"dispatch_n":4,"kv_label":"q8_0"},"source":"live","reps":3})"
      "\n"
      R"({"arm":"C","pass":1,"test_id":"x","family":"C1","fill_ratio":0.3,"score":1.0,"passed":true,"extracted_answer":"e","expected_answer":"w","prompt_tokens_measured":211,"failure_mode":"ok","content":"c","finish_reason":"stop","completion_tokens":42,"token_ids":[1,2],"logprobs":[-0.25,-1],"dispatch_ts":1.5,"first_token_ts":1.6,"complete_ts":2.25,"prompt_sha256":"aa","request_sha256":"bb","unknown":{"a":[1]}})"
      "\n"
      R"({"evidence":{"arm":"C","pass":0,"server_peak_busy_slots":4,"decode_calls":310,"tokens_decoded":1190,"mean_busy_slots":3.9}})"
      "\n");
  EXPECT_EQ(record.cell, (Cell{"phi-4", 8192, 4, "q8_0"}));
  EXPECT_EQ(record.source, "live");
  EXPECT_EQ(*record.header.Find("reps"), Json(3));
  EXPECT_EQ(record.complete, std::nullopt);
  ASSERT_THAT(record.trials, SizeIs(1));
  const Trial& t = record.trials[0];
  EXPECT_EQ(t.arm, Arm::kC);
  EXPECT_EQ(t.pass, 1);
  EXPECT_EQ(t.test_id, "x");
  EXPECT_EQ(t.score, Json(1.0));
  EXPECT_EQ(t.passed, Json(true));
  EXPECT_EQ(t.prompt_tokens_measured, Json(211));
  EXPECT_THAT(t.token_ids, Optional(ElementsAre(1, 2)));
  EXPECT_THAT(t.logprobs, Optional(ElementsAre(-0.25, -1.0)));
  EXPECT_EQ(t.first_token_ts, 1.6);
  EXPECT_EQ(t.request_sha256, Json("bb"));
  EXPECT_EQ(t.slot, std::nullopt);
  ASSERT_THAT(record.evidence, SizeIs(1));
  EXPECT_EQ(record.evidence[0].server_peak_busy_slots, 4);
  EXPECT_EQ(record.evidence[0].decode_calls, 310);
  EXPECT_EQ(record.evidence[0].tokens_decoded, 1190);
  EXPECT_EQ(record.evidence[0].mean_busy_slots, 3.9);
}

TEST(Trace, ToleratesBlankLinesCarriageReturnsMarksAndAMissingLastNewline) {
  std::string text =
      "\xEF\xBB\xBF" + kHeader + "\r\n\n" + TrialOf("") + "  \n" + TrialOf("", "A", "t1");
  text.insert(text.size() - 1, "\r");
  text.pop_back();
  EXPECT_THAT(Good(text).trials, SizeIs(2));
}

TEST(Trace, ComparedFieldsKeepWhateverTypeTheyHave) {
  const Trial t = OneTrial(
      R"("score":"1.0","passed":1,"extracted_answer":[1,{"a":null}],"expected_answer":{"b":[]},"failure_mode":5,"content":false,"family":true,"completion_tokens":1.5)");
  EXPECT_EQ(t.score, Json("1.0"));
  EXPECT_EQ(t.passed, Json(1));
  EXPECT_EQ(t.extracted_answer, Json(Json::Array{1, Json::Object{{"a", Json()}}}));
  EXPECT_EQ(t.expected_answer, Json(Json::Object{{"b", Json::Array{}}}));
  EXPECT_EQ(t.failure_mode, Json(5));
  EXPECT_EQ(t.content, Json(false));
  EXPECT_EQ(t.completion_tokens, Json(1.5));
}

TEST(Trace, NumbersThatDifferStayDifferent) {
  const Record record =
      Good(kHeader + TrialOf(R"("score":9007199254740993,"expected_answer":18446744073709551617)") +
           TrialOf(R"("score":9007199254740992.0,"expected_answer":18446744073709551616)", "C"));
  EXPECT_EQ(record.trials[0].score, Json(9007199254740993));
  EXPECT_EQ(record.trials[1].score, Json(9007199254740992.0));
  EXPECT_NE(record.trials[0].expected_answer, record.trials[1].expected_answer);
}

TEST(Trace, NaNIsReadAndStaysUnequalToItself) {
  const Trial t = OneTrial(R"("score":NaN,"expected_answer":[-Infinity],"logprobs":[Infinity])");
  EXPECT_NE(t.score, t.score);
  EXPECT_EQ(t.expected_answer, Json(Json::Array{-std::numeric_limits<double>::infinity()}));
  EXPECT_THAT(t.logprobs, Optional(ElementsAre(std::numeric_limits<double>::infinity())));
}

TEST(Trace, TimestampsAndDiagnosticsOfAWrongTypeAreNotMeasured) {
  const Trial t = OneTrial(
      R"("dispatch_ts":"0.0","first_token_ts":true,"complete_ts":NaN,"prompt_ms":[1],"predicted_ms":{},"slot":"1","http_status":1.5,"phase":7,"reason":["x"])");
  EXPECT_EQ(t, [] {
    Trial expected;
    expected.test_id = "t0";
    return expected;
  }());
  EXPECT_EQ(OneTrial(R"("dispatch_ts":-Infinity,"complete_ts":3)").dispatch_ts, std::nullopt);
  EXPECT_EQ(OneTrial(R"("dispatch_ts":-Infinity,"complete_ts":3)").complete_ts, 3.0);
  EXPECT_EQ(OneTrial(R"("complete_ts":"1.0")").complete_ts, std::nullopt) << "case 112";
  EXPECT_EQ(OneTrial(R"("dispatch_ts":true)").dispatch_ts, std::nullopt) << "case 113";
}

TEST(Trace, NullIsTheSameAsAbsent) {
  EXPECT_EQ(
      OneTrial(
          R"("score":null,"token_ids":null,"prompt_sha256":null,"cached_tokens":null,"retry_attempts":null,"phase":null)"),
      OneTrial(""));
  EXPECT_EQ(OneTrial(R"("logprobs":[-1,null],"token_ids":[null])"), OneTrial(""));
}

TEST(Trace, ARowThatIsNoObjectIsMalformed) {
  EXPECT_EQ(OneTrial(R"("row":null)").malformed_row, Json());
  EXPECT_EQ(OneTrial(R"("row":5)").malformed_row, Json(5));
  EXPECT_EQ(OneTrial(R"("row":[{"score":1}])").malformed_row,
            Json(Json::Array{Json::Object{{"score", 1}}}));
  EXPECT_EQ(OneTrial("").malformed_row, std::nullopt);
  EXPECT_EQ(OneTrial(R"("row":{})"), OneTrial(""));
  EXPECT_EQ(OneTrial(R"("row":{"score":1,"end":{},"expected_answer":{"a":{}}},"passed":true)"),
            OneTrial(R"("score":1,"expected_answer":{"a":{}},"passed":true)"));
}

TEST(Trace, LoneSurrogatesHaveTheirThreeByteForm) {
  EXPECT_EQ(OneTrial(R"("content":"\ud800")").content, Json("\xED\xA0\x80"));
  EXPECT_EQ(OneTrial(R"("content":"\udcff","score":1)").content, Json("\xED\xB3\xBF"));
}

TEST(Trace, CompleteTellsWhetherTheClosingRecordCame) {
  const std::string expecting =
      R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":1,"dispatch_n":2},"expects_end":true})"
      "\n";
  EXPECT_EQ(Good(kHeader).complete, std::nullopt);
  EXPECT_EQ(Good(kHeader + "{\"end\":{}}\n").complete, true);
  EXPECT_EQ(Good(expecting).complete, false);
  EXPECT_EQ(Good(expecting + TrialOf("") + "{\"end\":{\"trials\":1,\"evidence\":0}}\n").complete,
            true);
}

struct ErrorCase {
  const char* name;
  std::string text;
  const char* error;
};

TEST(Trace, NamesLineKeyAndFault) {
  const ErrorCase cases[] = {
      {"empty", "",
       R"(trace: the trace is empty, expected the header {"record":"bi_test.trace/1",...} first)"},
      {"missing header", TrialOf(""),
       "trace:1: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first"},
      {"swapped header", "\n" + TrialOf("") + kHeader,
       "trace:2: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first"},
      {"header is an array", "[]\n",
       "trace:1: found an array, expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first"},
      {"wrong version", R"({"record":"bi_test.trace/2"})",
       R"(trace:1:record: found "bi_test.trace/2", expected "bi_test.trace/1"; the trace was written by another version of the format)"},
      {"second header", kHeader + TrialOf("") + kHeader,
       "trace:3:record: a second header; the first is in line 1"},
      {"no cell", R"({"record":"bi_test.trace/1"})", "trace:1:cell: missing, expected an object"},
      {"no model", R"({"record":"bi_test.trace/1","cell":{}})",
       "trace:1:cell.model: missing, expected a text"},
      {"ctx as text", R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":"1"}})",
       "trace:1:cell.ctx: found \"1\", expected a whole number"},
      {"dispatch_n with a fraction",
       R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":1,"dispatch_n":2.5}})",
       "trace:1:cell.dispatch_n: found 2.5, expected a whole number"},
      {"source as number",
       R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":1,"dispatch_n":2},"source":1})",
       "trace:1:source: found 1, expected a text"},
      {"expects_end as text",
       R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":1,"dispatch_n":2},"expects_end":"yes"})",
       "trace:1:expects_end: found \"yes\", expected true or false"},
      {"arm A2", kHeader + TrialOf("", "A2"),
       R"(trace:2:arm: found "A2", expected "A", "B" or "C" (A2 is arm "A" with pass 1, B2 is arm "B" with pass 1))"},
      {"arm missing", kHeader + R"({"pass":0,"test_id":"t"})",
       R"(trace:2:arm: missing, expected "A", "B" or "C" (A2 is arm "A" with pass 1, B2 is arm "B" with pass 1))"},
      {"pass as text", kHeader + R"({"arm":"A","pass":"0","test_id":"t"})",
       "trace:2:pass: found \"0\", expected a whole number from 0 up"},
      {"pass missing", kHeader + R"({"arm":"A","test_id":"t"})",
       "trace:2:pass: missing, expected a whole number from 0 up"},
      {"pass negative", kHeader + R"({"arm":"A","pass":-1,"test_id":"t"})",
       "trace:2:pass: found -1, expected a whole number from 0 up"},
      {"test_id as number", kHeader + R"({"arm":"A","pass":0,"test_id":7})",
       "trace:2:test_id: found 7, expected a text"},
      {"test_id null", kHeader + R"({"arm":"A","pass":0,"test_id":null})",
       "trace:2:test_id: found null, expected a text"},
      {"test_id missing", kHeader + R"({"arm":"A","pass":0})",
       "trace:2:test_id: missing, expected a text"},
      {"token_ids as text", kHeader + TrialOf(R"("token_ids":"x")"),
       "trace:2:token_ids: found \"x\", expected an array of numbers or null"},
      {"token_ids with a text", kHeader + TrialOf(R"("token_ids":[1,"2"])"),
       "trace:2:token_ids: found \"2\", expected an array of whole numbers"},
      {"logprobs as object", kHeader + TrialOf(R"("logprobs":{"a":1})"),
       "trace:2:logprobs: found an object, expected an array of numbers or null"},
      {"logprobs nested", kHeader + TrialOf(R"("logprobs":[[1]])"),
       "trace:2:logprobs: found a container among the numbers"},
      {"cached_tokens as text", kHeader + TrialOf(R"("cached_tokens":"0")"),
       "trace:2:cached_tokens: found \"0\", expected a whole number or null"},
      {"prompt_sha256 as number", kHeader + TrialOf(R"("prompt_sha256":5)"),
       "trace:2:prompt_sha256: found 5, expected a text or null"},
      {"retry_attempts as text", kHeader + TrialOf(R"("retry_attempts":"2")"),
       "trace:2:retry_attempts: found \"2\", expected a whole number from 0 up"},
      {"duplicate key", kHeader + TrialOf(R"("score":1,"score":2)"),
       "trace:2:score: the key \"score\" stands here twice"},
      {"duplicate unknown key", kHeader + TrialOf(R"("u":1,"u":2)"),
       "trace:2:u: the key \"u\" stands here twice"},
      {"duplicate key in a value", kHeader + TrialOf(R"("expected_answer":{"a":1,"a":1})"),
       "trace:2:expected_answer: the key \"a\" stands here twice"},
      {"duplicate trial", kHeader + TrialOf("") + TrialOf("", "A", "t1") + TrialOf("\"score\":1"),
       "trace:4:test_id: a second trial of arm A, pass 0, test_id \"t0\"; the first is in line 2"},
      {"trial that is an array", kHeader + "[1]\n", "trace:2: found an array, expected an object"},
      {"trial that is a number", kHeader + "1\n", "trace:2: found 1, expected an object"},
      {"evidence without arm", kHeader + R"({"evidence":{"pass":0}})",
       R"(trace:2:evidence.arm: found null, expected "A", "B" or "C" (A2 is arm "A" with pass 1, B2 is arm "B" with pass 1))"},
      {"evidence with pass as text", kHeader + R"({"evidence":{"arm":"C","pass":"0"}})",
       "trace:2:evidence.pass: found \"0\", expected a whole number from 0 up"},
      {"evidence as number", kHeader + R"({"evidence":1})",
       "trace:2:evidence: found 1, expected an object"},
      {"evidence with counter_reset as text",
       kHeader + R"({"evidence":{"arm":"C","pass":0,"counter_reset":"no"}})",
       "trace:2:evidence.counter_reset: found \"no\", expected true or false"},
      {"duplicate evidence",
       kHeader + R"({"evidence":{"arm":"C","pass":0}})"
                 "\n"
                 R"({"evidence":{"arm":"C","pass":0}})",
       "trace:3:evidence: a second evidence of arm C, pass 0"},
      {"end counts another number of trials", kHeader + TrialOf("") + R"({"end":{"trials":2}})",
       "trace:3:end.trials: found 1 lines before the closing record, expected 2; lines were lost "
       "or added"},
      {"end counts another number of evidence lines",
       kHeader + R"({"end":{"trials":0,"evidence":1}})",
       "trace:2:end.evidence: found 0 lines before the closing record, expected 1; lines were lost "
       "or added"},
      {"line after the end", kHeader + "{\"end\":{}}\n" + TrialOf(""),
       "trace:3: found a line after the closing record in line 2, expected the end of the file"},
      {"bad line in the middle", kHeader + "{\"arm\":\n" + TrialOf(""),
       "trace:2: invalid JSON at byte 7: no JSON value"},
      {"truncated last line", kHeader + TrialOf("") + R"({"arm":"A","pa)",
       "trace:3: the trace is truncated at line 3, which has no newline: invalid JSON at byte 14: "
       "a string without its end; run the cell again"},
      {"truncated header", R"({"record":"bi_test.tr)",
       "trace:1: the trace is truncated at line 1, which has no newline: invalid JSON at byte 21: "
       "a string without its end; run the cell again"},
      {"truncated evidence", kHeader + R"({"evidence":{"arm":"C")",
       "trace:2: the trace is truncated at line 2, which has no newline: invalid JSON at byte 22: "
       "expected ',' or '}' after a member; run the cell again"},
      {"too deep", kHeader + TrialOf(R"("u":)" + std::string(100'000, '[')),
       "trace:2: invalid JSON at byte 102: nested deeper than 64 levels"},
      {"number beyond double", kHeader + TrialOf(R"("score":1e400)"),
       "trace:2: invalid JSON at byte 43: the number is too big for a double"},
      {"two objects in a line", kHeader + "{}{}\n",
       "trace:2: invalid JSON at byte 2: something follows the document"},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.name);
    const Result<Record> result = ParseTrace(c.text);
    if (result.ok()) {
      ADD_FAILURE() << "was accepted";
      continue;
    }
    EXPECT_EQ(result.error().Text(), c.error);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidFile);
  }
}

TEST(Trace, HasLimits) {
  TraceLimits limits;
  limits.max_line = 200;
  EXPECT_EQ(ParseTrace(kHeader + TrialOf("\"u\":\"" + std::string(200, 'x') + "\""), limits)
                .error()
                .Text(),
            "trace:2: the line has more than the allowed 200 bytes");
  limits = {};
  limits.max_trials = 1;
  EXPECT_EQ(ParseTrace(kHeader + TrialOf("") + TrialOf("", "B"), limits).error().Text(),
            "trace:3: more than the allowed 1 trials");
  limits = {};
  limits.max_file = 10;
  EXPECT_EQ(ParseTrace(kHeader, limits).error().Text(),
            "trace: the trace has more than the allowed 10 bytes");
}

TEST(Trace, EvidenceOfAWrongTypeIsNotMeasured) {
  const Record record = Good(
      kHeader +
      R"({"evidence":{"arm":"C","pass":0,"server_peak_busy_slots":"2","mean_busy_slots":Infinity,"decode_calls":2.5,"polls":null,"wall_s":true}})");
  PassEvidence expected;
  ASSERT_THAT(record.evidence, SizeIs(1));
  EXPECT_EQ(record.evidence[0], expected);
}

TEST(TraceLines, AreWrittenByTheByte) {
  Trial t;
  t.arm = Arm::kB;
  t.pass = 1;
  t.test_id = "w\"0";
  t.score = 1.0;
  t.passed = true;
  t.content = "\xC3\xA9\n\x1b\x7F\xFF";
  t.token_ids = {{3, -4}};
  t.logprobs = {{-0.1}};
  t.dispatch_ts = 1e300;
  t.complete_ts = std::numeric_limits<double>::infinity();
  t.http_status = 0;
  t.retry_attempts = 2;
  t.phase = "body";
  EXPECT_EQ(
      TrialLine(t),
      R"({"arm":"B","pass":1,"test_id":"w\"0","score":1.0,"passed":true,"content":")"
      "\xC3\xA9"
      R"(\n\u001b\u007f\ufdd0\u00ff","token_ids":[3,-4],"logprobs":[-0.1],"dispatch_ts":1e+300,"http_status":0,"phase":"body","retry_attempts":2})"
      "\n");
  t.malformed_row = Json(5);
  EXPECT_EQ(TrialLine(t), R"({"arm":"B","pass":1,"test_id":"w\"0","row":5})"
                          "\n");

  Record record;
  record.cell = {"m", 1, 2, "f16"};
  record.source = "mock";
  record.header["a"] = 1;
  EXPECT_EQ(
      HeaderLine(record),
      R"({"record":"bi_test.trace/1","a":1,"cell":{"ctx":1,"dispatch_n":2,"kv_label":"f16","model":"m"},"source":"mock"})"
      "\n");
  record.trials.resize(3);
  EXPECT_EQ(EndLine(record), "{\"end\":{\"evidence\":0,\"trials\":3}}\n");

  PassEvidence evidence;
  evidence.pass = 2;
  evidence.decode_calls = 7;
  evidence.counter_reset = true;
  evidence.wall_s = 0.5;
  EXPECT_EQ(
      EvidenceLine(evidence),
      R"({"evidence":{"arm":"C","pass":2,"decode_calls":7,"counter_reset":true,"wall_s":0.5}})"
      "\n");
}

TEST(TraceWriter, WritesLinesAndGivesTheirDigest) {
  const TempDir dir;
  const auto file = dir.path() / "sub" / "t.jsonl";
  auto writer = TraceWriter::Create(file);
  ASSERT_TRUE(writer.ok()) << writer.error().Text();
  EXPECT_TRUE((*writer)->Write(kHeader).ok());
  EXPECT_TRUE((*writer)->Write(TrialOf("")).ok());
  EXPECT_THAT(ReadTrace(file)->trials, SizeIs(1));  // readable while it is written
  const Result<std::string> digest = (*writer)->Close();
  ASSERT_TRUE(digest.ok());
  EXPECT_EQ(*digest, Sha256Hex(kHeader + TrialOf("")));
  EXPECT_EQ((*writer)->Write("x").error().message, "the trace is closed already");
  EXPECT_EQ((*writer)->Close().error().message, "the trace is closed already");
}

TEST(TraceWriter, EmptiesAnOldFileButNotOneThatIsBeingWritten) {
  const TempDir dir;
  const auto file = dir.path() / "t.jsonl";
  std::ofstream(file) << "old";
  auto first = TraceWriter::Create(file);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE((*first)->Write(kHeader).ok());
  const auto second = TraceWriter::Create(file);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().Text(),
            file.string() +
                ": another process is writing this trace; wait for it or choose another directory");
  ASSERT_TRUE((*first)->Close().ok());
  EXPECT_TRUE(ReadTrace(file)->trials.empty());
}

TEST(TraceWriter, SaysWhyAFileCannotBeOpened) {
  const TempDir dir;
  const auto result = TraceWriter::Create(dir.path());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().Text(),
            dir.path().string() + ": cannot open the trace: EISDIR (Is a directory)");
}

TEST(TraceFile, MissingFilesAndDirectoriesAreToldApart) {
  const TempDir dir;
  const auto missing = ReadTrace(dir.path() / "no");
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().Text(), HasSubstr("cannot open the file: ENOENT"));
  EXPECT_THAT(ReadTrace(dir.path()).error().Text(), HasSubstr("found a directory"));
}

TEST(TraceFile, LinesLongerThanABlockAreJoined) {
  const TempDir dir;
  const auto file = dir.path() / "t.jsonl";
  const std::string content(3'000'000, 'x');
  std::ofstream(file) << kHeader << TrialOf("\"content\":\"" + content + "\"") << TrialOf("", "B");
  const Result<Record> record = ReadTrace(file);
  ASSERT_TRUE(record.ok()) << record.error().Text();
  ASSERT_THAT(record->trials, SizeIs(2));
  EXPECT_EQ(record->trials[0].content, Json(content));
  TraceLimits limits;
  limits.max_file = 2'000'000;
  EXPECT_THAT(ReadTrace(file, limits).error().Text(), HasSubstr("more than the allowed 2000000"));
}

}  // namespace
}  // namespace bi_test::trace
