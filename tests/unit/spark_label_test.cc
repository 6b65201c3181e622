#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "spark/failure_label.h"

namespace bi_test::spark {
namespace {

std::string Repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(SparkRepeatMass, Vectors) {
  EXPECT_DOUBLE_EQ(RepeatMass(Repeated("x ", 8)), 0.8333333333333334);
  EXPECT_DOUBLE_EQ(RepeatMass(Repeated("x ", 5)), 0.0);
  EXPECT_DOUBLE_EQ(RepeatMass(Repeated("a b c ", 40)), 0.9745762711864406);
  EXPECT_DOUBLE_EQ(RepeatMass("a a a a b c"), 0.25);
  EXPECT_DOUBLE_EQ(RepeatMass(""), 0.0);
}

TEST(SparkReasoningTag, WordsAndTheirBorders) {
  for (const char* text : {"<think>", "</think>", "<Thinking x>", "a </REASON", "<reasoning/>",
                           "<<reason", "<think-x>"}) {
    EXPECT_TRUE(HasReasoningTag(text)) << text;
  }
  for (const char* text : {"", "think", "< think>", "<reasonable>", "<thinker>", "<//think>", "<",
                           "</", "<think_x>", "&lt;think&gt;"}) {
    EXPECT_FALSE(HasReasoningTag(text)) << text;
  }
}

struct LabelCase {
  const char* name;
  LabelInput input;
  const char* label;
};

void PrintTo(const LabelCase& test, std::ostream* out) { *out << test.name; }

class SparkLabel : public ::testing::TestWithParam<LabelCase> {};

TEST_P(SparkLabel, IsTheFirstThatFits) {
  EXPECT_EQ(FailureLabel(GetParam().input), GetParam().label);
}

const std::string kRunaway = Repeated("again ", 20);
const std::string kTagAndRunaway = "<think> " + kRunaway;

LabelInput Failed(std::string_view error) { return {"text", 1, AnswerFault::kNone, error, ""}; }
LabelInput Said(std::string_view text, AnswerFault fault = AnswerFault::kNone) {
  return {text, 3, fault, "", ""};
}

const LabelCase kLabels[] = {
    {"OutOfMemory", Failed("CUDA Out Of Memory"), "oom"},
    {"CudaError", Failed("a CUDA error: 2"), "oom"},
    {"OomAsAWord", Failed("killed by oom killer"), "oom"},
    {"OomInCapitalsAnywhere", Failed("xOOMy"), "oom"},
    {"RoomIsNoOom", Failed("no room"), "error_other"},
    {"MemoryBeforeTimeout", Failed("timeout after oom"), "oom"},
    {"Timeout", Failed("read Timeout"), "http_timeout"},
    {"TimedOut", Failed("it timed out"), "http_timeout"},
    {"OtherError", Failed("reset"), "error_other"},
    {"NoTokens", {" \n", 0, AnswerFault::kNone, "", ""}, "premature_eos"},
    {"BlankWithTokens", {" \n", 2, AnswerFault::kNone, "", ""}, "empty"},
    {"BlankWithoutACount", {"", {}, AnswerFault::kNone, "", ""}, "empty"},
    {"BlankBeforeJson", {"", 2, AnswerFault::kNoValidJson, "", ""}, "empty"},
    {"Tag", Said("<think>x"), "reasoning_leak"},
    {"TagBeforeRepetition", Said(kTagAndRunaway), "reasoning_leak"},
    {"Repetition", Said(kRunaway), "runaway_repetition"},
    {"HalfRepetition", Said("a b c a b c a b"), "runaway_repetition"},
    {"LessThanHalf", Said("a b c a b c a"), "ok"},
    {"RepetitionBeforeJson", Said(kRunaway, AnswerFault::kNoValidJson), "runaway_repetition"},
    {"NoJson", Said("x", AnswerFault::kNoValidJson), "no_valid_json"},
    {"CanaryMissing", {"x", 1, AnswerFault::kNone, "", "zebra"}, "instruction_fade"},
    {"CanaryThere", {"a zebra", 1, AnswerFault::kNone, "", "zebra"}, "ok"},
    {"FaultBeforeCanary", {"x", 1, AnswerFault::kNoValidJson, "", "zebra"}, "no_valid_json"},
    {"Ok", Said("x"), "ok"},
};

INSTANTIATE_TEST_SUITE_P(All, SparkLabel, ::testing::ValuesIn(kLabels),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SparkScoredLabel, IsWhatWasThereToBeScored) {
  for (const char* label :
       {"ok", "reasoning_leak", "runaway_repetition", "no_valid_json", "instruction_fade"}) {
    EXPECT_TRUE(IsScoredLabel(label)) << label;
  }
  for (const char* label : {"", "empty", "premature_eos", "oom", "http_timeout", "error_other",
                            "scorer_error", "truncated", "OK"}) {
    EXPECT_FALSE(IsScoredLabel(label)) << label;
  }
}

}  // namespace
}  // namespace bi_test::spark
