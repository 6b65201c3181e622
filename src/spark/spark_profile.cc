#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/safe_text.h"
#include "base/utf8.h"
#include "bi_test/spark.h"
#include "config/sweep/sweep_reader.h"
#include "config/sweep/workset_profile.h"
#include "files/atomic_file.h"
#include "spark/corner.h"
#include "spark/family.h"
#include "spark/placement.h"
#include "spark/spark_scorer.h"
#include "spark/splice.h"

// `workset: {profile: spark, ...}` in a sweep file.
namespace bi_test {
namespace spark {
namespace {

using config::Joined;

using config::ScalarReader;
using config::Section;
using config::SweepReader;
using config::YamlNode;

namespace fs = std::filesystem;

constexpr std::size_t kMostCorpusBytes = std::size_t{16} << 20;

std::vector<std::string> CornerNames() {
  std::vector<std::string> names;
  for (const Corner& corner : Corners()) names.emplace_back(corner.name);
  return names;
}

std::vector<std::string> FamilyNames() {
  std::vector<std::string> names;
  for (const Family& family : Families()) names.emplace_back(family.name);
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

void ReadFamilies(const SweepReader& reader, const Section& section, SparkConfig& out) {
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
    const bool again = std::ranges::find(out.families, *name) != out.families.end();
    if (again || FindFamily(*name) == nullptr) {
      scalar.Refuse(allowed);
    } else {
      out.families.push_back(*name);
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

void ReadCorpus(const SweepReader& reader, const Section& section, SparkConfig& out) {
  const YamlNode* node = section.Find("corpus");
  if (node == nullptr) return;
  constexpr std::string_view kAllowed =
      "a folder with one or more of prose.txt, news.txt, code.txt";
  const std::string key = section.PathOf("corpus");
  const auto text = reader.ExpandedText(*node, key, kAllowed);
  if (!text) return;
  const fs::path folder = reader.Resolve(*text);
  out.corpus.prose = CorpusText(reader, *node, key, folder / "prose.txt");
  out.corpus.news = CorpusText(reader, *node, key, folder / "news.txt");
  out.corpus.code = CorpusText(reader, *node, key, folder / "code.txt");
  std::error_code error;
  const bool any = std::ranges::any_of(
      std::array{"prose.txt", "news.txt", "code.txt"},
      [&](const char* name) { return fs::is_regular_file(folder / name, error); });
  if (!any) reader.problems.Found(node->line, key, Quoted(folder.string(), 400), kAllowed);
}

void Read(const SweepReader& reader, const YamlNode& node) {
  const Section section(
      &node, "workset",
      {"profile", "corner", "families", "position", "needle", "window", "filler", "corpus"},
      reader.problems);
  SparkConfig out;
  if (auto corner = Word(section, "corner", CornerNames())) out.corner = *std::move(corner);
  ReadFamilies(reader, section, out);
  double position = 0.5;
  section.Read("position", position, 0.0, 1.0);
  out.position_millionths = *PositionMillionths(position);
  if (const auto needle = Word(section, "needle", {"fixed", "jitter", "adaptive"})) {
    out.needle = *NeedleStrategyNamed(*needle);
  }
  if (section.Find("window") != nullptr) {
    int window = 0;
    section.Read("window", window, 0, 16'777'216);
    out.window = window;
  }
  if (const auto filler = Word(section, "filler", {"coherent", "whitespace", "masked_repeat"})) {
    out.filler = *FillerVariantNamed(*filler);
  }
  ReadCorpus(reader, section, out);
  reader.sweep.workset.name = "spark " + out.corner;
  reader.sweep.workset_maker = SparkWorkset(std::move(out));
  reader.sweep.scorer = "spark";  // Unless `scorer:` says otherwise.
}

}  // namespace
}  // namespace spark

Status RegisterSpark() {
  if (Status status = RegisterScorer(spark::MakeSparkScorer()); !status.ok()) return status;
  return config::RegisterProfile({"spark", spark::Read});
}

}  // namespace bi_test
