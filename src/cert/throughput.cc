#include "cert/throughput.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace bi_test {
namespace {

struct PassSpan {
  std::int64_t requests = 0;
  std::int64_t tokens = 0;
  std::optional<double> first_dispatch, last_completion;
  std::optional<double> wall_s;

  [[nodiscard]] double Seconds() const {
    if (wall_s) return *wall_s;
    return first_dispatch && last_completion ? *last_completion - *first_dispatch : 0.0;
  }
};

std::int64_t TokensOf(const Trial& trial) {
  if (const std::int64_t* count = trial.completion_tokens.if_int64()) {
    return std::max<std::int64_t>(*count, 0);
  }
  return trial.token_ids ? static_cast<std::int64_t>(trial.token_ids->size()) : 0;
}

}  // namespace

std::optional<double> Throughput::Gain() const {
  if (!serial || !concurrent || *serial <= 0.0) return std::nullopt;
  return *concurrent / *serial;
}

Throughput MeasureThroughput(const Record& record) {
  std::map<std::pair<Arm, int>, PassSpan> spans;
  for (const Trial& trial : record.trials) {
    PassSpan& span = spans[{trial.arm, trial.pass}];
    if (trial.malformed_row) continue;
    ++span.requests;
    span.tokens += TokensOf(trial);
    if (trial.dispatch_ts) {
      span.first_dispatch =
          std::min(span.first_dispatch.value_or(*trial.dispatch_ts), *trial.dispatch_ts);
    }
    if (trial.complete_ts) {
      span.last_completion =
          std::max(span.last_completion.value_or(*trial.complete_ts), *trial.complete_ts);
    }
  }
  for (const PassEvidence& evidence : record.evidence) {
    const auto found = spans.find({evidence.arm, evidence.pass});
    if (found != spans.end() && evidence.wall_s && *evidence.wall_s > 0.0) {
      found->second.wall_s = evidence.wall_s;
    }
  }

  const auto rate = [&spans](Arm arm, bool all_passes) -> std::optional<double> {
    double tokens = 0.0;
    double seconds = 0.0;
    for (const auto& [key, span] : spans) {
      if (key.first != arm || (!all_passes && key.second != 0)) continue;
      if (span.tokens == 0 || !(span.Seconds() > 0.0)) continue;
      tokens += static_cast<double>(span.tokens);
      seconds += span.Seconds();
    }
    if (!(seconds > 0.0)) return std::nullopt;
    return tokens / seconds;
  };
  Throughput out{.serial = rate(Arm::kA, false), .concurrent = rate(Arm::kC, true), .passes = {}};
  for (const auto& [key, span] : spans) {
    out.passes.push_back({key.first, key.second, span.requests, span.tokens, span.Seconds()});
  }
  return out;
}

}  // namespace bi_test
