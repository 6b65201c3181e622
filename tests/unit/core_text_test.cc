// What is read out of trials and names: digests, buckets, model names.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

#include "cert/model_name.h"
#include "verdict/buckets.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

TEST(ContentHashTest, MatchesTheVectorsOfTheContract) {
  const std::pair<const char*, const char*> cases[] = {{"", "e3b0c44298fc"},
                                                       {"abc", "ba7816bf8f01"},
                                                       {"\u00e9", "4a99557e4033"},
                                                       {"x x x x ", "9144176b1330"},
                                                       {"\xED\xA0\x80", "91a681b99855"}};
  for (const auto& [text, sha] : cases) {
    Trial trial;
    trial.content = text;
    EXPECT_EQ(ContentSha(trial), sha) << text;
  }
  EXPECT_EQ(ContentSha(Trial{}), "e3b0c44298fc");
}

TEST(ContentHashTest, ContentWinsOverTheDisplayFormAndOtherTypesCountAsTheirText) {
  Trial trial;
  trial.response_first_200 = "zzz";
  EXPECT_EQ(OutputText(trial), "zzz");
  trial.content = "";
  EXPECT_EQ(OutputText(trial), "");
  trial.content = 5;
  EXPECT_EQ(OutputText(trial), "5");
}

TEST(ContentHashTest, OutputHashSeesAllFiveParts) {
  Trial base;
  base.content = "c";
  for (const auto member : {&Trial::content, &Trial::reasoning_content, &Trial::tool_calls,
                            &Trial::finish_reason, &Trial::completion_tokens}) {
    Trial other = base;
    other.*member = "changed";
    EXPECT_NE(OutputSha(base), OutputSha(other));
  }
}

struct BucketCase {
  const char* name;
  Json value;
  const char* text;
};

TEST(BucketTest, FillRatiosHaveTwoDecimals) {
  const double infinity = std::numeric_limits<double>::infinity();
  const BucketCase cases[] = {
      {"43a", 0.1, "0.10"},
      {"43b", 0.05, "0.05"},
      {"44", 0.125, "0.12"},
      {"45", 0.375, "0.38"},
      {"46", 0.005, "0.01"},
      {"47", 0.015, "0.01"},
      {"48", 0.995, "0.99"},
      {"49", 1, "1.00"},
      {"50 null", Json(), "unknown"},
      {"50 list", Json(Json::Array{}), "unknown"},
      {"50 text", "abc", "unknown"},
      {"51", "0.3", "unknown"},
      {"52", true, "unknown"},
      {"53 nan", std::nan(""), "unknown"},
      {"53 inf", infinity, "unknown"},
      {"53 -inf", -infinity, "unknown"},
      {"54", -0.001, "-0.00"},
      {"55", 1e20, "100000000000000000000.00"},
      {"56", 0.124, "0.12"},
  };
  for (const BucketCase& one : cases) EXPECT_EQ(FillText(one.value), one.text) << one.name;
}

TEST(BucketTest, FamiliesAreTheirTextOrCompactJson) {
  const BucketCase cases[] = {
      {"59", Json(), "unknown"}, {"60", "", ""},
      {"61 integer", 1, "1"},    {"61 double", 1.0, "1.0"},
      {"61 bool", true, "true"}, {"list", Json(Json::Array{"a"}), R"(["a"])"}};
  for (const BucketCase& one : cases) EXPECT_EQ(FamilyText(one.value), one.text) << one.name;
}

TEST(ModelNameTest, MatchesWholePartsOnly) {
  for (const char* moe : {"qwen3-30b-a3b", "Mixtral-8x7B", "moe", "x-MoE-y", "olmoe/MOE", "a22b"}) {
    EXPECT_TRUE(LooksLikeMixtureOfExperts(moe)) << moe;
  }
  for (const char* dense : {"qwen-180b", "phi-4", "x-a3", "a3c", "abc", "a3bx", "7x7", "7x7c",
                            "ax7b", "7yx7b", "x[a]", "smoe-x", "alpha3b", "4x", "x7b", "ab", ""}) {
    EXPECT_FALSE(LooksLikeMixtureOfExperts(dense)) << dense;
  }
}

}  // namespace
}  // namespace bi_test
