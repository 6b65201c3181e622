#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/safe_text.h"
#include "base/utf8.h"
#include "config/sweep/sweep_reader.h"
#include "files/atomic_file.h"
#include "spark/answer_rules.h"
#include "spark/corner.h"
#include "spark/family.h"
#include "spark/placement.h"
#include "spark/splice.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCorpusBytes = std::size_t{16} << 20;
constexpr std::size_t kMostShown = 20;

std::vector<std::string> CornerNames() {
  std::vector<std::string> names;
  for (const spark::Corner& corner : spark::Corners()) names.emplace_back(corner.name);
  return names;
}

std::vector<std::string> FamilyNames() {
  std::vector<std::string> names;
  for (const spark::Family& family : spark::Families()) names.emplace_back(family.name);
  return names;
}

// One of some words; nothing, with a problem, for any other.
std::optional<std::string> Word(const Section& section, std::string_view key,
                                const std::vector<std::string>& words) {
  if (section.Find(key) == nullptr) return std::nullopt;
  const auto text = section.Reader(key).Text(Joined(words));
  if (!text) return std::nullopt;
  for (const std::string& word : words) {
    if (word == *text) return word;
  }
  section.Reader(key).Refuse(Joined(words));
  return std::nullopt;
}

void ReadFamilies(const SweepReader& reader, const Section& section, SparkConfig& spark) {
  const YamlNode* node = section.Find("families");
  if (node == nullptr) return;
  const std::string key = section.PathOf("families");
  const std::string allowed = "a list of different families of " + Joined(FamilyNames());
  const std::vector<YamlNode>& entries = reader.Entries(*node, key, allowed);
  if (node->kind == YamlNode::Kind::kList && entries.empty()) {
    reader.problems.Found(node->line, key, "an empty list", allowed);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ScalarReader scalar(entries[i], key + "[" + std::to_string(i) + "]", reader.problems);
    const auto name = scalar.Text(allowed);
    if (!name) continue;
    const bool again = std::ranges::find(spark.families, *name) != spark.families.end();
    if (again || spark::FindFamily(*name) == nullptr) {
      scalar.Refuse(allowed);
    } else {
      spark.families.push_back(*name);
    }
  }
}

// A text that is not there, or blank, leaves the built-in one in its place.
std::string CorpusText(const SweepReader& reader, const YamlNode& node, const std::string& key,
                       const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  Result<std::string> text = files::ReadFile(file, kMostCorpusBytes);
  if (!text.ok()) {
    reader.problems.Add(node.line, key, text.error().Text());
    return {};
  }
  if (FindInvalidUtf8(*text)) {
    reader.problems.Found(node.line, key, file.string() + ", which is no UTF-8 text",
                          "texts in UTF-8");
    return {};
  }
  return *std::move(text);
}

void ReadCorpus(const SweepReader& reader, const Section& section, SparkConfig& spark) {
  const YamlNode* node = section.Find("corpus");
  if (node == nullptr) return;
  constexpr std::string_view kAllowed =
      "a folder with one or more of prose.txt, news.txt, code.txt";
  const std::string key = section.PathOf("corpus");
  const auto text = reader.ExpandedText(*node, key, kAllowed);
  if (!text) return;
  const fs::path folder = reader.Resolve(*text);
  spark.corpus.prose = CorpusText(reader, *node, key, folder / "prose.txt");
  spark.corpus.news = CorpusText(reader, *node, key, folder / "news.txt");
  spark.corpus.code = CorpusText(reader, *node, key, folder / "code.txt");
  std::error_code error;
  const bool any = std::ranges::any_of(
      std::array{"prose.txt", "news.txt", "code.txt"},
      [&](const char* name) { return fs::is_regular_file(folder / name, error); });
  if (!any) reader.problems.Found(node->line, key, Quoted(folder.string(), 400), kAllowed);
}

}  // namespace

void ReadSpark(const SweepReader& reader, const YamlNode& node) {
  const Section section(
      &node, "workset",
      {"profile", "corner", "families", "position", "needle", "window", "filler", "corpus"},
      reader.problems);
  if (!Word(section, "profile", {"spark"})) return;
  SparkConfig spark;
  if (auto corner = Word(section, "corner", CornerNames())) spark.corner = *std::move(corner);
  ReadFamilies(reader, section, spark);
  double position = 0.5;
  section.Read("position", position, 0.0, 1.0);
  spark.position_millionths = *spark::PositionMillionths(position);
  if (const auto needle = Word(section, "needle", {"fixed", "jitter", "adaptive"})) {
    spark.needle = *spark::NeedleStrategyNamed(*needle);
  }
  if (section.Find("window") != nullptr) {
    int window = 0;
    section.Read("window", window, 0, 16'777'216);
    spark.window = window;
  }
  if (const auto filler = Word(section, "filler", {"coherent", "whitespace", "masked_repeat"})) {
    spark.filler = *spark::FillerVariantNamed(*filler);
  }
  ReadCorpus(reader, section, spark);
  reader.sweep.workset.name = "spark " + spark.corner;
  reader.sweep.spark = std::move(spark);
  reader.sweep.scorer = "spark";  // Unless `scorer:` says otherwise.
}

void CheckSparkGolds(const SweepReader& reader, const YamlNode* workset) {
  if (workset == nullptr || reader.sweep.scorer != "spark") return;
  std::size_t shown = 0;
  const std::vector<WorksetRow>& rows = reader.sweep.workset.rows;
  for (std::size_t i = 0; i < rows.size() && shown < kMostShown; ++i) {
    const Status status = spark::CheckGold(rows[i].family, rows[i].expected_answer);
    if (status.ok()) continue;
    ++shown;
    reader.problems.Add(workset->line, "workset",
                        "row " + std::to_string(i) + ": " + status.error().Text());
  }
}

}  // namespace bi_test::config
