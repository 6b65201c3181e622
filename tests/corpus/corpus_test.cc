#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bi_test/cert.h"
#include "bi_test/driver.h"

// Each trace of tests/corpus gives its cert, byte for byte (README.md there).

namespace bi_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJudgedAt = "2000-01-01T00:00:00Z";

[[nodiscard]] fs::path Folder(const char* name) { return fs::path(BI_TEST_CORPUS_DIR) / name; }

[[nodiscard]] std::string Contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[nodiscard]] std::vector<fs::path> Traces(const char* folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(Folder(folder))) {
    if (entry.path().extension() == ".jsonl") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The first line in which two texts differ, of both.
[[nodiscard]] std::string FirstDifference(const std::string& expected, const std::string& found) {
  std::istringstream x(expected), y(found);
  std::string x_line, y_line;
  for (int line = 1;; ++line) {
    const bool x_more = static_cast<bool>(std::getline(x, x_line));
    const bool y_more = static_cast<bool>(std::getline(y, y_line));
    if (!x_more && !y_more) return "only the line ends differ";
    if (x_more != y_more || x_line != y_line) {
      return "line " + std::to_string(line) + "\n  expected: " + (x_more ? x_line : "<end>") +
             "\n  found:    " + (y_more ? y_line : "<end>");
    }
  }
}

TEST(CorpusTest, EachTraceGivesItsCertByteForByte) {
  const std::vector<fs::path> traces = Traces("traces");
  ASSERT_EQ(traces.size(), 200U);
  for (const fs::path& trace : traces) {
    SCOPED_TRACE(trace.filename().string());
    const Result<CellRun> run = JudgeTrace(trace, std::nullopt, kJudgedAt);
    ASSERT_TRUE(run.ok()) << run.error().Text();
    const std::string found = CertText(run->cert) + "\n";
    const fs::path file = Folder("certs") / trace.stem().concat(".json");
    const std::string expected = Contents(file);
    if (found == expected) continue;
    const fs::path received = fs::path(testing::TempDir()) / file.filename();
    std::ofstream(received, std::ios::binary) << found;
    ADD_FAILURE() << "not the cert of before: " << FirstDifference(expected, found)
                  << "\ncompare: diff " << file.string() << " " << received.string();
  }
}

TEST(CorpusTest, WhatIsNoTraceIsToldInTheSameWords) {
  const std::vector<fs::path> traces = Traces("unreadable");
  ASSERT_EQ(traces.size(), 10U);
  for (const fs::path& trace : traces) {
    SCOPED_TRACE(trace.filename().string());
    const Result<CellRun> run = JudgeTrace(trace, std::nullopt, kJudgedAt);
    ASSERT_FALSE(run.ok());
    std::string found = run.error().Text() + "\n";
    const std::string folder = Folder("unreadable").string() + "/";
    for (std::size_t at; (at = found.find(folder)) != found.npos;) found.erase(at, folder.size());
    fs::path file = trace;
    EXPECT_EQ(found, Contents(file.replace_extension(".err")));
  }
}

}  // namespace
}  // namespace bi_test
