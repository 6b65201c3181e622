#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "make_model/make_model.h"
#include "server/model/gguf_header.h"

namespace bi_test::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Builds GGUF metadata by hand, lies included.
class Gguf {
 public:
  explicit Gguf(std::uint64_t keys, std::uint32_t version = 3) {
    bytes_ = "GGUF";
    Add(version);
    Add(std::uint64_t{0});
    Add(keys);
  }
  template <typename T>
  Gguf& Add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Gguf& Text(const std::string& text) {
    Add(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  Gguf& Key(const std::string& key, std::uint32_t type) {
    Text(key);
    return Add(type);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

constexpr std::uint32_t kU32 = 4;
constexpr std::uint32_t kI32 = 5;
constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kArray = 9;

std::string ErrorOf(const std::string& bytes) {
  const auto header = ParseGgufHeader(bytes);
  return header.ok() ? "accepted" : header.error().Text();
}

TEST(GgufHeader, TellsTheGeometryOfAMadeModel) {
  make_model::ModelSpec spec;
  spec.dim = 64;
  spec.hidden = 64;
  spec.layers = 2;
  spec.ctx = 512;
  const auto bytes = make_model::ToBytes(spec);
  ASSERT_TRUE(bytes.ok()) << bytes.error().Text();
  const auto header = ParseGgufHeader(*bytes);
  ASSERT_TRUE(header.ok()) << header.error().Text();
  EXPECT_EQ(header->architecture, "llama");
  EXPECT_EQ(header->layers, 2U);
  EXPECT_EQ(header->embedding, 64U);
  EXPECT_EQ(header->heads, 8U);
  EXPECT_THAT(header->kv_heads, ElementsAre(4));
  EXPECT_EQ(header->train_context, 512U);
  EXPECT_EQ(header->KeyElementsPerToken(), 2.0 * 4 * 8);
  EXPECT_EQ(header->ValueElementsPerToken(), 2.0 * 4 * 8);
}

TEST(GgufHeader, SumsKvHeadsPerLayer) {
  Gguf file(3);
  file.Key("x.attention.head_count_kv", kArray).Add(kI32).Add(std::uint64_t{3});
  file.Add(std::int32_t{2}).Add(std::int32_t{0}).Add(std::int32_t{4});
  file.Key("x.attention.key_length", kU32).Add(std::uint32_t{10});
  file.Key("x.block_count", kU32).Add(std::uint32_t{3});
  const auto header = ParseGgufHeader(file.bytes());
  ASSERT_TRUE(header.ok()) << header.error().Text();
  EXPECT_EQ(header->KeyElementsPerToken(), 60.0);
}

TEST(GgufHeader, EveryCutOfAFileIsAnError) {
  Gguf file(2);
  file.Key("general.architecture", kString).Text("llama");
  file.Key("llama.list", kArray).Add(kString).Add(std::uint64_t{2}).Text("ab").Text("c");
  const std::string& bytes = file.bytes();
  ASSERT_TRUE(ParseGgufHeader(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseGgufHeader(bytes.substr(0, size)).ok()) << size;
  }
}

TEST(GgufHeader, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(
      ErrorOf("GGUQ1234"),
      "the model file cannot be used: no GGUF file: it starts with `GGUQ` at byte 4; download "
      "or convert it again");
  EXPECT_THAT(ErrorOf(""), HasSubstr("the file ends at byte 0"));
  EXPECT_THAT(ErrorOf(Gguf(0, 9).bytes()), HasSubstr("GGUF version 9 (known: 2 and 3)"));
}

TEST(GgufHeader, LiesCostNothing) {
  const std::uint64_t huge = ~std::uint64_t{0};
  EXPECT_THAT(ErrorOf(Gguf(huge).bytes()), HasSubstr("metadata keys"));
  EXPECT_THAT(ErrorOf(Gguf(1).Add(huge).bytes()), HasSubstr("a string of "));
  EXPECT_THAT(ErrorOf(Gguf(1).Add(std::uint64_t{1} << 23).bytes()), HasSubstr("the file ends"));
  EXPECT_THAT(ErrorOf(Gguf(1).Key("k", kArray).Add(kU32).Add(huge).bytes()),
              HasSubstr("a list of 18446744073709551615 values"));
  EXPECT_THAT(ErrorOf(Gguf(1).Key("k", kArray).Add(kString).Add(huge).bytes()),
              HasSubstr("the file ends"));
  EXPECT_THAT(ErrorOf(Gguf(1).Key("k", 77).bytes()), HasSubstr("unknown value type 77"));
  Gguf nested(1);
  nested.Key("k", kArray);
  for (int i = 0; i < 100; ++i) nested.Add(kArray).Add(std::uint64_t{1});
  EXPECT_THAT(ErrorOf(nested.bytes()), HasSubstr("lists nested too deeply"));
}

TEST(GgufHeader, NumbersThatMakeNoSenseGiveNoGeometry) {
  Gguf file(2);
  file.Key("x.block_count", kI32).Add(std::int32_t{-4});
  file.Key("x.embedding_length", kString).Text("many");
  const auto header = ParseGgufHeader(file.bytes());
  ASSERT_TRUE(header.ok()) << header.error().Text();
  EXPECT_EQ(header->layers, 0U);
  EXPECT_EQ(header->KeyElementsPerToken(), 0.0);
}

TEST(GgufHeader, FolderAndMissingFileAreNamed) {
  EXPECT_THAT(ReadGgufHeader("/nowhere/m.gguf").error().Text(),
              HasSubstr("/nowhere/m.gguf: the model file does not exist"));
  EXPECT_THAT(ReadGgufHeader("/tmp").error().Text(), HasSubstr("no regular file"));
}

}  // namespace
}  // namespace bi_test::server
