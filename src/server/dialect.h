#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/launch_spec.h"
#include "server/server_identity.h"

namespace bi_test::server {

/// Counters of the metrics page that prove width. Absent: the page does not have it.
struct Counters {
  std::optional<double> decode_calls;
  std::optional<double> mean_busy_slots;  ///< Average since start.
  std::optional<double> tokens_predicted;
  std::optional<double> requests_processing, requests_deferred;
};

/// A page on which a server describes itself.
struct SelfPage {
  std::string path;
  bool required = true;  ///< Else status 404, 405 or 501 only says that this build lacks it.
};

/// What differs between kinds of server. Stateless; one file per kind (dialects/), found by its
/// name in dialects/registry.h. How to add one: docs/dialects.md.
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
      [[maybe_unused]] const std::string& api_key) const {
    return {};
  }
  /// Whether the sweep file may set this variable. It may not where a flag of ours says the same.
  [[nodiscard]] virtual Status CheckEnvName([[maybe_unused]] std::string_view name) const {
    return {};
  }
  /// Whether this kind of server can be asked what the row asks. An error names the key of the row.
  [[nodiscard]] virtual Status CheckRow([[maybe_unused]] const WorksetRow& row) const { return {}; }
  /// The request body of one item, byte-identical in every arm and pass. POST to PathOf(row). To be
  /// called for rows that passed CheckRow.
  [[nodiscard]] virtual std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                                                const RunConfig& run) const = 0;
  [[nodiscard]] virtual std::string completion_path() const { return "/v1/chat/completions"; }
  [[nodiscard]] virtual std::string text_completion_path() const { return "/v1/completions"; }
  [[nodiscard]] std::string PathOf(const WorksetRow& row) const {
    return row.completion ? text_completion_path() : completion_path();
  }
  /// Page with the counters; empty: this kind has none.
  [[nodiscard]] virtual std::string metrics_path() const { return "/metrics"; }
  [[nodiscard]] virtual Counters ParseMetrics([[maybe_unused]] std::string_view page) const {
    return {};
  }
  /// Page that is polled for the requests in service at that moment; empty: this kind has none.
  [[nodiscard]] virtual std::string slots_path() const { return {}; }
  /// Requests in service by that page; nothing for an unknown shape.
  [[nodiscard]] virtual std::optional<int> ParseBusySlots(
      [[maybe_unused]] std::string_view page) const {
    return std::nullopt;
  }
  /// Where the busy number may be left over from an earlier pass: a counter of the same page that
  /// has moved once it is fresh. Nothing where the number is always of the moment.
  [[nodiscard]] virtual std::optional<double> ParseProgress(
      [[maybe_unused]] std::string_view page) const {
    return std::nullopt;
  }
  /// What to switch on, or use, so that the server proves how many requests it serves at once. For
  /// people whose run had no such proof.
  [[nodiscard]] virtual std::string WidthHint() const = 0;
  /// Path that answers once the model is loaded, without the key.
  [[nodiscard]] virtual std::string health_path() const { return "/health"; }
  /// Whether that status says so.
  [[nodiscard]] virtual bool SaysHealthy(int status) const { return status == 200; }
  /// Pages on which the server describes itself, read in this order, with the key.
  [[nodiscard]] virtual std::vector<SelfPage> self_pages() const { return {}; }
  /// Compares such a page with what was launched and fills `identity`. False: it does not say
  /// enough yet, ask again.
  [[nodiscard]] virtual Result<bool> CheckPage(std::string_view path, std::string_view page,
                                               const LaunchSpec& spec,
                                               ServerIdentity& identity) const = 0;
  /// Which server says the context of a request, and where: for the error that it did not. Empty:
  /// servers of this kind need not, and the context then stays unproven.
  [[nodiscard]] virtual std::string ContextSource() const { return {}; }
  /// Body of the smallest real request, for the readiness check.
  [[nodiscard]] virtual std::string ProbeBody() const = 0;
  /// The log of a server that ended says that its port was taken: by default, in the words of the
  /// operating system.
  [[nodiscard]] virtual bool SaysPortTaken(std::string_view log) const;
  /// What to do about an early end, from the log's own words; empty when nothing is known.
  [[nodiscard]] virtual std::string ExitHint([[maybe_unused]] std::string_view log) const {
    return {};
  }
  /// POST path that counts the tokens of a text; empty when the kind has none.
  [[nodiscard]] virtual std::string tokenize_path() const { return {}; }
  /// What to post there.
  [[nodiscard]] virtual std::string TokenizeBody(const std::string& prompt) const;
  /// POST path that renders a chat as the text the model reads; empty when the kind has none.
  [[nodiscard]] virtual std::string render_path() const { return {}; }
  /// What to post there for one question with a system message; the reply holds the text as
  /// `prompt`.
  [[nodiscard]] std::string RenderBody(const std::string& system, const std::string& prompt) const;
};

}  // namespace bi_test::server
