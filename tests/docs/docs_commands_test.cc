// Runs the commands of the pages as a reader would: in order, one scratch folder per page, with the
// installed package and a real llama-server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "docs/markdown.h"
#include "support/run_binary.h"

namespace bi_test::docs {
namespace {

namespace fs = std::filesystem;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

std::string Place(const Page& page, const Block& block) {
  return page.name + ":" + std::to_string(block.line) + ": ";
}

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// An empty folder of that name. Always the same one, so that a compiler cache knows it again.
fs::path ScratchFolder(const std::string& name) {
  const fs::path folder = fs::path(BI_TEST_BUILD_DIR) / "docs_commands" / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// A home with the package installed below `.local`, made once.
class Home {
 public:
  static const Home& Get() {
    static const Home home;
    return home;
  }

  /// Runs the text with /bin/sh in a folder.
  [[nodiscard]] BinaryResult Shell(const std::string& text, const fs::path& folder) const {
    BinaryOptions options;
    options.args = {"-e", "-u", "-c", text};
    options.directory = folder.string();
    options.timeout = std::chrono::seconds(300);
    options.env = {
        {"HOME", dir_.string()},
        {"PATH", (prefix() / "bin").string() + ":" + Variable("PATH")},
        {"CCACHE_DIR", Variable("CCACHE_DIR").empty() ? Variable("HOME") + "/.cache/ccache"
                                                      : Variable("CCACHE_DIR")},
        {"BI_TEST_LLAMA_SERVER", BI_TEST_SERVER},
        {"CXX", BI_TEST_CXX},
        {"CXXFLAGS", BI_TEST_CXX_FLAGS},
        {"CMAKE_GENERATOR", BI_TEST_GENERATOR},
        {"CMAKE_CXX_COMPILER_LAUNCHER", BI_TEST_LAUNCHER},
        {"CTEST_OUTPUT_ON_FAILURE", "1"}};
    return RunBinary("/bin/sh", options);
  }

  [[nodiscard]] fs::path prefix() const { return dir_ / ".local"; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  static std::string Variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  }

  Home() : dir_(ScratchFolder("home")) {
    BinaryOptions options;
    options.args = {"--install", BI_TEST_BUILD_DIR, "--prefix", prefix().string()};
    options.timeout = std::chrono::seconds(300);
    const BinaryResult result = RunBinary(BI_TEST_CMAKE, options);
    if (result.exit_code != 0)
      trouble_ = "exit code " + std::to_string(result.exit_code) + ": " + result.err;
  }

  fs::path dir_;
  std::string trouble_;
};

/// The exit code that the words ask for: `sh run 3`.
int ExpectedCode(const Block& block) {
  const std::size_t at = block.words.rfind(' ');
  const std::string last = block.words.substr(at + 1);
  return last == "run" ? 0 : std::stoi(last);
}

/// A starved machine leaves gaps between short answers, and a pass then does not count. That says
/// nothing about the page.
bool LacksWidth(const BinaryResult& result) {
  return result.out.find("UNVERIFIED") != std::string::npos &&
         (result.out.find("does not count: mean width") != std::string::npos ||
          result.out.find("COVERAGE") != std::string::npos);
}

bool IsRun(const Block& block) { return block.words.starts_with("sh run"); }

class PageTest : public testing::TestWithParam<std::string> {};

TEST_P(PageTest, ItsCommandsDoWhatItSays) {
  ASSERT_EQ(Home::Get().trouble(), "") << "the package could not be installed";
  const fs::path root(BI_TEST_SOURCE_DIR);
  const Page page = ReadPage(root / GetParam(), root);
  const fs::path scratch = ScratchFolder("page");
  int count = 0;
  for (const Block& block : page.blocks) {
    if (!block.file.empty()) Write(scratch / block.file, block.text);
    if (!IsRun(block)) continue;
    ++count;
    BinaryResult result = Home::Get().Shell(block.text, scratch);
    for (int i = 0; i < 4 && LacksWidth(result); ++i) {
      result = Home::Get().Shell(block.text, scratch);
    }
    ASSERT_EQ(result.exit_code, ExpectedCode(block)) << Place(page, block) << '\n'
                                                     << block.text << result;
  }
  EXPECT_GT(count, 0);
}

std::vector<std::string> PagesWithCommands() {
  std::vector<std::string> names;
  for (const Page& page : ReadPages(BI_TEST_SOURCE_DIR)) {
    for (const Block& block : page.blocks) {
      if (!IsRun(block)) continue;
      names.push_back(page.name);
      break;
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Docs, PageTest, testing::ValuesIn(PagesWithCommands()),
                         [](const auto& test) {
                           std::string name;
                           for (const char c : test.param) {
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

TEST(CmakeExamplesTest, AreConfiguredAgainstThePackage) {
  ASSERT_EQ(Home::Get().trouble(), "") << "the package could not be installed";
  int count = 0;
  for (const Page& page : ReadPages(BI_TEST_SOURCE_DIR)) {
    for (const Block& block : page.blocks) {
      if (block.words != "cmake") continue;
      ++count;
      const fs::path scratch = ScratchFolder("cmake");
      const bool whole = block.text.find("project(") != std::string::npos;
      const std::string before = whole ? ""
                                       : "cmake_minimum_required(VERSION 3.25)\n"
                                         "project(example LANGUAGES CXX)\n"
                                         "enable_testing()\n"
                                         "find_package(bi_test CONFIG REQUIRED)\n";
      Write(scratch / "CMakeLists.txt", before + block.text);
      for (const char* source : {"cells.cc", "onboarding_test.cc", "scored_test.cc"}) {
        Write(scratch / source, "");
      }
      const BinaryResult result =
          Home::Get().Shell("cmake -S . -B build -DCMAKE_PREFIX_PATH=\"$HOME/.local\"", scratch);
      EXPECT_EQ(result.exit_code, 0) << Place(page, block) << '\n' << block.text << result;
    }
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace bi_test::docs
