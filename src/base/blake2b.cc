#include "base/blake2b.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace bi_test {
namespace {

using Words = std::array<std::uint64_t, 16>;

constexpr std::size_t kBlock = 128;

constexpr std::array<std::uint64_t, 8> kInitial = {
    0x6A09E667F3BCC908U, 0xBB67AE8584CAA73BU, 0x3C6EF372FE94F82BU, 0xA54FF53A5F1D36F1U,
    0x510E527FADE682D1U, 0x9B05688C2B3E6C1FU, 0x1F83D9ABFB41BD6BU, 0x5BE0CD19137E2179U};

// The message schedule of RFC 7693 section 2.7; rounds 10 and 11 reuse the first two rows.
constexpr std::uint8_t kSchedule[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                            {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                            {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                            {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                            {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                            {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                            {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                            {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                            {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                            {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

void Mix(Words& v, std::size_t a, std::size_t b, std::size_t c, std::size_t d, std::uint64_t x,
         std::uint64_t y) {
  v[a] = v[a] + v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] = v[c] + v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] = v[a] + v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] = v[c] + v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

void Compress(std::array<std::uint64_t, 8>& state, const std::array<std::uint8_t, kBlock>& block,
              std::uint64_t bytes_so_far, bool last) {
  Words message{};
  for (std::size_t i = 0; i < kBlock; ++i) {
    message[i / 8] |= std::uint64_t{block[i]} << (i % 8 * 8);
  }
  Words v{};
  std::copy(state.begin(), state.end(), v.begin());
  std::copy(kInitial.begin(), kInitial.end(), v.begin() + 8);
  v[12] ^= bytes_so_far;  // the upper half of the counter stays 0 below 2^64 bytes
  if (last) v[14] = ~v[14];
  for (std::size_t round = 0; round < 12; ++round) {
    const auto& s = kSchedule[round % 10];
    Mix(v, 0, 4, 8, 12, message[s[0]], message[s[1]]);
    Mix(v, 1, 5, 9, 13, message[s[2]], message[s[3]]);
    Mix(v, 2, 6, 10, 14, message[s[4]], message[s[5]]);
    Mix(v, 3, 7, 11, 15, message[s[6]], message[s[7]]);
    Mix(v, 0, 5, 10, 15, message[s[8]], message[s[9]]);
    Mix(v, 1, 6, 11, 12, message[s[10]], message[s[11]]);
    Mix(v, 2, 7, 8, 13, message[s[12]], message[s[13]]);
    Mix(v, 3, 4, 9, 14, message[s[14]], message[s[15]]);
  }
  for (std::size_t i = 0; i < state.size(); ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace

void Blake2b(std::string_view text, std::span<std::uint8_t> digest) {
  std::array<std::uint64_t, 8> state = kInitial;
  state[0] ^= 0x01010000U ^ digest.size();
  std::uint64_t done = 0;
  do {
    const std::string_view piece = text.substr(0, kBlock);
    text.remove_prefix(piece.size());
    std::array<std::uint8_t, kBlock> block{};
    std::transform(piece.begin(), piece.end(), block.begin(),
                   [](char c) { return static_cast<std::uint8_t>(c); });
    done += piece.size();
    Compress(state, block, done, text.empty());
  } while (!text.empty());
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 8] >> (i % 8 * 8));
  }
}

}  // namespace bi_test
