#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/owned_server.h"

namespace bi_test::server {

/// Counters of the metrics page that prove width. Absent: the page does not have it.
struct Counters {
  std::optional<double> decode_calls;
  std::optional<double> mean_busy_slots;  ///< Average since start.
  std::optional<double> tokens_predicted;
  std::optional<double> requests_processing, requests_deferred;
};

/// What differs between kinds of server. Stateless; one file per kind.
class Dialect {
 public:
  virtual ~Dialect() = default;
  [[nodiscard]] virtual std::string_view kind() const = 0;
  /// Every flag that shapes the experiment, user flags checked and included. argv[0] excluded.
  [[nodiscard]] virtual Result<std::vector<std::string>> Arguments(
      const LaunchSpec& spec, std::uint16_t port, const std::string& api_key) const = 0;
  /// Names of environment variables to remove from the child, by prefix.
  [[nodiscard]] virtual std::vector<std::string> ScrubbedEnvPrefixes() const = 0;
  /// Names that stay in spite of their prefix: they say where things are, not what is computed.
  [[nodiscard]] virtual std::vector<std::string> KeptEnvNames() const { return {}; }
  /// Variables set in the child: the API key among them, because arguments are readable by
  /// everybody.
  [[nodiscard]] virtual std::map<std::string, std::string> Environment(
      const std::string& api_key) const = 0;
  /// Whether the sweep file may set this variable. It may not where a flag of ours says the same.
  [[nodiscard]] virtual Status CheckEnvName(std::string_view name) const = 0;
  /// The request body of one item, byte-identical in every arm and pass. POST to completion_path().
  [[nodiscard]] virtual std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                                                const RunConfig& run) const = 0;
  [[nodiscard]] virtual std::string completion_path() const { return "/v1/chat/completions"; }
  /// Paths polled for evidence; empty: this kind has none.
  [[nodiscard]] virtual std::string metrics_path() const { return "/metrics"; }
  [[nodiscard]] virtual std::string slots_path() const { return {}; }
  [[nodiscard]] virtual Counters ParseMetrics(std::string_view page) const = 0;
  /// Busy slots in one listing; nothing for an unknown shape.
  [[nodiscard]] virtual std::optional<int> ParseBusySlots(std::string_view listing) const = 0;
  /// Path that answers 200 once the model is loaded.
  [[nodiscard]] virtual std::string health_path() const { return "/health"; }
  /// Path of the server's description of itself; empty: this kind has none.
  [[nodiscard]] virtual std::string props_path() const { return {}; }
  /// Fills `identity` from that description and compares it with what was launched.
  [[nodiscard]] virtual Status CheckProps(const Json& props, const LaunchSpec& spec,
                                          ServerIdentity& identity) const = 0;
  /// The same for the listing of `slots_path`; an unknown shape says nothing.
  [[nodiscard]] virtual Status CheckSlots(const Json& listing, const LaunchSpec& spec,
                                          ServerIdentity& identity) const = 0;
  /// Body of the smallest real request, for the readiness check.
  [[nodiscard]] virtual std::string ProbeBody() const = 0;
  /// The log of a server that ended says that its port was taken.
  [[nodiscard]] virtual bool SaysPortTaken(std::string_view log) const = 0;
  /// What to do about an early end, from the log's own words; empty when nothing is known.
  [[nodiscard]] virtual std::string ExitHint(std::string_view log) const = 0;
  /// POST path and body that count the tokens of a text; empty when the kind has none.
  [[nodiscard]] virtual std::string tokenize_path() const { return {}; }
};

/// The dialect of that name, or an error listing the known ones.
[[nodiscard]] Result<const Dialect*> FindDialect(std::string_view kind);

}  // namespace bi_test::server
