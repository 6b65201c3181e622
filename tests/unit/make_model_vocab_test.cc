#include "make_model/tokenizer_vocab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "make_model/model_spec.h"
#include "make_model/word_list.h"

namespace bi_test::make_model {
namespace {

using ::testing::Ge;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(WordListTest, WordsAreDistinctAndLowerCase) {
  std::set<std::string_view> seen;
  for (const std::string_view word : WordList()) {
    EXPECT_TRUE(seen.insert(word).second) << word;
    EXPECT_TRUE(!word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return c >= 'a' && c <= 'z';
    })) << word;
  }
}

class VocabTest : public ::testing::TestWithParam<int> {};

TEST_P(VocabTest, HasTheShapeTheTokenizerNeeds) {
  const Vocab vocab = MakeVocab(GetParam());
  ASSERT_THAT(vocab.tokens, SizeIs(static_cast<std::size_t>(GetParam())));
  EXPECT_EQ(vocab.tokens[kUnknownId], (Token{"<unk>", 0, TokenKind::kUnknown}));
  EXPECT_EQ(vocab.tokens[kBosId], (Token{"<s>", 0, TokenKind::kControl}));
  EXPECT_EQ(vocab.tokens[kEosId], (Token{"</s>", 0, TokenKind::kControl}));
  EXPECT_EQ(vocab.tokens[kFirstByteId], (Token{"<0x00>", 0, TokenKind::kByte}));
  EXPECT_EQ(vocab.tokens[kFirstByteId + 0xAB], (Token{"<0xAB>", 0, TokenKind::kByte}));
  EXPECT_EQ(vocab.tokens[kFirstTextId - 1], (Token{"<0xFF>", 0, TokenKind::kByte}));

  std::set<std::string> texts;
  for (const Token& token : vocab.tokens) {
    EXPECT_TRUE(texts.insert(token.text).second) << "twice: " << token.text;
  }
  EXPECT_EQ(texts.count("\xE2\x96\x81"), 1U);
  for (char c = '!'; c <= '~'; ++c) EXPECT_EQ(texts.count(std::string(1, c)), 1U) << c;
  for (std::size_t id = kFirstTextId; id < vocab.tokens.size(); ++id) {
    EXPECT_EQ(vocab.tokens[id].kind, TokenKind::kNormal);
    if (id > kFirstTextId) {
      EXPECT_LT(vocab.tokens[id].score, vocab.tokens[id - 1].score);
    }
  }
  EXPECT_THAT(vocab.words, SizeIs(Ge(50)));
  for (const int id : vocab.words) {
    EXPECT_THAT(vocab.tokens[static_cast<std::size_t>(id)].text, StartsWith("\xE2\x96\x81"));
  }
  EXPECT_THAT(vocab.english_words, SizeIs(Ge(20)));
  EXPECT_THAT(vocab.words, IsSupersetOf(vocab.english_words));
}

// Whatever a merge makes must be made of two tokens of higher score (or characters), or the
// tokenizer, which only ever joins neighbours, could not reach it.
TEST_P(VocabTest, EnglishWordsCanBeReachedByMerges) {
  const Vocab vocab = MakeVocab(GetParam());
  std::map<std::string, std::size_t> ids;
  for (std::size_t id = kFirstTextId; id < vocab.tokens.size(); ++id)
    ids[vocab.tokens[id].text] = id;
  const auto is_character = [](const std::string& text) {
    return text.size() == 1 || text == "\xE2\x96\x81";
  };
  for (const int word : vocab.english_words) {
    std::vector<std::string> open = {vocab.tokens[static_cast<std::size_t>(word)].text};
    while (!open.empty()) {
      const std::string text = open.back();
      open.pop_back();
      if (is_character(text)) continue;
      bool found = false;
      for (std::size_t cut = 1; cut < text.size() && !found; ++cut) {
        const auto left = ids.find(text.substr(0, cut));
        const auto right = ids.find(text.substr(cut));
        if (left == ids.end() || right == ids.end()) continue;
        const auto earlier = [&](const auto& part) {
          return is_character(part->first) || part->second < ids.at(text);
        };
        if (!earlier(left) || !earlier(right)) continue;
        found = true;
        open.push_back(left->first);
        open.push_back(right->first);
      }
      EXPECT_TRUE(found) << "no merge makes '" << text << "'";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, VocabTest, ::testing::Values(kMinVocab, 513, 1024, 2048, 9000));

TEST(VocabTest, LargestVocabularyHasDistinctTokens) {
  const Vocab vocab = MakeVocab(kMaxVocab);
  std::set<std::string_view> texts;
  for (const Token& token : vocab.tokens) texts.insert(token.text);
  EXPECT_THAT(texts, SizeIs(kMaxVocab));
}

TEST(VocabTest, CommonWordsAreOneTokenByDefault) {
  const Vocab vocab = MakeVocab(ModelSpec{}.vocab);
  std::set<std::string> texts;
  for (const int id : vocab.english_words)
    texts.insert(vocab.tokens[static_cast<std::size_t>(id)].text.substr(3));
  EXPECT_THAT(texts, IsSupersetOf({"the", "and", "water", "people", "word"}));
  EXPECT_THAT(texts, SizeIs(Ge(200)));
}

}  // namespace
}  // namespace bi_test::make_model
