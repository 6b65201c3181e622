#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/dialect.h"

namespace bi_test::server {

/// Any other server of chats in OpenAI's form. Its flags are a template that the sweep file gives;
/// it has no page that shows how many requests it serves at once, so that a cell is at best
/// UNVERIFIED: a RED still counts.
class OpenAiDialect final : public Dialect {
 public:
  [[nodiscard]] std::string_view kind() const override { return "openai"; }
  /// `server.flags` and the model's flags with `{port}`, `{host}`, `{model}`, `{parallel}`, `{ctx}`
  /// (of one request), `{total_ctx}` (ctx times parallel), `{api_key}` and `{alias}` filled in.
  [[nodiscard]] Result<std::vector<std::string>> Arguments(
      const LaunchSpec& spec, std::uint16_t port, const std::string& api_key) const override;
  [[nodiscard]] std::vector<std::string> ScrubbedEnvPrefixes() const override;
  [[nodiscard]] std::map<std::string, std::string> Environment(
      const std::string& api_key) const override;
  [[nodiscard]] Status CheckEnvName(std::string_view name) const override;
  [[nodiscard]] Status CheckRow(const WorksetRow& row) const override;
  [[nodiscard]] std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                                        const RunConfig& run) const override;
  [[nodiscard]] std::string ProbeBody() const override;
  [[nodiscard]] std::string metrics_path() const override { return {}; }
  [[nodiscard]] Counters ParseMetrics(std::string_view page) const override;
  [[nodiscard]] std::optional<int> ParseBusySlots(std::string_view page) const override;
  [[nodiscard]] std::string WidthHint() const override;
  [[nodiscard]] std::string health_path() const override { return "/v1/models"; }
  /// Without the key a server that asks for one refuses, which shows that it answers.
  [[nodiscard]] bool SaysHealthy(int status) const override;
  [[nodiscard]] std::vector<SelfPage> self_pages() const override { return {{"/v1/models"}}; }
  [[nodiscard]] Result<bool> CheckPage(std::string_view path, std::string_view page,
                                       const LaunchSpec& spec,
                                       ServerIdentity& identity) const override;
  [[nodiscard]] bool SaysPortTaken(std::string_view log) const override;
  [[nodiscard]] std::string ExitHint(std::string_view log) const override;
};

}  // namespace bi_test::server
