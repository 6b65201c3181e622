#pragma once

#include <string>
#include <vector>

namespace bi_test::make_model {

/// Kinds of tokens, numbered as GGUF numbers them.
enum class TokenKind : int { kNormal = 1, kUnknown = 2, kControl = 3, kByte = 6 };

struct Token {
  /// UTF-8; a leading space is written as U+2581, a byte token as "<0x41>".
  std::string text;
  /// Of two possible merges the tokenizer takes the one with the higher score.
  float score = 0;
  TokenKind kind = TokenKind::kNormal;

  friend bool operator==(const Token&, const Token&) = default;
};

/// Identifiers that are the same in every vocabulary.
inline constexpr int kUnknownId = 0;
inline constexpr int kBosId = 1;
inline constexpr int kEosId = 2;
inline constexpr int kFirstByteId = 3;
/// From here on every token is visible text and valid UTF-8 by itself.
inline constexpr int kFirstTextId = kFirstByteId + 256;

inline constexpr int kMinVocab = 512;
inline constexpr int kMaxVocab = 1 << 17;

/// A vocabulary for llama.cpp's `llama` (SentencePiece BPE) tokenizer.
struct Vocab {
  std::vector<Token> tokens;
  /// Tokens that are a word: a leading space and at least two letters. In order of id, never empty.
  std::vector<int> words;
  /// Those of `words` that are whole words of the language, most frequent first.
  std::vector<int> english_words;
};

/// The vocabulary of `size` tokens. The same for the same size, whatever the seed of the model, so
/// that token ids of different models can be compared.
///
/// Unknown, begin, end; 256 byte tokens; pieces and words learned by byte pair encoding from a list
/// of common English words (every word can be reached by merges, as the tokenizer requires); the
/// printable ASCII characters; and, where the list is exhausted, made-up words of two or more
/// syllables. REQUIRES: kMinVocab <= size <= kMaxVocab.
[[nodiscard]] Vocab MakeVocab(int size);

}  // namespace bi_test::make_model
