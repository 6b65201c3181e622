#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::server {

/// A page of metrics in Prometheus text form. Any bytes make a page; what cannot be read is not
/// there. Points into the text, which must outlive it.
class MetricsPage {
 public:
  explicit MetricsPage(std::string_view text);

  /// All series of that name added up. Nothing when there is none, or when one of them is no number
  /// from 0 to 2^53: a sum that leaves a series out would be a guess.
  [[nodiscard]] std::optional<double> Sum(std::string_view name) const;
  /// The largest of them, under the same condition.
  [[nodiscard]] std::optional<double> Max(std::string_view name) const;
  /// Value of a label on the first series of that name that has it, escapes resolved.
  [[nodiscard]] std::optional<std::string> Label(std::string_view name,
                                                 std::string_view label) const;
  /// Whether any series has a name that begins so.
  [[nodiscard]] bool HasPrefix(std::string_view prefix) const;

 private:
  struct Sample {
    std::string_view name;
    std::string_view labels;  ///< Between the braces.
    std::optional<double> value;
  };
  [[nodiscard]] static std::optional<Sample> Read(std::string_view line);

  std::vector<Sample> samples_;
};

}  // namespace bi_test::server
