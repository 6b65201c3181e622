#include "config/yaml/file_problems.h"

#include <algorithm>
#include <utility>

#include "base/split.h"

namespace bi_test::config {
namespace {

constexpr std::size_t kMostShown = 100;

}  // namespace

void FileProblems::Add(int line, std::string key, std::string text) {
  problems_.push_back({line, std::move(key), std::move(text)});
}

void FileProblems::AddEach(int line, const std::string& key, std::string_view message) {
  for (const std::string_view each : SplitAt(message, '\n')) Add(line, key, std::string(each));
}

void FileProblems::Found(int line, std::string key, std::string_view found,
                         std::string_view allowed) {
  std::string text("found ");
  text.append(found).append(", allowed: ").append(allowed);
  Add(line, std::move(key), std::move(text));
}

Error FileProblems::ToError(std::string_view file) const {
  std::vector<FileProblem> sorted = problems_;
  std::ranges::stable_sort(sorted, {}, &FileProblem::line);
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) {
    const FileProblem& problem = sorted[i];
    if (i > 0) text += '\n';
    text.append(file);
    if (problem.line > 0) text.append(":").append(std::to_string(problem.line));
    text.append(": ");
    if (!problem.key.empty()) text.append(problem.key).append(": ");
    text.append(problem.text);
  }
  if (sorted.size() > kMostShown) {
    text.append("\n").append(file).append(": and ");
    text.append(std::to_string(sorted.size() - kMostShown)).append(" more mistakes");
  }
  return {ErrorCode::kInvalidFile, std::move(text), {}};
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

}  // namespace bi_test::config
