#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "make_model/make_model.h"
#include "process/memory_reading.h"
#include "server/guards.h"

namespace bi_test::server {
namespace {

namespace fs = std::filesystem;
using ::testing::DoubleNear;
using ::testing::HasSubstr;

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (fs::temp_directory_path() / "bi_test_guards_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

struct KvCase {
  int ctx, slots;
  const char* kv;
  double gib;
};

TEST(Footprint, FollowsTheRuleOfThumb) {
  for (const KvCase& c : {KvCase{8192, 1, "q8_0", 0.8125}, KvCase{8192, 4, "q8_0", 3.25},
                          KvCase{32768, 1, "f16", 6.5}, KvCase{131072, 1, "q5_1", 8.125},
                          KvCase{131072, 1, "Q8_0", 13.0}, KvCase{131072, 1, "f32", 52.0},
                          KvCase{131072, 1, "bf16", 26.0}}) {
    const auto footprint = ProjectFootprint(0, nullptr, c.ctx, c.slots, c.kv);
    ASSERT_TRUE(footprint.has_value()) << c.kv;
    EXPECT_DOUBLE_EQ(footprint->kv(), c.gib) << c.ctx << " " << c.kv;
  }
  EXPECT_DOUBLE_EQ(ProjectFootprint(100, nullptr, 131072, 8, "q8_0")->total(), 205.5);
  EXPECT_EQ(ProjectFootprint(1, nullptr, 1024, 1, "q9_9"), std::nullopt);
}

TEST(Footprint, TakesTheGeometryOfTheModelWhenThatIsLarger) {
  GgufHeader wide;  // 32 layers, no grouped heads, 4096 wide.
  wide.layers = 32;
  wide.embedding = 4096;
  wide.heads = 32;
  const auto footprint = ProjectFootprint(0, &wide, 131072, 1, "q8_0");
  ASSERT_TRUE(footprint.has_value());
  EXPECT_THAT(footprint->kv(), DoubleNear(34.0, 0.01));
  EXPECT_DOUBLE_EQ(footprint->kv_rule, 13.0);
  GgufHeader tiny;
  tiny.layers = 1;
  tiny.embedding = 64;
  tiny.heads = 1;
  EXPECT_DOUBLE_EQ(ProjectFootprint(0, &tiny, 131072, 1, "q8_0")->kv(), 13.0);
}

TEST(Footprint, CountsTheRoundedContextOfASlot) {
  GgufHeader header;
  header.layers = 1;
  header.kv_heads = {1};
  header.key_length = 1 << 20;
  header.value_length = 1 << 20;
  // 1000 tokens become 1024: 1024 tokens x 2 Mi elements x 2 bytes = 4 GiB.
  EXPECT_DOUBLE_EQ(ProjectFootprint(0, &header, 1000, 1, "f16")->kv_geometry, 4.0);
}

TEST(LargestFit, LeavesTheFloorFree) {
  EXPECT_EQ(LargestFit(5, nullptr, 32768, 8, "q8_0", 16, 8), 1);
  EXPECT_EQ(LargestFit(5, nullptr, 32768, 8, "q8_0", 32, 8), 5);
  EXPECT_EQ(LargestFit(5, nullptr, 32768, 8, "q8_0", 1000, 8), 8);
}

class Guards : public ::testing::Test {
 protected:
  Guards() {
    folder.Write("m.gguf", "x");
    model.id = "m";
    model.path = folder.path() / "m.gguf";
  }
  Result<GuardReport> Check(std::optional<std::uint64_t> available) const {
    return CheckGuards({.server = &server,
                        .model = &model,
                        .guard = &guard,
                        .ctx = ctx,
                        .slots = slots,
                        .log_file = {},
                        .role = "N"},
                       available);
  }
  std::string ErrorText(std::optional<std::uint64_t> available) const {
    const auto report = Check(available);
    return report.ok() ? "accepted" : report.error().Text();
  }

  TempFolder folder;
  ServerConfig server;
  ModelConfig model;
  GuardConfig guard;
  int ctx = 8192;
  int slots = 4;
};

TEST_F(Guards, AcceptWhatFits) {
  model.kv = "q8_0";
  const auto report = Check(64 * kGib);
  ASSERT_TRUE(report.ok()) << report.error().Text();
  EXPECT_THAT(report->footprint.total(), DoubleNear(4.75, 1e-6));
  EXPECT_DOUBLE_EQ(report->available_gib, 64.0);
  EXPECT_FALSE(report->header.has_value());
}

TEST_F(Guards, RefuseAboveTheCap) {
  guard.max_footprint_gib = 4;
  model.kv = "q8_0";
  EXPECT_EQ(
      ErrorText(64 * kGib),
      "m: guard S0: projected footprint 4.75 GiB (weights 0.00 GiB + KV 3.25 GiB + overhead "
      "1.50 GiB) for 4 slots of 8192 tokens in q8_0 is above the cap of 4.00 GiB; lower ctx or "
      "parallel, or raise guard.max_footprint_gib");
}

TEST_F(Guards, RefuseWhatLeavesTooLittle) {
  model.kv = "q8_0";
  EXPECT_EQ(
      ErrorText(12 * kGib),
      "m: guard S4: projected footprint 4.75 GiB (weights 0.00 GiB + KV 3.25 GiB + overhead "
      "1.50 GiB) for 4 slots of 8192 tokens in q8_0 plus the floor of 8.00 GiB is above the "
      "available 12.00 GiB; guard S7: at most 3 of 4 slots fit, and the number is never "
      "lowered silently; free memory, lower ctx or parallel, or lower guard.memory_floor_gib");
}

TEST_F(Guards, RefuseAnUnknownMemoryUnlessTold) {
  EXPECT_EQ(ErrorText(std::nullopt),
            "m: guard S4: the available memory cannot be read on this system; set "
            "guard.allow_unknown_memory to launch all the same");
  guard.allow_unknown_memory = true;
  EXPECT_EQ(ErrorText(std::nullopt), "accepted");
}

TEST_F(Guards, RefuseAnUnknownKvLabel) {
  model.kv = "q3\n";
  EXPECT_EQ(
      ErrorText(64 * kGib),
      "m: kv: found `q3\\x0a`; known are f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl, "
      "auto, fp8, fp8_e4m3, fp8_e5m2");
}

TEST_F(Guards, RefuseAContextAboveTheCeiling) {
  ctx = 131'073;
  guard.max_footprint_gib = 1e9;
  EXPECT_THAT(ErrorText(std::uint64_t{1} << 50),
              HasSubstr("ctx 131073 is above the ceiling of 131072 tokens per slot"));
  guard.max_ctx = 200'000;
  EXPECT_EQ(ErrorText(std::uint64_t{1} << 50), "accepted");
}

TEST_F(Guards, RefuseNumbersThatSwitchAGuardOff) {
  for (const double cap : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    guard.max_footprint_gib = cap;
    EXPECT_THAT(ErrorText(64 * kGib), HasSubstr("guard.max_footprint_gib: found ")) << cap;
  }
  guard.max_footprint_gib = 15;
  for (const double floor : {-1.0, std::nan("")}) {
    guard.memory_floor_gib = floor;
    EXPECT_THAT(ErrorText(64 * kGib), HasSubstr("guard.memory_floor_gib: found ")) << floor;
  }
  guard.memory_floor_gib = 8;
  for (const int n : {0, -5, 257}) {
    slots = n;
    EXPECT_THAT(ErrorText(64 * kGib), HasSubstr("slots 1 to 256")) << n;
  }
}

TEST_F(Guards, RefuseAMissingModel) {
  model.path = folder.path() / "gone.gguf";
  EXPECT_THAT(ErrorText(64 * kGib),
              HasSubstr("gone.gguf: the size of the model file cannot be read"));
}

TEST_F(Guards, AddUpAModelInSeveralFiles) {
  folder.Write("big-00001-of-00002.gguf", std::string(100, 'x'));
  folder.Write("big-00002-of-00002.gguf", std::string(50, 'x'));
  model.path = folder.path() / "big-00001-of-00002.gguf";
  const auto report = Check(64 * kGib);
  ASSERT_TRUE(report.ok()) << report.error().Text();
  EXPECT_EQ(report->model_bytes, 150U);
}

TEST_F(Guards, ReadTheHeaderOfARealModel) {
  model.path = folder.path() / "tiny.gguf";
  make_model::ModelSpec spec;
  spec.dim = 64;
  spec.hidden = 64;
  spec.layers = 2;
  ASSERT_TRUE(make_model::Write(spec, model.path.string()).ok());
  const auto report = Check(64 * kGib);
  ASSERT_TRUE(report.ok()) << report.error().Text();
  ASSERT_TRUE(report->header.has_value());
  EXPECT_EQ(report->header->architecture, "llama");
  EXPECT_GT(report->footprint.kv_geometry, 0.0);
}

TEST(Memory, IsTheSmallestRoomThereIs) {
  const TempFolder root;
  EXPECT_EQ(process::AvailableMemory(root.path()), std::nullopt);
  root.Write("proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   1000 kB\n");
  EXPECT_EQ(process::AvailableMemory(root.path()), 1'024'000U);
  root.Write("proc/self/cgroup", "0::/a/b\n");
  root.Write("sys/fs/cgroup/a/b/memory.max", "max\n");
  root.Write("sys/fs/cgroup/a/b/memory.current", "5\n");
  EXPECT_EQ(process::AvailableMemory(root.path()), 1'024'000U);
  // The group above is the one with a limit; its page cache can be given back.
  root.Write("sys/fs/cgroup/a/memory.max", "10000\n");
  root.Write("sys/fs/cgroup/a/memory.current", "9000\n");
  root.Write("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 2000\n");
  EXPECT_EQ(process::AvailableMemory(root.path()), 3'000U);
  root.Write("sys/fs/cgroup/a/memory.current", "20000\n");
  EXPECT_EQ(process::AvailableMemory(root.path()), 0U);
}

TEST(Memory, KnowsTheOlderControlGroups) {
  const TempFolder root;
  root.Write("proc/meminfo", "MemAvailable: 1000 kB\n");
  root.Write("proc/self/cgroup", "5:cpu,memory:/job\n3:pids:/x\n");
  root.Write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4096\n");
  root.Write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "96\n");
  EXPECT_EQ(process::AvailableMemory(root.path()), 4'000U);
}

TEST(Memory, IsReadOnThisMachine) { EXPECT_GT(process::AvailableMemory().value_or(0), 0U); }

}  // namespace
}  // namespace bi_test::server
