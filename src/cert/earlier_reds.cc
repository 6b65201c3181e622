#include "cert/earlier_reds.h"

#include "bi_test/verdict.h"
#include "cert/cert_reader.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 120;

[[nodiscard]] std::string Shown(const Json* value) { return ShownValue(value, kMaxShown); }

[[nodiscard]] bool Counts(const CertReader& attempt, const Json& subject) {
  const std::optional<std::string> status = attempt.TextAt("status");
  if (status && *status != VerdictStatus(Verdict::kRed)) return false;
  if (attempt.BoolAt("transport_only").value_or(false)) return false;
  const std::optional<std::string> of = attempt.TextAt("subject");
  return !of || !subject.is_string() || *of == *subject.if_string();
}

}  // namespace

std::vector<std::string> EarlierReds(const Json& earlier, const Json& subject) {
  std::vector<std::string> out;
  const Json::Array* list = earlier.if_array();
  if (list == nullptr) return out;
  for (const Json& one : *list) {
    const CertReader attempt(one);
    if (!Counts(attempt, subject)) continue;
    out.push_back("EARLIER_RED: attempts.earlier: run " + Shown(attempt.At("run_id")) + " of " +
                  Shown(attempt.At("ts_utc")) + " was RED " + Shown(attempt.At("reason_codes")) +
                  " with this server, model and flags; a later clean run does not erase it");
  }
  return out;
}

}  // namespace bi_test
