#include "cert/model_name.h"

#include <gmock/gmock.h>

namespace bi_test {
namespace {

TEST(ModelNameTest, MatchesWholePartsOnly) {
  for (const char* moe :
       {"qwen3-30b-a3b", "Mixtral-8x7B", "moe", "x-MoE-y", "olmoe/MOE", "{moe}", "a22b"}) {
    EXPECT_TRUE(LooksLikeMixtureOfExperts(moe)) << moe;
  }
  for (const char* dense : {"qwen-180b", "phi-4", "x-a3", "a3c", "abc", "a3bx", "7x7", "7x7c",
                            "ax7b", "7yx7b", "x[a]", "smoe-x", "alpha3b", "4x", "x7b", "ab", ""}) {
    EXPECT_FALSE(LooksLikeMixtureOfExperts(dense)) << dense;
  }
}

}  // namespace
}  // namespace bi_test
