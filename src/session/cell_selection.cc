#include "session/cell_selection.h"

#include <algorithm>
#include <string_view>

#include "bi_test/sanitize.h"
#include "config/name_match.h"

namespace bi_test::session {
namespace {

constexpr std::size_t kMaxListed = 12;
constexpr std::size_t kMaxNear = 3;
constexpr std::size_t kMaxShownBytes = 200;

std::string Shown(const std::string& text) {
  std::string shown = SanitizeText(text, kMaxShownBytes);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return shown;
}

/// `a, b, c and 7 more`.
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    text += (i == 0 ? "" : ", ") + Shown(names[i]);
  }
  if (names.size() > kMaxListed) {
    text += " and " + std::to_string(names.size() - kMaxListed) + " more";
  }
  return text;
}

/// ` (did you mean a or b?)`, or nothing.
std::string Advice(const std::string& word, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : config::NearNames(word, names, kMaxNear)) {
    text += (text.empty() ? " (did you mean " : " or ") + Shown(name);
  }
  return text.empty() ? text : text + "?)";
}

void AddOnce(std::string name, std::vector<std::string>* names) {
  if (std::find(names->begin(), names->end(), name) == names->end()) {
    names->push_back(std::move(name));
  }
}

/// The values of one flag that match none of `known`.
void CheckValues(const std::string& flag, const std::vector<std::string>& values,
                 const std::vector<std::string>& known, const std::string& file,
                 std::vector<std::string>* errors) {
  for (const std::string& value : values) {
    const bool matches = std::any_of(known.begin(), known.end(), [&](const std::string& name) {
      return config::MatchesWildcard(name, value);
    });
    if (matches) continue;
    std::string text = flag + ": \"" + Shown(value) + "\" matches no cell of " + Shown(file);
    errors->push_back(text + Advice(value, known) + ". It has: " + Listed(known));
  }
}

std::vector<std::string> Texts(const std::vector<int>& values) {
  std::vector<std::string> texts;
  for (const int value : values) texts.push_back(std::to_string(value));
  return texts;
}

bool Selected(const std::vector<int>& values, int value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

CellSelection SelectCells(const Sweep& sweep, const CellFilter& filter,
                          const std::string& flag_prefix) {
  CellSelection selection;
  std::vector<std::string> models;
  std::vector<std::string> ctx;
  std::vector<std::string> parallel;
  std::vector<std::string> names;
  for (const SweepCell& cell : sweep.cells) {
    AddOnce(cell.cell.model, &models);
    AddOnce(std::to_string(cell.cell.ctx), &ctx);
    AddOnce(std::to_string(cell.cell.dispatch_n), &parallel);
    names.push_back(cell.test_name);
    const bool model_selected =
        filter.models.empty() ||
        std::any_of(filter.models.begin(), filter.models.end(), [&](const std::string& pattern) {
          return config::MatchesWildcard(cell.cell.model, pattern);
        });
    if (model_selected && Selected(filter.ctx, cell.cell.ctx) &&
        Selected(filter.parallel, cell.cell.dispatch_n)) {
      selection.cells.push_back(cell);
    }
  }
  CheckValues(flag_prefix + "model", filter.models, models, sweep.file, &selection.errors);
  CheckValues(flag_prefix + "ctx", Texts(filter.ctx), ctx, sweep.file, &selection.errors);
  CheckValues(flag_prefix + "parallel", Texts(filter.parallel), parallel, sweep.file,
              &selection.errors);
  if (selection.cells.empty() && selection.errors.empty()) {
    selection.errors.push_back("no cell of " + Shown(sweep.file) +
                               " matches all filters together. It has: " + Listed(names));
  }
  return selection;
}

std::string NoTestSelected(const std::string& filter, const std::vector<std::string>& names) {
  std::string text = "--gtest_filter=" + Shown(filter) + " selects no test";
  const std::string pattern = filter.substr(0, filter.find_first_of(":-"));
  text += Advice(pattern, names);
  if (filter.find('-') != std::string::npos) {
    text += "\nnote: the first '-' of a filter begins its negative part; names of cells hold none";
  }
  return text + "\nthere are: " + (names.empty() ? "none" : Listed(names));
}

}  // namespace bi_test::session
