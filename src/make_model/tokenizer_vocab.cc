#include "make_model/tokenizer_vocab.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "make_model/word_list.h"

namespace bi_test::make_model {
namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";  // U+2581

std::vector<std::string> Characters() {
  std::vector<std::string> characters = {std::string(kSpace)};
  for (char c = '!'; c <= '~'; ++c) characters.emplace_back(1, c);
  return characters;
}

// Learns pieces by merging, again and again, the most frequent pair of neighbours in the weighted
// words.
class PieceLearner {
 public:
  PieceLearner() {
    for (const std::string& character : Characters()) IdOf(character);
    // Word frequency falls with rank about as it does in running text.
    std::uint64_t rank = 0;
    for (const std::string_view word : WordList()) {
      Word entry{1'000'000 / (rank++ + 10), {IdOf(std::string(kSpace))}};
      for (const char c : word) entry.pieces.push_back(IdOf(std::string(1, c)));
      words_.push_back(std::move(entry));
    }
  }

  // At most `count` new pieces, in the order in which they were learned.
  std::vector<std::string> Learn(std::size_t count) {
    const std::size_t known = texts_.size();
    for (Pair pair; texts_.size() < known + count && MostFrequent(pair);) Merge(pair);
    return {texts_.begin() + static_cast<std::ptrdiff_t>(known), texts_.end()};
  }

 private:
  struct Word {
    std::uint64_t weight;
    std::vector<std::uint32_t> pieces;
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  std::uint32_t IdOf(const std::string& text) {
    const auto [it, is_new] = ids_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return it->second;
  }

  // False if every word is one piece already. Of equally frequent pairs the one learned first wins.
  bool MostFrequent(Pair& best) {
    counts_.clear();
    for (const Word& word : words_) {
      for (std::size_t i = 1; i < word.pieces.size(); ++i) {
        counts_.emplace_back(Pair{word.pieces[i - 1], word.pieces[i]}, word.weight);
      }
    }
    std::sort(counts_.begin(), counts_.end());
    std::uint64_t best_weight = 0;
    for (auto it = counts_.begin(); it != counts_.end();) {
      const Pair pair = it->first;
      std::uint64_t weight = 0;
      for (; it != counts_.end() && it->first == pair; ++it) weight += it->second;
      if (weight > best_weight) {
        best_weight = weight;
        best = pair;
      }
    }
    return best_weight > 0;
  }

  void Merge(const Pair& pair) {
    const std::uint32_t merged = IdOf(texts_[pair.first] + texts_[pair.second]);
    for (Word& word : words_) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < word.pieces.size(); ++kept) {
        const bool here = i + 1 < word.pieces.size() && word.pieces[i] == pair.first &&
                          word.pieces[i + 1] == pair.second;
        word.pieces[kept] = here ? merged : word.pieces[i];
        i += here ? 2 : 1;
      }
      word.pieces.resize(kept);
    }
  }

  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t> ids_;
  std::vector<Word> words_;
  std::vector<std::pair<Pair, std::uint64_t>> counts_;
};

// The n-th made-up word: " bababe", " bababi", ... with more syllables when they run out.
std::string MadeUpWord(std::size_t n) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz";
  constexpr std::string_view kVowels = "aeiou";
  constexpr std::size_t kSyllables = kConsonants.size() * kVowels.size();
  std::string word;
  for (std::size_t syllable = 0; syllable < 3 || n > 0; ++syllable, n /= kSyllables) {
    const std::size_t which = n % kSyllables;
    word.insert(word.begin(), kVowels[which % kVowels.size()]);
    word.insert(word.begin(), kConsonants[which / kVowels.size()]);
  }
  return std::string(kSpace) + word;
}

std::string ByteText(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

bool IsWord(std::string_view text) {
  return text.starts_with(kSpace) && text.size() >= kSpace.size() + 2;
}

}  // namespace

Vocab MakeVocab(int size) {
  const auto target = static_cast<std::size_t>(size);
  Vocab vocab;
  std::vector<Token>& tokens = vocab.tokens;
  tokens.reserve(target);
  tokens.push_back({"<unk>", 0, TokenKind::kUnknown});
  tokens.push_back({"<s>", 0, TokenKind::kControl});
  tokens.push_back({"</s>", 0, TokenKind::kControl});
  for (unsigned byte = 0; byte < 256; ++byte)
    tokens.push_back({ByteText(byte), 0, TokenKind::kByte});

  const std::vector<std::string> characters = Characters();
  std::map<std::string, int, std::less<>> ids;
  const auto add = [&](const std::string& text) {
    if (!ids.try_emplace(text, static_cast<int>(tokens.size())).second) return;
    const float score = -static_cast<float>(tokens.size() - static_cast<std::size_t>(kFirstTextId));
    if (IsWord(text)) vocab.words.push_back(static_cast<int>(tokens.size()));
    tokens.push_back({text, score, TokenKind::kNormal});
  };
  for (const std::string& piece :
       PieceLearner().Learn(target - tokens.size() - characters.size())) {
    add(piece);
  }
  for (const std::string& character : characters) add(character);
  for (std::size_t n = 0; tokens.size() < target; ++n) add(MadeUpWord(n));

  for (const std::string_view word : WordList()) {
    const auto it = ids.find(std::string(kSpace) + std::string(word));
    if (it != ids.end() && IsWord(it->first)) vocab.english_words.push_back(it->second);
  }
  return vocab;
}

}  // namespace bi_test::make_model
