#include "make_model/model_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "make_model/make_model.h"
#include "make_model/spec_check.h"
#include "make_model/tokenizer_vocab.h"
#include "unit/make_model_testing.h"

namespace bi_test::make_model {
namespace {

using ::testing::IsEmpty;

struct BadSpec {
  const char* name;
  ModelSpec spec;
  std::vector<std::string> errors;
};

std::ostream& operator<<(std::ostream& out, const BadSpec& bad) { return out << bad.name; }

constexpr int kLowest = std::numeric_limits<int>::min();
constexpr int kHighest = std::numeric_limits<int>::max();

std::vector<BadSpec> BadSpecs() {
  const ModelSpec base;
  const ModelSpec moe = With(base, [](ModelSpec& s) { s.arch = Arch::kMoe; });
  const auto set = [](int ModelSpec::*member, int value) {
    return [=](ModelSpec& s) { s.*member = value; };
  };
  const auto type = [](TensorType value) { return [=](ModelSpec& s) { s.type = value; }; };
  return {
      {"DimZero", With(base, set(&ModelSpec::dim, 0)), {"--dim is 0; allowed are 32 to 16384"}},
      {"DimNegative",
       With(base, set(&ModelSpec::dim, -256)),
       {"--dim is -256; allowed are 32 to 16384"}},
      {"DimHuge",
       With(base, set(&ModelSpec::dim, kHighest)),
       {"--dim is 2147483647; allowed are 32 to 16384"}},
      {"HiddenZero",
       With(base, set(&ModelSpec::hidden, 0)),
       {"--hidden is 0; allowed are 32 to 65536"}},
      {"HiddenHuge",
       With(base, set(&ModelSpec::hidden, 65537)),
       {"--hidden is 65537; allowed are 32 to 65536"}},
      {"LayersZero",
       With(base, set(&ModelSpec::layers, 0)),
       {"--layers is 0; allowed are 1 to 512"}},
      {"LayersHuge",
       With(base, set(&ModelSpec::layers, 513)),
       {"--layers is 513; allowed are 1 to 512"}},
      {"HeadsZero", With(base, set(&ModelSpec::heads, 0)), {"--heads is 0; allowed are 1 to 256"}},
      {"HeadsLowest",
       With(base, set(&ModelSpec::heads, kLowest)),
       {"--heads is -2147483648; allowed are 1 to 256"}},
      {"KvHeadsZero",
       With(base, set(&ModelSpec::kv_heads, 0)),
       {"--kv-heads is 0; allowed are 1 to 256"}},
      {"CtxSmall",
       With(base, set(&ModelSpec::ctx, 255)),
       {"--ctx is 255; allowed are 256 to 1048576"}},
      {"CtxHuge",
       With(base, set(&ModelSpec::ctx, 1048577)),
       {"--ctx is 1048577; allowed are 256 to 1048576"}},
      {"VocabSmall",
       With(base, set(&ModelSpec::vocab, 511)),
       {"--vocab is 511; allowed are 512 to 131072"}},
      {"VocabHuge",
       With(base, set(&ModelSpec::vocab, 131073)),
       {"--vocab is 131073; allowed are 512 to 131072"}},
      {"ExpertsOne",
       With(moe, set(&ModelSpec::experts, 1)),
       {"--experts is 1; allowed are 2 to 512"}},
      {"ExpertsHuge",
       With(moe, set(&ModelSpec::experts, 513)),
       {"--experts is 513; allowed are 2 to 512"}},
      {"ExpertsUsedZero",
       With(moe, set(&ModelSpec::experts_used, 0)),
       {"--experts-used is 0; allowed are 1 to 8"}},
      {"ExpertsUsedMoreThanExperts",
       With(moe, set(&ModelSpec::experts, 4), set(&ModelSpec::experts_used, 5)),
       {"--experts-used is 5; allowed are 1 to --experts (4)"}},
      {"DimNotDivisibleByHeads",
       With(base, set(&ModelSpec::heads, 12)),
       {"--dim is 256; allowed are multiples of --heads (12)"}},
      {"HeadSizeOdd",
       With(base, set(&ModelSpec::dim, 288), set(&ModelSpec::heads, 32)),
       {"--dim is 288 with --heads 32, a head size of 9; allowed are even head sizes from 2 to "
        "512"}},
      {"HeadSizeHuge",
       With(base, set(&ModelSpec::dim, 1024), set(&ModelSpec::heads, 1),
            set(&ModelSpec::kv_heads, 1)),
       {"--dim is 1024 with --heads 1, a head size of 1024; allowed are even head sizes from 2 to "
        "512"}},
      {"HeadsNotDivisibleByKvHeads",
       With(base, set(&ModelSpec::kv_heads, 3)),
       {"--kv-heads is 3; allowed are divisors of --heads (8)"}},
      {"MoreKvHeadsThanHeads",
       With(base, set(&ModelSpec::kv_heads, 16)),
       {"--kv-heads is 16; allowed are divisors of --heads (8)"}},
      {"DimNotInQ8Blocks",
       With(base, set(&ModelSpec::dim, 80)),
       {"--dim is 80; allowed are multiples of 32 with --type q8_0"}},
      {"HiddenNotInQ4Blocks",
       With(base, set(&ModelSpec::hidden, 500), type(TensorType::kQ4_0)),
       {"--hidden is 500; allowed are multiples of 32 with --type q4_0"}},
      {"SeveralAtOnce",
       With(base, set(&ModelSpec::dim, 0), set(&ModelSpec::vocab, -1)),
       {"--dim is 0; allowed are 32 to 16384", "--vocab is -1; allowed are 512 to 131072"}},
      {"SeveralShapes",
       With(base, set(&ModelSpec::dim, 100), set(&ModelSpec::kv_heads, 3)),
       {"--dim is 100; allowed are multiples of --heads (8)",
        "--kv-heads is 3; allowed are divisors of --heads (8)",
        "--dim is 100; allowed are multiples of 32 with --type q8_0"}},
      {"TooLarge",
       With(base, set(&ModelSpec::dim, 4096), set(&ModelSpec::hidden, 16384),
            set(&ModelSpec::layers, 64)),
       {"the tensors would take 17123786752 bytes; allowed are at most 4294967296 (lower --dim, "
        "--hidden, --layers, --vocab or --experts, or take a smaller --type)"}},
      {"LargestOfAllStaysANumber",
       With(moe, set(&ModelSpec::dim, 16384), set(&ModelSpec::hidden, 65536),
            set(&ModelSpec::layers, 512), set(&ModelSpec::experts, 512),
            set(&ModelSpec::heads, 256), set(&ModelSpec::kv_heads, 256),
            set(&ModelSpec::vocab, 131072), type(TensorType::kF32)),
       {"the tensors would take 3379933170696192 bytes; allowed are at most 4294967296 (lower "
        "--dim, "
        "--hidden, --layers, --vocab or --experts, or take a smaller --type)"}},
  };
}

class BadSpecTest : public ::testing::TestWithParam<BadSpec> {};

TEST_P(BadSpecTest, IsRefusedWithThisText) {
  EXPECT_EQ(Validate(GetParam().spec), GetParam().errors);
  const Result<std::string> bytes = ToBytes(GetParam().spec);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, ErrorCode::kUsage);
}

INSTANTIATE_TEST_SUITE_P(Table, BadSpecTest, ::testing::ValuesIn(BadSpecs()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ValidateTest, AcceptsDefaultsAndExtremes) {
  EXPECT_THAT(Validate(ModelSpec{}), IsEmpty());
  for (const TensorType type :
       {TensorType::kF32, TensorType::kF16, TensorType::kQ8_0, TensorType::kQ4_0}) {
    for (const Arch arch : {Arch::kDense, Arch::kMoe}) {
      ModelSpec spec;
      spec.type = type;
      spec.arch = arch;
      EXPECT_THAT(Validate(spec), IsEmpty()) << spec;
    }
  }
  ModelSpec small;
  small.dim = small.hidden = 32;
  small.layers = small.kv_heads = 1;
  small.heads = 16;
  small.ctx = 256;
  small.vocab = kMinVocab;
  EXPECT_THAT(Validate(small), IsEmpty());
}

TEST(ValidateTest, IgnoresExpertsOfADenseModel) {
  ModelSpec spec;
  spec.experts = -5;
  spec.experts_used = 99;
  EXPECT_THAT(Validate(spec), IsEmpty());
}

TEST(ValidateTest, UnquantisedRowsNeedNoBlocks) {
  ModelSpec spec;
  spec.type = TensorType::kF16;
  spec.dim = 80;
  spec.hidden = 50;
  EXPECT_THAT(Validate(spec), IsEmpty());
}

TEST(ModelSpecTest, PrintsItselfOnOneLine) {
  std::ostringstream dense;
  dense << ModelSpec{};
  EXPECT_EQ(
      dense.str(),
      "seed=1 arch=dense type=q8_0 margin=plain dim=256 hidden=512 layers=4 heads=8 kv_heads=4 "
      "ctx=4096 vocab=1024");
  std::ostringstream moe;
  moe << TinyMoe();
  EXPECT_EQ(moe.str(),
            "seed=1 arch=moe type=q8_0 margin=plain dim=64 hidden=96 layers=1 heads=4 kv_heads=2 "
            "ctx=512 vocab=512 experts=4 experts_used=2");
}

}  // namespace
}  // namespace bi_test::make_model
