#include "make_model/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "make_model/gguf_writer.h"
#include "make_model/make_model.h"
#include "make_model/tokenizer_vocab.h"
#include "unit/make_model_testing.h"

namespace bi_test::make_model {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::SizeIs;

TEST(SuccessorsTest, WordsFormOneCycleThatEverythingLeadsInto) {
  const Vocab vocab = MakeVocab(1024);
  const std::vector<int> next = Successors(vocab, 1);
  ASSERT_THAT(next, SizeIs(vocab.tokens.size()));
  std::map<int, int> in_degree;
  for (const int id : next) ++in_degree[id];
  EXPECT_THAT(in_degree, SizeIs(vocab.words.size()));
  for (const auto& [id, degree] : in_degree) {
    EXPECT_TRUE(std::binary_search(vocab.words.begin(), vocab.words.end(), id));
    EXPECT_LE(degree, 4) << id;
  }
  int id = vocab.words.front();
  std::size_t length = 0;
  do {
    id = next[static_cast<std::size_t>(id)];
    ++length;
  } while (id != vocab.words.front() && length <= vocab.words.size());
  EXPECT_EQ(length, vocab.words.size());
  EXPECT_NE(next, Successors(vocab, 2));
}

// What the model would say after one token if its blocks did nothing: rows of the output matrix
// times the embedding, scaled to the norm the server gives it.
std::pair<int, double> BestAndMargin(const std::vector<float>& embeddings,
                                     const std::vector<float>& output, std::size_t dim,
                                     std::size_t token) {
  const float* const e = &embeddings[token * dim];
  const double norm = std::sqrt(std::inner_product(e, e + dim, e, 0.0));
  std::vector<std::pair<double, int>> logits;
  for (std::size_t row = 0; row * dim < output.size(); ++row) {
    const double dot = std::inner_product(e, e + dim, &output[row * dim], 0.0);
    logits.emplace_back(dot * std::sqrt(static_cast<double>(dim)) / norm, static_cast<int>(row));
  }
  std::partial_sort(logits.begin(), logits.begin() + 2, logits.end(), std::greater<>());
  return {logits[0].second, logits[0].first - logits[1].first};
}

TEST(MarginTest, WideModelsPutTheSuccessorFarAhead) {
  for (const TensorType type :
       {TensorType::kF32, TensorType::kF16, TensorType::kQ8_0, TensorType::kQ4_0}) {
    ModelSpec spec;
    spec.margin = Margin::kWide;
    spec.type = type;
    spec.layers = 1;
    const std::string bytes = ToBytes(spec).value();
    const Gguf gguf = ReadGguf(bytes);
    const std::vector<float> embeddings = Decode(bytes, gguf, "token_embd.weight");
    const std::vector<float> output = Decode(bytes, gguf, "output.weight");
    const std::vector<int> next = Successors(MakeVocab(spec.vocab), spec.seed);
    for (std::size_t token = 0; token < next.size(); token += 89) {
      const auto [best, margin] = BestAndMargin(embeddings, output, 256, token);
      EXPECT_EQ(best, next[token]) << Name(type);
      EXPECT_GT(margin, 5) << Name(type) << " " << token;
    }
  }
}

TEST(MarginTest, PlainModelsAreOftenClose) {
  ModelSpec spec;
  spec.layers = 1;
  spec.type = TensorType::kF32;
  const std::string bytes = ToBytes(spec).value();
  const Gguf gguf = ReadGguf(bytes);
  const std::vector<float> embeddings = Decode(bytes, gguf, "token_embd.weight");
  const std::vector<float> output = Decode(bytes, gguf, "output.weight");
  int close = 0;
  for (std::size_t token = 0; token < 1024; token += 8) {
    close += BestAndMargin(embeddings, output, 256, token).second < 0.25 ? 1 : 0;
  }
  EXPECT_THAT(close, AllOf(Ge(30), Lt(128)));
}

TEST(MarginTest, PlainModelsAlmostNeverSayWhatIsNotText) {
  ModelSpec spec = Tiny();
  spec.type = TensorType::kF32;
  const std::string bytes = ToBytes(spec).value();
  const std::vector<float> output = Decode(bytes, ReadGguf(bytes), "output.weight");
  const auto spread = [&](std::size_t from, std::size_t to) {
    double squares = 0;
    for (std::size_t i = from * 64; i < to * 64; ++i) squares += output[i] * output[i];
    return std::sqrt(squares / static_cast<double>((to - from) * 64));
  };
  EXPECT_NEAR(spread(0, kFirstTextId), 0.05 / 8, 0.0005);
  EXPECT_NEAR(spread(kFirstTextId, 512), 1.0 / 8, 0.005);
}

TEST(ChatTemplateTest, IsPinned) {
  const Vocab vocab = MakeVocab(512);
  EXPECT_EQ(ChatTemplate(Margin::kPlain, vocab),
            "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n' }}"
            "{% endfor %}{% if add_generation_prompt %}{{ 'assistant:' }}{% endif %}");
  EXPECT_THAT(ChatTemplate(Margin::kWide, vocab),
              AllOf(HasSubstr("{{ 'assistant: ' + ['the','of',"),
                    HasSubstr("][messages[-1]['content']|length % ")));
}

}  // namespace
}  // namespace bi_test::make_model
