#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/dialect.h"

namespace bi_test::server {

/// The server of SGLang. Flags, pages and fields as its documentation and sources have
/// them; no run of a real one was possible where this was made (docs/dialects.md).
class SglangDialect final : public Dialect {
 public:
  [[nodiscard]] std::string_view kind() const override { return "sglang"; }
  [[nodiscard]] Result<std::vector<std::string>> Arguments(
      const LaunchSpec& spec, std::uint16_t port, const std::string& api_key) const override;
  [[nodiscard]] std::vector<std::string> ScrubbedEnvPrefixes() const override;
  [[nodiscard]] std::vector<std::string> KeptEnvNames() const override;
  [[nodiscard]] std::map<std::string, std::string> Environment(
      const std::string& api_key) const override;
  [[nodiscard]] Status CheckEnvName(std::string_view name) const override;
  [[nodiscard]] Status CheckRow(const WorksetRow& row) const override;
  [[nodiscard]] std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                                        const RunConfig& run) const override;
  [[nodiscard]] std::string ProbeBody() const override;
  [[nodiscard]] Counters ParseMetrics(std::string_view page) const override;
  [[nodiscard]] std::string slots_path() const override { return "/metrics"; }
  [[nodiscard]] std::optional<int> ParseBusySlots(std::string_view page) const override;
  [[nodiscard]] std::optional<double> ParseProgress(std::string_view page) const override;
  [[nodiscard]] std::string WidthHint() const override;
  [[nodiscard]] std::vector<SelfPage> self_pages() const override;
  [[nodiscard]] Result<bool> CheckPage(std::string_view path, std::string_view page,
                                       const LaunchSpec& spec,
                                       ServerIdentity& identity) const override;
  [[nodiscard]] std::string ContextSource() const override;
  [[nodiscard]] bool SaysPortTaken(std::string_view log) const override;
  [[nodiscard]] std::string ExitHint(std::string_view log) const override;
};

}  // namespace bi_test::server
