#include <algorithm>
#include <optional>
#include <system_error>

#include "base/safe_text.h"
#include "config/name_match.h"
#include "config/sweep/cell_name.h"
#include "config/sweep/sweep_reader.h"

namespace bi_test::config {
namespace {

constexpr int kMinCtx = 256;
constexpr int kMaxCtx = 16'777'216;
constexpr int kMinParallel = 2;
constexpr int kMaxParallel = 256;
constexpr std::size_t kMostCells = 10'000;

// One value or a list of different ones.
std::vector<int> ReadValues(const SweepReader& reader, const Section& section, std::string_view key,
                            int min, int max) {
  std::vector<int> values;
  const YamlNode* node = section.Find(key);
  if (node == nullptr) return values;
  if (node->kind != YamlNode::Kind::kList) {
    if (const auto value = section.Reader(key).Integer(min, max)) {
      values.push_back(static_cast<int>(*value));
    }
    return values;
  }
  if (node->items.empty()) {
    reader.problems.Found(node->line, section.PathOf(key), "an empty list",
                          "an integer or a list of them");
  }
  const std::vector<YamlNode>& entries =
      reader.Entries(*node, section.PathOf(key), "an integer or a list of them");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const YamlNode& item = entries[i];
    const std::string path = section.PathOf(key) + "[" + std::to_string(i) + "]";
    const auto value = ScalarReader(item, path, reader.problems).Integer(min, max);
    if (!value) continue;
    if (std::ranges::find(values, static_cast<int>(*value)) != values.end()) {
      reader.problems.Found(item.line, path, Quoted(item.text) + " a second time",
                            "each value once");
    } else {
      values.push_back(static_cast<int>(*value));
    }
  }
  return values;
}

// One entry of `exclude`; what is not given matches everything.
struct Exclusion {
  std::optional<std::string> model;
  std::optional<int> ctx;
  std::optional<int> parallel;

  [[nodiscard]] bool Matches(const Cell& cell) const {
    return model.value_or(cell.model) == cell.model && ctx.value_or(cell.ctx) == cell.ctx &&
           parallel.value_or(cell.dispatch_n) == cell.dispatch_n;
  }
};

std::optional<Exclusion> ReadExclusion(const SweepReader& reader, const YamlNode& node,
                                       const std::string& path) {
  const std::size_t before = reader.problems.size();
  const Section section(&node, path, {"model", "ctx", "parallel"}, reader.problems);
  Exclusion exclusion;
  if (section.Find("model") != nullptr) {
    exclusion.model = section.Reader("model").Text("the id of a model");
  }
  if (section.Find("ctx") != nullptr) {
    exclusion.ctx = kMinCtx;
    section.Read("ctx", *exclusion.ctx, kMinCtx, kMaxCtx);
  }
  if (section.Find("parallel") != nullptr) {
    exclusion.parallel = kMinParallel;
    section.Read("parallel", *exclusion.parallel, kMinParallel, kMaxParallel);
  }
  if (node.kind == YamlNode::Kind::kMap && node.members.empty()) {
    reader.problems.Found(node.line, path, "an entry that excludes everything",
                          "at least one of model, ctx, parallel");
  }
  if (reader.problems.size() > before) return std::nullopt;
  return exclusion;
}

void Exclude(const SweepReader& reader, const YamlNode& node, std::vector<SweepCell>& cells) {
  const std::vector<YamlNode>& entries = reader.Entries(
      node, "matrix.exclude", "a list of mappings with the keys model, ctx, parallel");
  std::vector<Exclusion> exclusions;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = "matrix.exclude[" + std::to_string(i) + "]";
    const auto exclusion = ReadExclusion(reader, entries[i], path);
    if (!exclusion) continue;
    const auto is_excluded = [&](const SweepCell& cell) { return exclusion->Matches(cell.cell); };
    // Without cells something else is wrong already.
    if (!cells.empty() && std::ranges::none_of(cells, is_excluded)) {
      std::vector<std::string> ids;
      for (const ModelConfig& model : reader.sweep.models) ids.push_back(model.id);
      reader.problems.Found(
          entries[i].line, path, "an entry that matches no cell",
          "model, ctx and parallel of cells of this matrix" +
              (exclusion->model ? DidYouMean(*exclusion->model, ids) : std::string()));
    }
    exclusions.push_back(*exclusion);
  }
  const std::size_t all = cells.size();
  std::erase_if(cells, [&](const SweepCell& cell) {
    return std::ranges::any_of(
        exclusions, [&](const Exclusion& exclusion) { return exclusion.Matches(cell.cell); });
  });
  if (all > 0 && cells.empty()) {
    reader.problems.Found(node.line, "matrix.exclude", "entries that exclude every cell",
                          "entries that leave at least one");
  }
}

void MakeCells(const SweepReader& reader, int line) {
  Sweep& sweep = reader.sweep;
  if (sweep.models.size() * sweep.ctx.size() * sweep.parallel.size() > kMostCells) {
    reader.problems.Found(
        line, "matrix",
        std::to_string(sweep.models.size() * sweep.ctx.size() * sweep.parallel.size()) + " cells",
        "at most " + std::to_string(kMostCells));
    return;
  }
  std::vector<std::string> ids;
  for (const ModelConfig& model : sweep.models) ids.push_back(model.id);
  const std::vector<std::string> names = ModelTestNames(ids);
  for (std::size_t m = 0; m < sweep.models.size(); ++m) {
    const ModelConfig& model = sweep.models[m];
    for (const int ctx : sweep.ctx) {
      for (const int n : sweep.parallel) {
        sweep.cells.push_back(
            {{model.id, ctx, n, model.kv}, CellTestName(names[m], ctx, n), m, model.location});
      }
    }
  }
}

}  // namespace

void ReadMatrix(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  const Section section(node, "matrix", {"ctx", "parallel", "exclude"}, reader.problems);
  section.Require("ctx", "an integer from 256 to 16777216, or a list of them");
  section.Require("parallel", "an integer from 2 to 256, or a list of them");
  reader.sweep.ctx = ReadValues(reader, section, "ctx", kMinCtx, kMaxCtx);
  reader.sweep.parallel = ReadValues(reader, section, "parallel", kMinParallel, kMaxParallel);
  MakeCells(reader, node->line);
  if (const YamlNode* exclude = section.Find("exclude")) {
    Exclude(reader, *exclude, reader.sweep.cells);
  }
}

}  // namespace bi_test::config
