#include "report/cell_properties.h"

#include "report/clean_text.h"
#include "report/numbers.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxValue = 512;

const char* StatusOf(const CellResult& cell) {
  switch (cell.state) {
    case CellState::kNotRun:
      return "not_run";
    case CellState::kError:
      return "error";
    case CellState::kSkipped:
      return "skipped";
    case CellState::kRan:
      break;
  }
  return VerdictStatus(cell.verdict);
}

class Builder {
 public:
  void Text(const char* name, std::string_view value) {
    if (!value.empty()) properties_.push_back({name, CleanLine(value, kMaxValue), false});
  }
  void Number(const char* name, std::string value) {
    properties_.push_back({name, std::move(value), true});
  }
  void Number(const char* name, std::int64_t value) { Number(name, std::to_string(value)); }
  void Number(const char* name, const std::optional<double>& value, int decimals) {
    if (value) Number(name, Fixed(*value, decimals));
  }
  [[nodiscard]] std::vector<CellProperty> Take() { return std::move(properties_); }

 private:
  std::vector<CellProperty> properties_;
};

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (text.size() > kMaxValue) break;
    text += (text.empty() ? "" : ",") + part;
  }
  return text;
}

void AddFigures(const CellResult& cell, Builder& add) {
  const CellFigures& figures = cell.figures;
  add.Text("bi_source", figures.source);
  add.Text("bi_reason_codes", Joined(figures.reason_codes));
  add.Text("bi_divergence_class", figures.divergence_class);
  add.Text("bi_anomaly", figures.anomaly);
  if (figures.transport_only) add.Text("bi_transport_only", "true");
  add.Number("bi_width", figures.effective_n);
  add.Number("bi_mean_width", figures.min_mean_width, 3);
  add.Number("bi_overlap_depth", figures.client_overlap_depth);
  add.Number("bi_busy_slots", figures.server_peak_busy_slots);
  add.Number("bi_coverage", figures.coverage_fraction, 3);
  add.Number("bi_passes", figures.n_passes);
  add.Number("bi_passes_effective", figures.n_passes_effective);
  add.Number("bi_compared", figures.n_compared);
  add.Number("bi_comparisons", figures.n_comparisons);
  add.Number("bi_effective_prompts", figures.n_effective_prompts);
  add.Number("bi_divergent", figures.n_divergent);
  add.Number("bi_token_only", figures.n_token_only);
  add.Number("bi_uncertified", figures.n_uncertified);
  add.Number("bi_rate_upper_bound", figures.rate_upper_bound, 6);
  add.Text("bi_positive_control", figures.positive_control_ok ? "ok" : "failed");
}

}  // namespace

std::vector<CellProperty> CellProperties(const CellResult& cell) {
  Builder add;
  add.Text("bi_status", StatusOf(cell));
  if (cell.state == CellState::kRan) add.Text("bi_verdict", VerdictName(cell.verdict));
  add.Text("bi_model", cell.cell.model);
  add.Number("bi_ctx", cell.cell.ctx);
  add.Number("bi_parallel", cell.cell.dispatch_n);
  add.Text("bi_kv", cell.cell.kv_label);
  add.Text("bi_labels", Joined(cell.labels));
  add.Text("bi_accepted", cell.accepted);
  if (cell.error_code) add.Text("bi_error", ErrorCodeName(*cell.error_code));
  if (cell.state == CellState::kRan) AddFigures(cell, add);
  if (cell.state == CellState::kRan || cell.state == CellState::kError) {
    add.Number("bi_wall_s", cell.wall_s, 3);
    add.Number("bi_server_busy_s", cell.server_busy_s, 3);
    add.Number("bi_requests", cell.requests_sent);
    add.Number("bi_serial_tokens_per_s", cell.throughput.serial, 2);
    add.Number("bi_concurrent_tokens_per_s", cell.throughput.concurrent, 2);
  }
  add.Text("bi_cert", cell.cert_path);
  add.Text("bi_refusal", cell.refusal_path);
  add.Text("bi_trace", cell.trace_path);
  for (std::size_t i = 0; i < cell.server_logs.size(); ++i) {
    add.Text(("bi_server_log_" + std::to_string(i + 1)).c_str(), cell.server_logs[i]);
  }
  return add.Take();
}

}  // namespace bi_test::report
