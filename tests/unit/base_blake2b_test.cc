#include "base/blake2b.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test {
namespace {

[[nodiscard]] std::string HexOf(std::string_view text, std::size_t bytes) {
  std::vector<std::uint8_t> digest(bytes);
  Blake2b(text, digest);
  std::string out;
  for (const std::uint8_t byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

TEST(Blake2bTest, AgreesWithKnownDigests) {
  EXPECT_EQ(HexOf("abc", 64),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  EXPECT_EQ(HexOf("", 64),
            "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
            "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce");
  EXPECT_EQ(HexOf("m|2048|fam|0.500000|0", 8), "f92d9b188ff7a046");
  EXPECT_EQ(HexOf("|0||0.000000|0", 8), "60bc1faa48f0f77e");
}

TEST(Blake2bTest, BlocksMeetWithoutASeam) {
  std::set<std::string> digests;
  for (std::size_t length = 120; length < 264; ++length) {
    digests.insert(HexOf(std::string(length, 'a'), 8));
  }
  EXPECT_EQ(digests.size(), 144u);
  EXPECT_EQ(HexOf(std::string(128, 'a'), 64),
            "fc6c71f688f43ea7d60817478808f3cac753e61571865c95adbc2d9122c943a7"
            "6b92c2cb1047ef3fe7bf6e436ec1d0a99a9e5b216780bf7fed9d7ca91d3a8f3b");
  EXPECT_EQ(HexOf(std::string(129, 'a'), 64),
            "55e6e0eb418149a8af92fd9ddc99254781b2f522a131b4f4d984404b71a00e11"
            "67b8124d5dcddd4c6977b299392335d6edd303da6d344d74bbef2d38101b232b");
  EXPECT_EQ(HexOf(std::string(256, 'a'), 8), "78b03efd0a5ea28b");
}

}  // namespace
}  // namespace bi_test
