// What gtest shows for the larger values: one clean line each.
#include <gmock/gmock.h>

#include <sstream>

#include "bi_test/cell_run.h"

namespace bi_test {
namespace {

template <typename T>
[[nodiscard]] std::string Printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(PrintingTest, JudgementsTellVerdictClassAnomalyAndCodes) {
  Judgement judgement;
  EXPECT_EQ(Printed(judgement), "UNVERIFIED []");
  judgement.verdict = Verdict::kRed;
  judgement.divergence_class = "leak\x1b";
  judgement.anomaly = "odd\r";
  judgement.reason_codes = {"AC_DIVERGED", "LEAK\x07"};
  EXPECT_EQ(Printed(judgement), "RED class=leak\\x1b anomaly=odd\\x0d [AC_DIVERGED LEAK\\x07]");
}

TEST(PrintingTest, CellRunsTellErrorAndCert) {
  CellRun run;
  run.cell = {"m", 4096, 4, "f16"};
  run.judgement.verdict = Verdict::kGreen;
  run.judgement.reason_codes = {"CLEAN"};
  const std::string cell = Printed(run.cell);
  EXPECT_EQ(Printed(run), cell + ": GREEN [CLEAN]");
  run.error = Error{ErrorCode::kServer, "it died\x1b[2J", "arm C"};
  run.cert_path = "out/m.json\x1b";
  EXPECT_EQ(Printed(run), cell +
                              ": GREEN [CLEAN] error: arm C: it died\\x1b[2J cert: "
                              "out/m.json\\x1b");
}

TEST(PrintingTest, CertsTellWhatIsAbsent) {
  EXPECT_EQ(Printed(Cert{}),
            "cert model=absent ctx=absent dispatch_n=absent status=absent source=absent "
            "reason_codes=absent");
}

TEST(PrintingTest, TrialsTellTheirPlace) {
  Trial trial;
  trial.arm = Arm::kB;
  trial.pass = 1;
  trial.test_id = "t0";
  trial.failure_mode = "ok";
  trial.score = 1.0;
  EXPECT_EQ(Printed(trial),
            "arm B pass 1 id \"t0\" failure_mode=\"ok\" score=1.0 extracted_answer=null");
  trial.malformed_row = Json(Json::Array{5});
  EXPECT_EQ(Printed(trial), "arm B pass 1 id \"t0\" row=[5]");
  EXPECT_STREQ(ArmName(Arm::kA), "A");
  EXPECT_STREQ(ArmName(Arm::kC), "C");
}

TEST(PrintingTest, JsonIsItsCompactText) {
  EXPECT_EQ(Printed(Json(Json::Object{{"a", Json::Array{1, Json()}}})), R"({"a":[1,null]})");
}

TEST(PrintingTest, ErrorCodesHaveNames) {
  const std::pair<ErrorCode, const char*> cases[] = {{ErrorCode::kUsage, "usage"},
                                                     {ErrorCode::kInvalidFile, "invalid_file"},
                                                     {ErrorCode::kNotFound, "not_found"},
                                                     {ErrorCode::kRefused, "refused"},
                                                     {ErrorCode::kServer, "server"},
                                                     {ErrorCode::kTransport, "transport"},
                                                     {ErrorCode::kDeadline, "deadline"},
                                                     {ErrorCode::kIo, "io"},
                                                     {ErrorCode::kInterrupted, "interrupted"}};
  for (const auto& [code, name] : cases) EXPECT_STREQ(ErrorCodeName(code), name);
}

}  // namespace
}  // namespace bi_test
