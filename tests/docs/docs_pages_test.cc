// Every example, link and option in README.md and docs/: what docs/README.md promises.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "base/json_reader.h"
#include "bi_test/driver.h"
#include "bi_test/scorer.h"
#ifdef BI_TEST_WITH_SPARK
#include "bi_test/spark.h"
#endif
#include "bi_test/sweep.h"
#include "config/sweep/known_verdicts.h"
#include "docs/markdown.h"
#include "fixtures/flags.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test::docs {
namespace {

#ifdef BI_TEST_WITH_SPARK
[[maybe_unused]] const bool kRegistered = RegisterSpark().ok();
constexpr SweepUse kUse = SweepUse::kRun;
#else  // The cells of such a sweep can be named, no more.
constexpr SweepUse kUse = SweepUse::kLook;
#endif

namespace fs = std::filesystem;
using test_support::TempDir;
using testing::Contains;
using testing::IsEmpty;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

const std::vector<Page>& Pages() {
  static const std::vector<Page> pages = ReadPages(BI_TEST_SOURCE_DIR);
  return pages;
}

std::string Place(const Page& page, int line) {
  return page.name + ":" + std::to_string(line) + ": ";
}

std::string FirstWord(const Block& block) { return block.words.substr(0, block.words.find(' ')); }

// ---------------------------------------------------------------- words

/// The words of docs/README.md, read from its table.
std::set<std::string> KnownWords() {
  std::set<std::string> words;
  for (const Page& page : Pages()) {
    if (page.name != "docs/README.md") continue;
    for (const Row& row : page.rows) {
      if (row.heading != "The examples are tested") continue;
      for (const std::string& word : CodeIn(row.cells.at(0))) words.insert(word);
    }
  }
  return words;
}

TEST(DocsTest, EveryExampleHasAWordThatIsTested) {
  std::set<std::string> words = KnownWords();
  ASSERT_THAT(words, Contains("sh run"));
  // Every word of the table is one that a test here or in docs_commands_test knows, and the other
  // way round.
  EXPECT_EQ(words,
            (std::set<std::string>{"cpp", "cpp body", "cpp internal", "yaml", "yaml complete",
                                   "yaml part", "yaml known", "yaml rows", "json rows", "cmake",
                                   "sh run", "sh run 3", "sh", "trace", "json", "text"}));
  const std::regex run("sh run( [0-9]+)?");
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      EXPECT_TRUE(block.closed) << Place(page, block.line) << "this example has no closing fence";
      EXPECT_TRUE(words.contains(block.words) || std::regex_match(block.words, run))
          << Place(page, block.line) << "found the word \"" << block.words
          << "\", expected one of the table in docs/README.md";
      EXPECT_FALSE(block.text.empty()) << Place(page, block.line) << "an empty example";
    }
  }
}

TEST(DocsTest, EveryPageSaysWhatItsReaderCanDoAfterwards) {
  for (const Page& page : Pages()) {
    if (page.name == "README.md") continue;
    EXPECT_TRUE(page.text.starts_with("# ")) << page.name;
    EXPECT_EQ(page.text.find("\n\nAfter this page "), page.text.find('\n'))
        << page.name << ": expected its first sentence to begin with \"After this page\"";
  }
}

TEST(DocsTest, TheCppExamplesAreThoseThatWereCompiled) {
  std::set<std::string> found;
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (FirstWord(block) == "cpp") found.insert(page.name + ":" + std::to_string(block.line));
    }
  }
  std::set<std::string> compiled;
  std::istringstream list(ReadText(BI_TEST_DOCS_COMPILED));
  for (std::string line; std::getline(list, line);) compiled.insert(line);
  EXPECT_EQ(found, compiled);
  EXPECT_FALSE(found.empty());
}

// ---------------------------------------------------------------- examples that are loaded

void Write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A folder in which every file that a sweep file names exists.
class SweepPlace {
 public:
  SweepPlace() {
    env_ = {{"MODELS_DIR", (dir_.path() / "all").string()},
            {"CUDA_DEVICES", "0"},
            {"BI_TEST_LLAMA_SERVER", "/bin/true"},
            {"PATH", "/usr/bin:/bin"}};
  }

  Result<Sweep> Load(const std::string& text) {
    const YAML::Node root = YAML::Load(text);
    for (const YAML::Node& model : root["models"]) {
      const std::string id =
          model.IsMap() ? model["id"].as<std::string>() : model.as<std::string>();
      std::string path = "{MODELS_DIR}/" + id + ".gguf";
      if (model.IsMap() && model["path"]) path = model["path"].as<std::string>();
      Touch(path, "x");
    }
    if (const YAML::Node workset = root["workset"]; workset && workset.IsScalar()) {
      Touch(workset.as<std::string>(), R"([{"item":"q","expected_answer":"a"}])");
    }
    if (root["registry"]) {
      fs::copy_file(fs::path(BI_TEST_SOURCE_DIR) / "samples/spark/models.yaml",
                    dir_.path() / root["registry"].as<std::string>());
    }
    if (const YAML::Node known = root["known_verdicts"]) {
      Touch(known.as<std::string>(), "version: 1\ncells: []\n");
    }
    Write(dir_.path() / "cells.yaml", text);
    return LoadSweep(dir_.path() / "cells.yaml", env_, kUse);
  }

  [[nodiscard]] const fs::path& path() const { return dir_.path(); }

 private:
  void Touch(std::string path, std::string_view text) {
    const std::string kModelsDir = "{MODELS_DIR}";
    if (const std::size_t at = path.find(kModelsDir); at != path.npos) {
      path.replace(at, kModelsDir.size(), env_["MODELS_DIR"]);
    }
    const fs::path file = dir_.path() / path;
    if (!fs::exists(file)) Write(file, text);
  }

  TempDir dir_;
  std::map<std::string, std::string> env_;
};

/// The part with the required keys that it leaves out.
std::string Completed(const std::string& part) {
  const YAML::Node root = YAML::Load(part);
  std::string text = part;
  if (!root["models"]) text += "models: [{id: m, path: m.gguf}]\n";
  if (!root["matrix"]) text += "matrix: {ctx: 4096, parallel: 2}\n";
  if (!root["workset"]) text += "workset: {builtin: smoke}\n";
  return text;
}

/// A scorer that a page tells its reader to write.
class WrittenByTheReader final : public Scorer {
 public:
  explicit WrittenByTheReader(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view version() const override { return "1"; }
  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view,
                                                         const ScorerItem&) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view, std::optional<std::int64_t>,
                                                const std::optional<std::string>&,
                                                const ScorerItem&) const override {
    return "ok";
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view, const Json&,
                             const ScorerItem&) const override {
    return 1.0;
  }

 private:
  std::string name_;
};

/// Registers the scorer of a class of this page, when a sweep of it names one.
void RegisterScorersOf(const Page& page) {
  const std::regex name(
      R"re(string_view name\(\) const override \{ return "([a-z0-9_.-]+)"; \})re");
  for (std::sregex_iterator it(page.text.begin(), page.text.end(), name), end; it != end; ++it) {
    const std::string text = (*it)[1].str();
    if (FindScorer(text) != nullptr) continue;
    ASSERT_TRUE(RegisterScorer(std::make_unique<WrittenByTheReader>(text)).ok());
  }
}

TEST(DocsTest, EverySweepFileLoads) {
  int count = 0;
  for (const Page& page : Pages()) {
    RegisterScorersOf(page);
    for (const Block& block : page.blocks) {
      const bool part = block.words == "yaml part";
      if (!part && block.words != "yaml" && block.words != "yaml complete") continue;
      ++count;
      SweepPlace place;
      // A work-set that the page itself writes.
      for (const Block& other : page.blocks) {
        if (other.words.ends_with(" rows")) Write(place.path() / other.file, other.text);
      }
      const Result<Sweep> sweep = place.Load(part ? Completed(block.text) : block.text);
      EXPECT_TRUE(sweep.ok()) << Place(page, block.line) << sweep.error().Text();
      if (!sweep.ok()) continue;
      EXPECT_FALSE(sweep->cells.empty()) << Place(page, block.line);
    }
  }
  EXPECT_GE(count, 10);
}

TEST(DocsTest, EveryWorksetLoads) {
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (!block.words.ends_with(" rows")) continue;
      SweepPlace place;
      const std::string name = "rows." + FirstWord(block);
      Write(place.path() / name, block.text);
      const Result<Sweep> sweep = place.Load(Completed("workset: " + name + "\n"));
      EXPECT_TRUE(sweep.ok()) << Place(page, block.line) << sweep.error().Text();
    }
  }
}

TEST(DocsTest, EveryKnownVerdictsFileLoads) {
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (block.words != "yaml known") continue;
      const TempDir dir;
      Write(dir.path() / "known.yaml", block.text);
      const Result<KnownVerdicts> known = config::LoadKnownVerdicts(dir.path() / "known.yaml");
      EXPECT_TRUE(known.ok()) << Place(page, block.line) << known.error().Text();
    }
  }
}

TEST(DocsTest, EveryTraceCanBeJudged) {
  int count = 0;
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (block.words != "trace") continue;
      ++count;
      const TempDir dir;
      Write(dir.path() / "t.jsonl", block.text);
      const Result<CellRun> run = JudgeTrace(dir.path() / "t.jsonl");
      ASSERT_TRUE(run.ok()) << Place(page, block.line) << run.error().Text();
      EXPECT_NE(run->judgement.verdict, Verdict::kUnverified)
          << Place(page, block.line) << run->judgement;
    }
  }
  EXPECT_GE(count, 1);
}

TEST(DocsTest, EveryJsonTextIsOne) {
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (FirstWord(block) != "json") continue;
      const Result<Json> json = ParseJson(block.text);
      EXPECT_TRUE(json.ok()) << Place(page, block.line) << json.error().Text();
    }
  }
}

// ---------------------------------------------------------------- commands

TEST(DocsTest, EveryShellExampleIsWellFormed) {
  for (const Page& page : Pages()) {
    for (const Block& block : page.blocks) {
      if (FirstWord(block) != "sh") continue;
      BinaryOptions options;
      options.args = {"-n", "-c", block.text};
      EXPECT_EQ(RunBinary("/bin/sh", options).err, "") << Place(page, block.line);
    }
  }
}

/// What `bi-test COMMAND --help` prints.
const std::string& HelpOf(const std::string& command) {
  static std::map<std::string, std::string> known;
  const auto found = known.find(command);
  if (found != known.end()) return found->second;
  BinaryOptions options;
  std::istringstream words(command);
  for (std::string word; words >> word;) options.args.push_back(word);
  options.args.push_back("--help");
  const BinaryResult result = RunBinary(BI_TEST_PROGRAM, options);
  EXPECT_EQ(result.exit_code, 0) << "bi-test " << command << " --help: " << result;
  return known[command] = result.out;
}

std::set<std::string> OptionsOf(const std::string& command) {
  std::set<std::string> options;
  const std::string& help = HelpOf(command);
  const std::regex option("(--[a-z][a-z-]*)");
  for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it) {
    options.insert((*it)[1].str());
  }
  return options;
}

TEST(DocsTest, EveryOptionOfBiTestExists) {
  const std::regex call(R"(bi-test ([a-z-]+)( [a-z]+)?([^`|;#>]*))");
  const std::regex option("(^|[ \\[])(--[a-z][a-z-]*)");
  int count = 0;
  for (const Page& page : Pages()) {
    std::istringstream lines(page.text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it) {
        std::string command = (*it)[1].str();
        const std::string rest = (*it)[3].str();
        for (std::sregex_iterator o(rest.begin(), rest.end(), option); o != end; ++o) {
          ++count;
          const bool nested = HelpOf(command).find("Subcommands:") != std::string::npos;
          EXPECT_THAT(OptionsOf(nested ? command + (*it)[2].str() : command),
                      Contains((*o)[2].str()))
              << Place(page, number);
        }
      }
    }
  }
  EXPECT_GE(count, 20);
}

TEST(DocsTest, EveryFlagOfATestProgramExists) {
  const std::string help = fixtures::FlagsHelp();
  const std::regex flag("--bi_test_[a-z_]+");
  for (const Page& page : Pages()) {
    for (std::sregex_iterator it(page.text.begin(), page.text.end(), flag), end; it != end; ++it) {
      const std::string name = it->str();
      EXPECT_TRUE(help.find("  " + name + "\n") != help.npos ||
                  help.find("  " + name + "=") != help.npos)
          << page.name << ": found " << name;
    }
  }
}

// ---------------------------------------------------------------- links

/// All pages, and the texts beside the documentation, whose examples other tests run.
std::vector<Page> PagesWithLinks() {
  const fs::path root(BI_TEST_SOURCE_DIR);
  std::vector<Page> pages = Pages();
  for (const char* name : {"CHANGELOG.md", "CONTRIBUTING.md"}) {
    if (fs::exists(root / name)) pages.push_back(ReadPage(root / name, root));
  }
  for (const auto& entry : fs::recursive_directory_iterator(root / "samples")) {
    if (entry.path().extension() == ".md") pages.push_back(ReadPage(entry.path(), root));
  }
  return pages;
}

TEST(DocsTest, EveryLinkLeadsSomewhere) {
  const fs::path root(BI_TEST_SOURCE_DIR);
  int count = 0;
  for (const Page& page : PagesWithLinks()) {
    for (const Link& link : page.links) {
      if (link.target.find("://") != link.target.npos) continue;
      ++count;
      const std::size_t hash = link.target.find('#');
      const std::string file = link.target.substr(0, hash);
      const fs::path path =
          file.empty() ? page.path : (page.path.parent_path() / file).lexically_normal();
      const std::string name = path.lexically_relative(root).string();
      ASSERT_TRUE(fs::exists(path)) << Place(page, link.line) << "no such file: " << link.target;
      EXPECT_FALSE(name.starts_with("..")) << Place(page, link.line) << link.target;
      if (hash == link.target.npos) continue;
      EXPECT_THAT(ReadPage(path, root).anchors, Contains(link.target.substr(hash + 1)))
          << Place(page, link.line) << "no such heading: " << link.target;
    }
  }
  EXPECT_GE(count, 40);
}

TEST(DocsTest, EveryPageIsReachedFromTheIndex) {
  std::set<std::string> reached;
  for (const Page& page : Pages()) {
    if (page.name != "docs/README.md" && page.name != "README.md") continue;
    for (const Link& link : page.links) {
      const std::string file = link.target.substr(0, link.target.find('#'));
      const fs::path path = (page.path.parent_path() / file).lexically_normal();
      reached.insert(path.lexically_relative(BI_TEST_SOURCE_DIR).string());
    }
  }
  for (const Page& page : Pages()) {
    if (page.name == "README.md") continue;
    EXPECT_THAT(reached, Contains(page.name)) << "neither README.md nor docs/README.md links it";
  }
}

}  // namespace
}  // namespace bi_test::docs
