#include "server/dialects/metrics_page.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/split.h"

namespace bi_test::server {
namespace {

constexpr double kLargest = 9007199254740992.0;  // 2^53: beyond it counts are no longer exact.

// Place of the brace that closes the labels: not one inside a quoted value.
std::size_t ClosingBrace(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == '}' && !quoted) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::optional<double> Count(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  // Written so that NaN fails.
  if (!(value >= 0 && value <= kLargest)) return std::nullopt;
  return value;
}

// The value at the head of `text`, which begins behind its opening quote; `text` moves behind it.
std::optional<std::string> QuotedValue(std::string_view& text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i];
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

}  // namespace

MetricsPage::MetricsPage(std::string_view text) {
  for (const std::string_view line : SplitLines(text)) {
    if (const std::optional<Sample> sample = Read(line)) samples_.push_back(*sample);
  }
}

std::optional<MetricsPage::Sample> MetricsPage::Read(std::string_view line) {
  const std::size_t name_end = line.find_first_of("{ \t");
  if (line.empty() || line.front() == '#' || name_end == 0 || name_end == line.npos) {
    return std::nullopt;
  }
  Sample sample;
  sample.name = line.substr(0, name_end);
  std::string_view rest = line.substr(name_end);
  if (rest.front() == '{') {
    rest.remove_prefix(1);
    const std::size_t close = ClosingBrace(rest);
    if (close == rest.npos) return std::nullopt;
    sample.labels = rest.substr(0, close);
    rest.remove_prefix(close + 1);
  }
  // A time stamp may follow the value.
  const std::vector<std::string_view> fields = SplitFields(rest);
  if (!fields.empty()) sample.value = Count(fields.front());
  return sample;
}

std::optional<double> MetricsPage::Sum(std::string_view name) const {
  std::optional<double> sum;
  for (const Sample& sample : samples_) {
    if (sample.name != name) continue;
    if (!sample.value) return std::nullopt;
    sum = sum.value_or(0) + *sample.value;
  }
  return sum && *sum > kLargest ? std::nullopt : sum;
}

std::optional<double> MetricsPage::Max(std::string_view name) const {
  std::optional<double> largest;
  for (const Sample& sample : samples_) {
    if (sample.name != name) continue;
    if (!sample.value) return std::nullopt;
    largest = std::max(largest.value_or(0), *sample.value);
  }
  return largest;
}

std::optional<std::string> MetricsPage::Label(std::string_view name, std::string_view label) const {
  for (const Sample& sample : samples_) {
    if (sample.name != name) continue;
    std::string_view rest = sample.labels;
    while (true) {
      const std::size_t equals = rest.find("=\"");
      if (equals == rest.npos) break;
      std::string_view key = rest.substr(0, equals);
      const std::size_t begin = key.find_first_not_of(", \t");
      key = begin == key.npos ? std::string_view() : key.substr(begin);
      rest.remove_prefix(equals + 2);
      const std::optional<std::string> value = QuotedValue(rest);
      if (!value) break;
      if (key == label) return value;
    }
  }
  return std::nullopt;
}

bool MetricsPage::HasPrefix(std::string_view prefix) const {
  return std::any_of(samples_.begin(), samples_.end(),
                     [&](const Sample& sample) { return sample.name.starts_with(prefix); });
}

}  // namespace bi_test::server
