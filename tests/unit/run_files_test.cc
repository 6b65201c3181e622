#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "run/cell_files.h"
#include "run/cert_file.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RunFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() /
           ("bi_test_files_" + std::to_string(getpid()) + "_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  static void Put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string Read(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
  }

  fs::path dir_;
};

TEST_F(RunFiles, NamesComeFromCellAndRun) {
  const auto files = NameCellFiles(dir_, Cell{"m", 4096, 4, "f16"}, "r1");
  ASSERT_TRUE(files.ok()) << files.error().Text();
  EXPECT_EQ(files->cert.filename(), "m__ctx4096__N4.json");
  EXPECT_EQ(files->trace.filename(), "m__ctx4096__N4.trace.jsonl");
  EXPECT_EQ(files->attempts.filename(), "m__ctx4096__N4.attempts.jsonl");
  EXPECT_EQ(files->ServerLog("A").filename(), "m__ctx4096__N4.server-r1-A.log");
}

// R120
TEST_F(RunFiles, NoModelNameLeavesTheOutDir) {
  for (const char* model : {"../../x", "/etc/passwd", "a/b:c", ".hidden", "nul\x01"}) {
    const auto files = NameCellFiles(dir_, Cell{model, 4096, 4, "f16"}, "r");
    ASSERT_TRUE(files.ok()) << model;
    EXPECT_EQ(files->cert.parent_path(), fs::absolute(dir_)) << model;
    EXPECT_EQ(files->cert.lexically_normal(), files->cert) << model;
  }
}

TEST_F(RunFiles, ACellWithoutANameIsRefused) {
  const auto files = NameCellFiles(dir_, Cell{"", 4096, 4, "f16"}, "r");
  ASSERT_FALSE(files.ok());
  EXPECT_THAT(files.error().Text(), HasSubstr("a non-empty model, ctx >= 1 and N >= 2 are needed"));
}

TEST_F(RunFiles, ARefusalSaysWhyAndIsNoCert) {
  const Cell cell{"m", 4096, 4, "f16"};
  const auto files = NameCellFiles(dir_, cell, "r1");
  ASSERT_TRUE(files.ok());
  const Error error{ErrorCode::kRefused, "too large", "S0"};
  ASSERT_TRUE(WriteRefusal(*files, cell, error, "2026-01-02T03:04:05Z").ok());
  const std::string text = Read(dir_ / "refusal-r1.json");
  EXPECT_THAT(text, HasSubstr("\"kind\": \"refused\""));
  EXPECT_THAT(text, HasSubstr("\"guard\": \"S0\""));
  EXPECT_THAT(text, HasSubstr("\"text\": \"too large\""));
  EXPECT_FALSE(fs::exists(files->cert));
}

TEST_F(RunFiles, WhatIsNoCertIsNotLoaded) {
  const struct {
    const char* name;
    std::string text;
    const char* error;
  } cases[] = {
      {"empty", "", "no cert: "},
      {"not JSON", "{", "no cert: "},
      {"an array", "[]", "found [], expected a JSON object"},
      {"a doubled key", "{\"a\":1,\"a\":2}", "no cert: "},
      {"too deep", std::string(100, '[') + std::string(100, ']'), "no cert: "},
  };
  for (const auto& c : cases) {
    Put(dir_ / "c.json", c.text);
    const auto cert = LoadCert(dir_ / "c.json");
    ASSERT_FALSE(cert.ok()) << c.name;
    EXPECT_THAT(cert.error().Text(), HasSubstr(c.error)) << c.name;
  }
  EXPECT_FALSE(LoadCert(dir_ / "missing.json").ok());
}

}  // namespace
}  // namespace bi_test::run
