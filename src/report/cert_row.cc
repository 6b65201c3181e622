#include "report/cert_row.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/utc_time.h"
#include "cert/cert_reader.h"

namespace bi_test::report {
namespace {

constexpr std::array kVerdicts = {Verdict::kGreen, Verdict::kRed, Verdict::kAmber,
                                  Verdict::kUnverified};
constexpr std::array kHeaderKeys = {"server",  "workset", "scorer", "request",  "provenance",
                                    "retries", "reps",    "plan",   "attempts", "baseline"};

std::int64_t Int(const CertReader& read, std::string_view path) {
  return read.IntAt(path).value_or(0);
}

int SmallInt(const CertReader& read, std::string_view path) {
  return static_cast<int>(std::clamp<std::int64_t>(Int(read, path), INT32_MIN, INT32_MAX));
}

bool Flag(const CertReader& read, std::string_view path) {
  return read.BoolAt(path).value_or(false);
}

std::string Text(const CertReader& read, std::string_view path) {
  return read.TextAt(path).value_or("");
}

/// The texts of a list; other entries are passed over.
std::vector<std::string> Texts(const CertReader& read, std::string_view path) {
  std::vector<std::string> out;
  if (const Json::Array* list = read.ListAt(path)) {
    for (const Json& entry : *list) {
      if (const std::string* text = entry.if_string()) out.push_back(*text);
    }
  }
  return out;
}

Arm ArmOf(const std::string& name) {
  for (const Arm arm : {Arm::kA, Arm::kB}) {
    if (name == ArmName(arm)) return arm;
  }
  return Arm::kC;
}

PairReport PairOf(const CertReader& read, const std::string& label) {
  const Json* document = read.At("divergence_report." + label);
  PairReport pair;
  if (document == nullptr) return pair;
  const CertReader at(*document);
  pair.pair = Text(at, "pair");
  pair.n_compared = Int(at, "n_compared");
  pair.n_divergent = Int(at, "n_divergent");
  pair.divergence_rate = at.NumberAt("divergence_rate").value_or(0.0);
  pair.only_x = Texts(at, "only_x");
  pair.only_y = Texts(at, "only_y");
  pair.divergent_ids = Texts(at, "divergent_ids");
  pair.token_divergence_ids = Texts(at, "token_divergence_ids");
  if (const Json::Array* list = at.ListAt("per_id")) {
    for (const Json& entry : *list) {
      const CertReader row(entry);
      FieldDifference difference;
      difference.test_id = Text(row, "test_id");
      difference.field = Text(row, "field");
      if (const Json* x = entry.Find("x")) difference.x = *x;
      if (const Json* y = entry.Find("y")) difference.y = *y;
      difference.token_identical = Flag(row, "token_identical");
      pair.per_id.push_back(std::move(difference));
    }
  }
  pair.n_per_id = static_cast<std::int64_t>(pair.per_id.size());
  DriftReport& drift = pair.logit_drift;
  drift.eps = at.NumberAt("logit_drift.eps").value_or(0.0);
  drift.armed = Flag(at, "logit_drift.armed");
  drift.max_logit_delta = at.NumberAt("logit_drift.max_logit_delta").value_or(0.0);
  drift.max_token_delta = at.NumberAt("logit_drift.max_token_delta").value_or(0.0);
  drift.n_ids_with_logprobs = Int(at, "logit_drift.n_ids_with_logprobs");
  drift.n_ids_logprob_differ = Int(at, "logit_drift.n_ids_logprob_differ");
  drift.n_ids_missing = Int(at, "logit_drift.n_ids_missing");
  drift.n_tokens_compared = Int(at, "logit_drift.n_tokens_compared");
  return pair;
}

PassReport PassOf(const Json& document) {
  const CertReader at(document);
  PassReport pass;
  pass.pass = SmallInt(at, "pass");
  pass.effective = Flag(at, "effective");
  pass.why_not = Text(at, "why_not");
  pass.client_max_overlap_depth = SmallInt(at, "client_max_overlap_depth");
  pass.server_peak_busy_slots = Int(at, "server_peak_busy_slots");
  pass.sampled_peak_busy_slots = at.IntAt("sampled_peak_busy_slots");
  pass.mean_busy_slots = at.NumberAt("mean_busy_slots");
  pass.decode_calls = at.NumberAt("decode_calls");
  pass.tokens_decoded = at.IntAt("tokens_decoded");
  pass.counter_reset = Flag(at, "counter_reset");
  pass.coverage_fraction = at.NumberAt("coverage_fraction").value_or(0.0);
  pass.coverage_ok = Flag(at, "coverage_ok");
  pass.width_ok = Flag(at, "width_ok");
  pass.n_trials = Int(at, "n_trials");
  pass.n_ok = Int(at, "n_ok");
  pass.n_missing = Int(at, "n_missing");
  pass.ac_divergent = Int(at, "ac_divergent");
  pass.ac_token_only = Int(at, "ac_token_only");
  return pass;
}

Divergence DivergenceOf(const Json& document) {
  const CertReader at(document);
  Divergence out;
  out.test_id = Text(at, "test_id");
  out.arm = ArmOf(Text(at, "arm"));
  out.pass = SmallInt(at, "pass");
  out.field = Text(at, "field");
  out.token_index = at.IntAt("token_index");
  out.x_token = at.IntAt("x_token");
  out.y_token = at.IntAt("y_token");
  out.byte_offset = at.IntAt("byte_offset");
  out.code_point_offset = at.IntAt("code_point_offset");
  out.x_around = Text(at, "x_around");
  out.y_around = Text(at, "y_around");
  out.margin = at.NumberAt("margin");
  out.not_explained_by_rounding = Flag(at, "not_explained_by_rounding");
  out.leak_donor = Text(at, "leak_donor");
  out.slot = at.IntAt("slot");
  if (at.IntAt("observed_width")) out.observed_width = SmallInt(at, "observed_width");
  out.transport = Flag(at, "transport");
  out.cause = Text(at, "cause");
  out.companions = Texts(at, "companions");
  return out;
}

SampleStatistics StatisticsOf(const CertReader& read) {
  SampleStatistics out;
  out.n_hot_trials = Int(read, "sensitivity.n_hot_trials");
  out.n_distinct_prompts = Int(read, "statistics.n_distinct_prompts");
  out.n_effective_prompts = Int(read, "statistics.n_effective_prompts");
  out.n_compared_prompts = Int(read, "statistics.n_compared_prompts");
  out.n_divergent_prompts = Int(read, "statistics.n_divergent_prompts");
  out.n_comparisons = Int(read, "statistics.n_comparisons");
  out.n_planned_comparisons = Int(read, "statistics.n_planned_comparisons");
  out.planned_power_1_percent = read.NumberAt("statistics.planned_power_1_percent").value_or(0.0);
  out.comparisons_for_95 = Int(read, "statistics.comparisons_for_95");
  out.rule_of_three = read.NumberAt("statistics.rule_of_three");
  out.clopper_pearson_upper_95 = read.NumberAt("statistics.clopper_pearson_upper_95");
  out.wilson_lower_95 = read.NumberAt("statistics.wilson_lower_95");
  out.wilson_upper_95 = read.NumberAt("statistics.wilson_upper_95");
  out.exact_lower_95 = read.NumberAt("statistics.exact_lower_95");
  out.exact_upper_95 = read.NumberAt("statistics.exact_upper_95");
  return out;
}

CompletionFloor FloorOf(const CertReader& read) {
  CompletionFloor out;
  out.n_ok_a = Int(read, "completion_floor.n_ok_a");
  out.n_failure_a = Int(read, "completion_floor.n_failure_a");
  out.n_ok_b = Int(read, "completion_floor.n_ok_b");
  out.n_failure_b = Int(read, "completion_floor.n_failure_b");
  out.n_ok_c = Int(read, "completion_floor.n_ok_c");
  out.n_failure_c = Int(read, "completion_floor.n_failure_c");
  out.required_ok = Int(read, "completion_floor.required_ok");
  out.min_ok_fraction = read.NumberAt("completion_floor.min_ok_fraction").value_or(0.0);
  out.completion_floor_ok = Flag(read, "completion_floor.completion_floor_ok");
  return out;
}

std::optional<Verdict> VerdictOf(const CertReader& read) {
  const std::string name = Text(read, "verdict");
  const auto found = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                                  [&name](Verdict v) { return name == VerdictName(v); });
  return found == kVerdicts.end() ? std::nullopt : std::optional(*found);
}

void ReadLists(const CertReader& read, Judgement& out) {
  if (const Json::Array* list = read.ListAt("passes")) {
    for (const Json& entry : *list) out.passes.push_back(PassOf(entry));
  }
  if (const Json::Array* list = read.ListAt("divergences")) {
    for (const Json& entry : *list) out.divergences.push_back(DivergenceOf(entry));
  }
  const auto members = [&read](std::string_view path) -> const Json::Object& {
    static const Json::Object kNone;
    const Json* value = read.At(path);
    return value == nullptr || value->if_object() == nullptr ? kNone : *value->if_object();
  };
  for (const auto& [id, count] : members("distinct_outputs")) {
    if (const std::int64_t* n = count.if_int64()) {
      out.distinct_outputs[id] = static_cast<int>(std::clamp<std::int64_t>(*n, 0, INT32_MAX));
    }
  }
  for (const auto& [mode, count] : members("status_counts")) {
    if (const std::int64_t* n = count.if_int64()) out.status_counts[mode] = *n;
  }
  out.token_divergence_ids = Texts(read, "token_divergence_ids");
  out.serial_unstable_ids = Texts(read, "serial_unstable_ids");
  out.request_mismatch_ids = Texts(read, "request_mismatch_ids");
  out.prompt_truncated_ids = Texts(read, "prompt_truncated_ids");
  out.cached_prompt_ids = Texts(read, "cached_prompt_ids");
  const Json::Object& reasons = members("uncertified_reasons");
  for (std::string& id : Texts(read, "uncertified_ids")) {
    const auto found = reasons.find(id);
    const std::string* why = found == reasons.end() ? nullptr : found->second.if_string();
    out.uncertified_ids.push_back({std::move(id), why == nullptr ? "" : *why});
  }
}

Judgement JudgementOf(const CertReader& read) {
  Judgement out;
  out.verdict = VerdictOf(read).value_or(Verdict::kUnverified);
  out.divergence_class = read.TextAt("divergence_class");
  out.anomaly = read.TextAt("anomaly");
  out.reason_codes = Texts(read, "reason_codes");
  out.decision_reasons = Texts(read, "decision_reasons");
  out.mismatch = read.TextAt("mismatch");
  out.transport_only = Flag(read, "transport_only");
  out.first_cause = Text(read, "first_cause");
  out.ac = PairOf(read, "AC");
  out.ab = PairOf(read, "AB");
  out.bc = PairOf(read, "BC");
  out.aa2 = PairOf(read, "AA2");
  if (read.At("divergence_report.AA3") != nullptr) out.aa3 = PairOf(read, "AA3");
  if (read.At("divergence_report.BB2") != nullptr) out.bb2 = PairOf(read, "BB2");
  out.client_max_overlap_depth = SmallInt(read, "overlap.client_max_overlap_depth");
  out.server_peak_busy_slots = Int(read, "overlap.server_peak_busy_slots");
  out.overlap_ok = Flag(read, "overlap_ok");
  out.effective_n = SmallInt(read, "effective_n");
  out.n_passes = SmallInt(read, "n_passes");
  out.n_passes_effective = SmallInt(read, "n_passes_effective");
  out.min_mean_width = read.NumberAt("min_mean_width");
  out.coverage.coverage_fraction = read.NumberAt("cobatch_coverage.coverage_fraction");
  out.coverage.cobatch_coverage_ok = Flag(read, "cobatch_coverage.cobatch_coverage_ok");
  out.coverage.min_coverage_fraction =
      read.NumberAt("cobatch_coverage.min_coverage_fraction").value_or(0.0);
  out.coverage.interval_kind = Text(read, "cobatch_coverage.interval_kind");
  out.floor = FloorOf(read);
  ReadLists(read, out);
  out.n_divergences = Int(read, "n_divergences");
  out.n_leaks = Int(read, "n_leaks");
  out.statistics = StatisticsOf(read);
  out.positive_control_ok = Flag(read, "positive_control.ok");
  out.positive_controls = SmallInt(read, "positive_control.planted");
  return out;
}

/// Whole seconds between two instants of the cert; 0 when either is missing.
double Seconds(const CertReader& read, std::string_view from, std::string_view to) {
  const auto begin = ParseUtc(Text(read, from));
  const auto end = ParseUtc(Text(read, to));
  return begin && end && *end > *begin ? static_cast<double>(*end - *begin) : 0.0;
}

}  // namespace

std::optional<Cell> CellOfDocument(const Json& document) {
  const Json* inner = document.Find("cell");
  const CertReader read(inner != nullptr && inner->is_object() ? *inner : document);
  Cell cell;
  cell.model = Text(read, "model");
  cell.ctx = SmallInt(read, "ctx");
  cell.dispatch_n = SmallInt(read, "dispatch_n");
  if (const auto kv = read.TextAt("kv_label")) cell.kv_label = *kv;
  if (FileStem(cell).empty()) return std::nullopt;
  return cell;
}

CellRun RunFromCert(const Cert& cert) {
  const CertReader read(cert.document);
  CellRun run;
  run.cell = CellOfDocument(cert.document).value_or(Cell{});
  run.record.cell = run.cell;
  run.record.source = Text(read, "source");
  for (const char* key : kHeaderKeys) {
    if (const Json* value = cert.document.Find(key)) run.record.header[key] = *value;
  }
  run.judgement = JudgementOf(read);
  run.cert = cert;
  run.wall_s = Seconds(read, "provenance.started_utc", "provenance.finished_utc");
  return run;
}

std::string DamageOf(const Cert& cert) {
  const CertReader read(cert.document);
  const auto digest = read.TextAt("cert_digest");
  if (!digest) return "it has no digest: a cert of an older kind, or an edited one";
  if (*digest != CertDigest(cert))
    return "its digest does not fit what it says: it was edited or cut";
  const auto verdict = VerdictOf(read);
  if (!verdict) return "it names no verdict";
  if (Text(read, "status") != VerdictStatus(*verdict)) return "verdict and status contradict";
  return {};
}

CellResult RowFromCert(const Cert& cert, const Cell& cell, const std::string& path) {
  CellResult row;
  CellRun run = RunFromCert(cert);
  run.cell = cell;
  run.cert_path = path;
  const CertReader read(cert.document);
  if (const std::string damage = DamageOf(cert); !damage.empty()) {
    row.cell = cell;
    row.state = CellState::kError;
    row.damaged = true;
    row.error_code = ErrorCode::kInvalidFile;
    row.cert_path = path;
    row.ts_utc = Text(read, "ts_utc");
    row.message = "damaged cert: " + damage;
    row.explanation = row.message + "\n" + path;
    row.next_step =
        "Nothing this file says counts. Run the cell again, or put the file back as it "
        "was written; `bi-test verify` names what differs from its trace.";
    return row;
  }
  FillFromRun(run, row);
  row.throughput.serial = read.NumberAt("throughput.serial_tokens_per_s");
  row.throughput.concurrent = read.NumberAt("throughput.concurrent_tokens_per_s");
  row.ts_utc = Text(read, "ts_utc");
  auto detail = std::make_shared<CellDetail>();
  detail->judgement = std::move(run.judgement);
  detail->header = std::move(run.record.header);
  detail->trace_sha256 = Text(read, "trace_sha256");
  detail->expires_utc = Text(read, "expires_utc");
  if (const Json* left_out = cert.document.Find("left_out")) detail->left_out = *left_out;
  detail->no_trace = "the trace was not read";
  row.detail = std::move(detail);
  return row;
}

CellResult RowFromRefusal(const Json& document, const Cell& cell, const std::string& path) {
  const CertReader read(document);
  CellRun run;
  run.cell = cell;
  Error error{ErrorCode::kServer, Text(read, "text"), Text(read, "guard")};
  const std::string kind = Text(read, "kind");
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInterrupted); ++code) {
    if (kind == ErrorCodeName(static_cast<ErrorCode>(code))) {
      error.code = static_cast<ErrorCode>(code);
    }
  }
  run.error = std::move(error);
  run.refusal_path = path;
  CellResult row;
  FillFromRun(run, row);
  row.ts_utc = Text(read, "ts_utc");
  return row;
}

}  // namespace bi_test::report
