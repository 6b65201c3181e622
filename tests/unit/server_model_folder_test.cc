// Models that are folders: what identifies them, what they weigh, what their config.json says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "server/guards.h"
#include "server/model/model_config.h"
#include "server/model/model_folder.h"
#include "server_launch_case.h"
#include "support/temp_dir.h"

namespace bi_test::server {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ModelFolderTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& content) const {
    fs::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name, std::ios::binary) << content;
  }
  [[nodiscard]] const fs::path& folder() const { return dir_.path(); }
  [[nodiscard]] std::string Digest() const {
    const auto model = DigestModelFolder(folder());
    return model.ok() ? model->sha256 : model.error().Text();
  }

 private:
  test_support::TempDir dir_;
};

TEST_F(ModelFolderTest, IsTheSortedListOfItsFiles) {
  Write("model.safetensors", "weights");
  Write("config.json", "{}");
  Write("sub/part.json", "x");
  const auto model = DigestModelFolder(folder());
  ASSERT_TRUE(model.ok()) << model.error().Text();
  EXPECT_EQ(model->bytes, 10U);
  EXPECT_EQ(model->sha256,
            Sha256Hex("config.json 2 " + Sha256Hex("{}") + "\nmodel.safetensors 7 " +
                      Sha256Hex("weights") + "\nsub/part.json 1 " + Sha256Hex("x") + "\n"));
}

TEST_F(ModelFolderTest, ChangesWithEveryFile) {
  Write("a.safetensors", "w");
  const std::string first = Digest();
  Write("tokenizer.json", "t");
  const std::string added = Digest();
  EXPECT_NE(added, first);
  fs::rename(folder() / "tokenizer.json", folder() / "chat_template.jinja");
  EXPECT_NE(Digest(), added);
  fs::remove(folder() / "chat_template.jinja");
  EXPECT_EQ(Digest(), first);
  Write("a.safetensors", "v2");
  EXPECT_NE(Digest(), first);
}

TEST_F(ModelFolderTest, LeavesOutWhatIsHidden) {
  Write("a.safetensors", "w");
  const std::string first = Digest();
  Write(".git/config", "x");
  Write(".cache/y", "y");
  EXPECT_EQ(Digest(), first);
}

TEST_F(ModelFolderTest, FollowsLinksToFilesAsTheHubCacheHasThem) {
  Write(".blobs/1", "w");
  fs::create_symlink(".blobs/1", folder() / "a.safetensors");
  const std::string linked = Digest();
  fs::remove(folder() / "a.safetensors");
  Write("a.safetensors", "w");
  EXPECT_EQ(Digest(), linked);
}

TEST_F(ModelFolderTest, IsBoundedInDepth) {
  Write("1/2/3/4/5/6/7/8/9/x", "x");
  EXPECT_THAT(Digest(), HasSubstr("more than 8 folders deep"));
}

TEST_F(ModelFolderTest, ThatIsNotThereIsNamed) {
  const auto model = DigestModelFolder(folder() / "gone");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().Text(),
            (folder() / "gone").string() +
                ": the model folder cannot be read: No such file or directory; check its path");
}

struct WeightCase {
  const char* name;
  std::vector<std::pair<const char*, std::size_t>> files;
  std::uint64_t bytes;  ///< 0: there are none.
};
void PrintTo(const WeightCase& test, std::ostream* out) { *out << test.name; }

class ModelWeights : public ModelFolderTest, public ::testing::WithParamInterface<WeightCase> {};

TEST_P(ModelWeights, AreThoseAServerLoads) {
  for (const auto& [name, size] : GetParam().files) Write(name, std::string(size, 'w'));
  const auto bytes = ModelFolderWeights(folder());
  if (GetParam().bytes > 0) {
    ASSERT_TRUE(bytes.ok()) << bytes.error().Text();
    EXPECT_EQ(*bytes, GetParam().bytes);
  } else {
    ASSERT_FALSE(bytes.ok());
    EXPECT_THAT(bytes.error().Text(), HasSubstr("found no weights in the model folder"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Folders, ModelWeights,
    ::testing::Values(
        WeightCase{"Shards",
                   {{"model-1-of-2.safetensors", 5},
                    {"model-2-of-2.safetensors", 7},
                    {"config.json", 100}},
                   12},
        WeightCase{"SafetensorsBeforeBin", {{"model.safetensors", 5}, {"model.bin", 70}}, 5},
        WeightCase{"BinWithoutTrainingState",
                   {{"model.bin", 7}, {"training_args.bin", 9}, {"optimizer.bin", 90}},
                   7},
        WeightCase{"SecondCopyIsNotCounted",
                   {{"model.safetensors", 5}, {"consolidated.safetensors", 5}},
                   5},
        WeightCase{"OnlyTheConsolidatedCopy", {{"consolidated.00.pth", 6}}, 6},
        WeightCase{"Gguf", {{"m.gguf", 4}}, 4}, WeightCase{"NoWeights", {{"config.json", 2}}, 0},
        WeightCase{"Nothing", {}, 0}, WeightCase{"EmptyWeights", {{"model.safetensors", 0}}, 0}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ModelConfig, TellsTheGeometry) {
  const auto header = ParseModelConfig(
      R"({"model_type":"llama","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,
          "num_key_value_heads":8,"head_dim":128,"max_position_embeddings":131072,
          "num_local_experts":16})");
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->architecture, "llama");
  EXPECT_EQ(header->KeyElementsPerToken(), 32.0 * 8 * 128);
  EXPECT_EQ(header->ValueElementsPerToken(), 32.0 * 8 * 128);
  EXPECT_EQ(header->train_context, 131'072U);
  EXPECT_EQ(header->experts, 16U);
}

TEST(ModelConfig, FillsInWhatOlderModelsLeaveOut) {
  const auto header = ParseModelConfig(R"({"n_layer":2,"n_embd":64,"n_head":4,"n_positions":99})");
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->KeyElementsPerToken(), 2.0 * 64);
  EXPECT_EQ(header->train_context, 99U);
  EXPECT_EQ(header->experts, 0U);
}

TEST(ModelConfig, ReadsTheLanguagePart) {
  const auto header = ParseModelConfig(
      R"({"vision_config":{"num_hidden_layers":99},
          "text_config":{"num_hidden_layers":3,"num_attention_heads":2,"head_dim":8,
                         "num_experts":4}})");
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->KeyElementsPerToken(), 3.0 * 2 * 8);
  EXPECT_EQ(header->experts, 4U);
}

TEST(ModelConfig, TakesNoNonsenseForNumbers) {
  const auto header = ParseModelConfig(
      R"({"num_hidden_layers":-3,"hidden_size":1e300,"num_attention_heads":"8",
          "num_key_value_heads":99999999999999999999,"head_dim":null,"num_experts":[1]})");
  ASSERT_TRUE(header.ok()) << header.error().Text();
  EXPECT_EQ(header->KeyElementsPerToken(), 0.0);
  EXPECT_EQ(header->experts, 0U);
  for (const char* text : {"", "[]", "<html>", "{\"a\":1"}) {
    EXPECT_FALSE(ParseModelConfig(text).ok()) << text;
  }
  EXPECT_THAT(ReadModelConfig("/nowhere").error().Text(),
              HasSubstr("/nowhere/config.json: the model's config.json cannot be read"));
}

TEST_F(ModelFolderTest, IsGuardedByItsWeightsAndGeometry) {
  Write("model.safetensors", std::string(1 << 20, 'w'));
  Write("config.json", R"({"num_hidden_layers":32,"num_attention_heads":32,"head_dim":128})");
  LaunchCase launch("vllm");
  launch.model.path = folder();
  launch.guard.allow_unknown_memory = true;
  const auto report = CheckGuards(launch.Spec(), std::nullopt);
  ASSERT_TRUE(report.ok()) << report.error().Text();
  EXPECT_EQ(report->model_bytes, std::uint64_t{1} << 20);
  // 2 * 32 * 32 * 128 elements of 2 bytes for each of 1024 tokens in 4 slots.
  EXPECT_NEAR(report->footprint.kv_geometry, 2.0, 1e-9);
  launch.guard.max_footprint_gib = 3.0;
  EXPECT_THAT(CheckGuards(launch.Spec(), std::nullopt).error().Text(),
              HasSubstr("guard S0: projected footprint 3.50 GiB"));
}

}  // namespace
}  // namespace bi_test::server
