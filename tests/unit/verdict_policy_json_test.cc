// The policy as it stands on certs and in trace headers, read back.
#include <gmock/gmock.h>

#include <limits>

#include "bi_test/policy.h"

namespace bi_test {
namespace {

TEST(PolicyJsonTest, ReadingWhatWasWrittenGivesTheSamePolicy) {
  Policy stricter;
  stricter.logit_drift_eps = 0.125;
  stricter.min_ok_fraction = 0.9;
  stricter.min_coverage_fraction = 0.95;
  stricter.min_width_fraction = 1.0;
  stricter.min_effective_prompts = 6;
  stricter.min_promotion_prompts = 48;
  stricter.extra_invariant_fields = {"finish_reason", "token_ids"};
  for (const LogprobPolicy logprobs :
       {LogprobPolicy::kRecord, LogprobPolicy::kExact, LogprobPolicy::kEps}) {
    stricter.logprobs = logprobs;
    for (const Policy& policy : {Policy{}, stricter}) {
      const Result<Policy> read = ParsePolicyJson(PolicyJson(policy));
      ASSERT_TRUE(read.ok()) << read.error().Text();
      EXPECT_EQ(*read, policy);
    }
  }
}

TEST(PolicyJsonTest, WhatIsAbsentHasItsDefault) {
  for (const Json& json : {Json(), Json(Json::Object{}), Json(Json::Object{{"unknown", 5}})}) {
    const Result<Policy> read = ParsePolicyJson(json);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, Policy{});
  }
}

TEST(PolicyJsonTest, WholeNumbersAreNumbers) {
  const Result<Policy> read = ParsePolicyJson(Json(Json::Object{{"min_ok_fraction", 1}}));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->min_ok_fraction, 1.0);
}

TEST(PolicyJsonTest, EachWrongValueIsNamedWithItsKey) {
  const std::int64_t beyond = std::int64_t{std::numeric_limits<int>::max()} + 1;
  const struct {
    const char* name;
    Json json;
    const char* text;
  } cases[] = {
      {"a list", Json(Json::Array{}), "policy.: found [], allowed: an object"},
      {"unknown name", Json(Json::Object{{"logprobs", "none"}}),
       "policy.logprobs: found \"none\", allowed: record, exact or eps"},
      {"no name", Json(Json::Object{{"logprobs", 1}}),
       "policy.logprobs: found 1, allowed: record, exact or eps"},
      {"text for a number", Json(Json::Object{{"min_ok_fraction", "0.9"}}),
       "policy.min_ok_fraction: found \"0.9\", allowed: a number"},
      {"bool for a number", Json(Json::Object{{"logit_drift_eps", true}}),
       "policy.logit_drift_eps: found true, allowed: a number"},
      {"a fraction of prompts", Json(Json::Object{{"min_effective_prompts", 5.5}}),
       "policy.min_effective_prompts: found 5.5, allowed: a whole number"},
      {"a negative count", Json(Json::Object{{"min_effective_prompts", -1}}),
       "policy.min_effective_prompts: found -1, allowed: a whole number"},
      {"more than an int holds", Json(Json::Object{{"min_promotion_prompts", beyond}}),
       "policy.min_promotion_prompts: found 2147483648, allowed: a whole number"},
      {"no list", Json(Json::Object{{"extra_invariant_fields", "content"}}),
       "policy.extra_invariant_fields: found \"content\", allowed: a list of texts"},
      {"no text in the list", Json(Json::Object{{"extra_invariant_fields", Json::Array{5}}}),
       "policy.extra_invariant_fields: found 5, allowed: a text"},
      {"laxer than the product", Json(Json::Object{{"min_ok_fraction", 0.5}}),
       "policy: min_ok_fraction: found 0.5, allowed: a number from 0.8 to 1.0"},
  };
  for (const auto& one : cases) {
    const Result<Policy> read = ParsePolicyJson(one.json);
    ASSERT_FALSE(read.ok()) << one.name;
    EXPECT_EQ(read.error().Text(), one.text) << one.name;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidFile) << one.name;
  }
}

}  // namespace
}  // namespace bi_test
