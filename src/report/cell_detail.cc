#include "report/cell_detail.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace bi_test::report {
namespace {

constexpr double kSentinel = -9999.0;

bool IsNumber(double value) { return std::isfinite(value) && value > kSentinel; }

void Compare(const Trial& x, const Trial& y, IdDrift& drift) {
  const std::size_t n =
      std::min({x.token_ids->size(), y.token_ids->size(), x.logprobs->size(), y.logprobs->size()});
  for (std::size_t i = 0; i < n; ++i) {
    if ((*x.token_ids)[i] != (*y.token_ids)[i]) break;
    const double a = (*x.logprobs)[i];
    const double b = (*y.logprobs)[i];
    if (IsNumber(a) && IsNumber(b)) drift.nats = std::max(drift.nats, std::fabs(a - b));
  }
  drift.differs = drift.differs || *x.token_ids != *y.token_ids;
}

}  // namespace

std::vector<IdDrift> DriftPerId(const Record& record) {
  std::map<std::string_view, const Trial*> serial;
  for (const Trial& trial : record.trials) {
    if (trial.arm == Arm::kA && trial.pass == 0 && trial.token_ids && trial.logprobs) {
      serial.emplace(trial.test_id, &trial);
    }
  }
  std::map<std::string_view, IdDrift> drifts;
  for (const Trial& trial : record.trials) {
    if (trial.arm != Arm::kC || !trial.token_ids || !trial.logprobs) continue;
    const auto found = serial.find(trial.test_id);
    if (found != serial.end()) Compare(*found->second, trial, drifts[trial.test_id]);
  }
  std::vector<IdDrift> out;
  out.reserve(drifts.size());
  for (auto& [id, drift] : drifts) {
    drift.test_id = id;
    out.push_back(std::move(drift));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const IdDrift& x, const IdDrift& y) { return x.nats > y.nats; });
  return out;
}

}  // namespace bi_test::report
