#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "structure/includes.h"
#include "support/temp_dir.h"

// Dependencies point one way: by the map of folders in docs/architecture.md, and file by file.

namespace bi_test::structure {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const fs::path kRoot = BI_TEST_SOURCE_DIR;

[[nodiscard]] std::string Page() {
  std::ifstream in(kRoot / "docs" / "architecture.md");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void Write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST(IncludeTableTest, EachIncludeIsOnTheMap) {
  const std::vector<MapRow> map = ReadMap(Page());
  ASSERT_THAT(map, SizeIs(testing::Ge(15U)));
  EXPECT_THAT(Offences(kRoot, map), IsEmpty());
}

TEST(IncludeTableTest, TheMapNamesNoFolderThatIsGone) {
  for (const MapRow& row : ReadMap(Page()))
    EXPECT_TRUE(fs::is_directory(kRoot / row.folder)) << row.folder;
}

TEST(IncludeTableTest, EachFileThatThePageNamesIsThere) {
  const std::string page = Page();
  const std::regex name("`((src|include|matchers|fixtures|tests)/[a-z0-9_/]+[.](cc|h|md))`");
  int count = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), name), end; it != end; ++it, ++count) {
    EXPECT_TRUE(fs::is_regular_file(kRoot / (*it)[1].str())) << (*it)[1].str();
  }
  EXPECT_GE(count, 20);
}

TEST(IncludeTableTest, NoFileIncludesItselfByWayOfOthers) {
  EXPECT_THAT(Circles(kRoot), IsEmpty());
}

TEST(IncludeTableTest, OffencesAreNoticed) {
  const test_support::TempDir dir;
  Write(
      dir.path() / "src/verdict/a.cc",
      "#include <thread>\n#include <unistd.h>\n#include \"trace/trace.h\"\n#include \"bi_test/sweep.h\"\n"
      "#include <vector>\n#include \"verdict/b.h\"\n#include <openssl/sha.h>\n");
  Write(dir.path() / "include/bi_test/a.h",
        "#include <curl/curl.h>\n  #  include  <gtest/gtest.h>\n");
  Write(dir.path() / "src/attic/a.cc", "#include <vector>\n");
  Write(dir.path() / "src/report/a.cc", "#include \"fixtures/flags.h\"\n#include HEADER\n");
  const std::vector<MapRow> map = ReadMap(
      "| folder | holds | own | others |\n|---|---|---|---|\n| `include/bi_test` | | `bi_test` | - |\n"
      "| `src/verdict` | judging. PURE | `bi_test` `verdict` | - |\n| `src/report` | | `report` | - |\n");
  EXPECT_THAT(
      Offences(dir.path(), map),
      ElementsAre(
          "include/bi_test/a.h: <curl/curl.h> is not for include/bi_test",
          "include/bi_test/a.h: <gtest/gtest.h> is not for include/bi_test",
          "src/attic/a.cc: its folder is not on the map",
          "src/report/a.cc: \"fixtures/flags.h\" is not for src/report",
          "src/report/a.cc: found \"#include HEADER\", expected a header in <> or quotes",
          "src/verdict/a.cc: <thread> does I/O, clocks, threads or chance; src/verdict is pure",
          "src/verdict/a.cc: <unistd.h> does I/O, clocks, threads or chance; src/verdict is pure",
          "src/verdict/a.cc: \"trace/trace.h\" is not for src/verdict",
          "src/verdict/a.cc: \"bi_test/sweep.h\" is not for src/verdict, which knows values only",
          "src/verdict/a.cc: <openssl/sha.h> is not for src/verdict"));
}

TEST(IncludeTableTest, CirclesAreNoticedAcrossHeaderAndSource) {
  const test_support::TempDir dir;
  Write(dir.path() / "src/x/a.h", "#pragma once\n");
  Write(dir.path() / "src/x/a.cc", "#include \"x/a.h\"\n#include \"x/b.h\"\n");
  Write(dir.path() / "src/x/b.h", "#include \"x/c.h\"\n");
  Write(dir.path() / "src/x/c.h", "");
  Write(dir.path() / "src/x/c.cc", "#include \"c.h\"\n#include \"x/a.h\"\n");
  EXPECT_THAT(Circles(dir.path()), ElementsAre("src/x/a -> src/x/b -> src/x/c -> src/x/a"));
}

}  // namespace
}  // namespace bi_test::structure
