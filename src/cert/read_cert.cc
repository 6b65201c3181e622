#include "cert/read_cert.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/utc_time.h"
#include "bi_test/sanitize.h"
#include "cert/cert_keys.h"
#include "cert/cert_reader.h"
#include "cert/earlier_reds.h"

namespace bi_test {
namespace {

constexpr std::int64_t kMaxCount = std::int64_t{1} << 53U;
constexpr std::size_t kMaxWhy = 80;
constexpr std::size_t kMaxShown = 160;
/// Entries of a list whose lacks are named; enough for every view that shows single ones.
constexpr std::size_t kNamedEntries = 16;

constexpr std::array kVerdicts = {Verdict::kGreen, Verdict::kRed, Verdict::kAmber,
                                  Verdict::kUnverified};

[[nodiscard]] std::string TextOf(const Json& value) {
  return value.if_string() != nullptr ? *value.if_string() : CompactText(value);
}

/// Typed values of an object. What is absent or of another type is noted and read as nothing.
class Fields {
 public:
  Fields(const Json& object, std::string prefix, CellFacts* facts)
      : reader_(object), prefix_(std::move(prefix)), facts_(facts) {}

  [[nodiscard]] std::optional<std::int64_t> OptionalInt(std::string_view key) const {
    return Noted(key, reader_.IntAt(key), "an integer");
  }
  [[nodiscard]] std::int64_t Int(std::string_view key) const {
    return OptionalInt(key).value_or(0);
  }
  [[nodiscard]] int SmallInt(std::string_view key) const {
    using Limits = std::numeric_limits<int>;
    const std::int64_t value = Int(key);
    const auto small = std::clamp<std::int64_t>(value, Limits::min(), Limits::max());
    if (small != value && facts_ != nullptr) {
      facts_->lacks[prefix_ + std::string(key)] = {"is out of range", std::to_string(value)};
    }
    return static_cast<int>(small);
  }
  /// The number of a pass; no run has more than that.
  [[nodiscard]] int Pass() const {
    constexpr int kMaxPass = 1'000'000;
    return std::clamp(SmallInt("pass"), 0, kMaxPass);
  }
  [[nodiscard]] std::optional<double> OptionalNumber(std::string_view key) const {
    return Noted(key, reader_.NumberAt(key), "a number");
  }
  [[nodiscard]] double Number(std::string_view key) const {
    return OptionalNumber(key).value_or(0.0);
  }
  [[nodiscard]] bool Flag(std::string_view key) const {
    return Noted(key, reader_.BoolAt(key), "true or false").value_or(false);
  }
  [[nodiscard]] std::optional<std::string> OptionalText(std::string_view key) const {
    return Noted(key, reader_.TextAt(key), "a string");
  }
  [[nodiscard]] std::string Text(std::string_view key) const {
    return OptionalText(key).value_or("");
  }

  /// The texts of a list; other entries are passed over, and noted.
  [[nodiscard]] std::vector<std::string> Texts(std::string_view key) const {
    std::vector<std::string> out;
    const Json::Array* list = reader_.ListAt(key);
    bool whole = list != nullptr;
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const std::string* text = (*list)[i].if_string();
      whole = whole && text != nullptr;
      if (text != nullptr) out.push_back(*text);
    }
    if (!whole) Note(key, "a list of strings");
    return out;
  }

  /// One value for each entry of a list.
  template <typename Read>
  void Each(std::string_view key, Read read) const {
    const Json::Array* list = reader_.ListAt(key);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      read(Fields((*list)[i], prefix_ + std::string(key) + "." + std::to_string(i) + ".",
                  i < kNamedEntries ? facts_ : nullptr));
    }
  }

  /// The counts of an object of them.
  template <typename Count>
  void Counts(std::string_view key, std::map<std::string, Count>& out) const {
    const Json* object = reader_.At(key);
    if (object == nullptr || object->if_object() == nullptr) return;
    for (const auto& [name, value] : *object->if_object()) {
      if (const std::int64_t* n = value.if_int64()) {
        out[name] = static_cast<Count>(std::clamp<std::int64_t>(
            *n, std::numeric_limits<Count>::min(), std::numeric_limits<Count>::max()));
      }
    }
  }

  [[nodiscard]] const Json* At(std::string_view key) const { return reader_.At(key); }

  /// Notes that there is nothing of that kind at the key.
  void Note(std::string_view key, const char* expected) const {
    if (facts_ == nullptr) return;
    const std::string path = prefix_ + std::string(key);
    const Json* found = reader_.At(key);
    Lack lack{"is not on the cert: key `" + path + "` is missing", "?"};
    if (found != nullptr && found->is_null()) {
      lack.why = "is null on the cert (key `" + path + "`)";
    } else if (found != nullptr) {
      lack.why = "cannot be read: key `" + path + "` is " +
                 SanitizeText(CompactText(*found), kMaxWhy) + ", not " + expected;
      lack.shown = SanitizeText(TextOf(*found), kMaxShown);
    }
    facts_->lacks[path] = std::move(lack);
  }

 private:
  template <typename T>
  [[nodiscard]] std::optional<T> Noted(std::string_view key, std::optional<T> value,
                                       const char* expected) const {
    if (!value) Note(key, expected);
    return value;
  }

  CertReader reader_;
  std::string prefix_;
  CellFacts* facts_;
};

[[nodiscard]] FieldDifference DifferenceOf(const Fields& at) {
  FieldDifference out;
  out.test_id = at.Text("test_id");
  out.field = at.Text("field");
  if (const Json* x = at.At("x")) out.x = *x;
  if (const Json* y = at.At("y")) out.y = *y;
  out.token_identical = at.Flag("token_identical");
  return out;
}

[[nodiscard]] PairReport PairOf(const Fields& at) {
  PairReport pair;
  pair.pair = at.Text("pair");
  pair.n_compared = at.Int("n_compared");
  pair.n_divergent = at.Int("n_divergent");
  pair.divergence_rate = at.Number("divergence_rate");
  pair.only_x = at.Texts("only_x");
  pair.only_y = at.Texts("only_y");
  pair.divergent_ids = at.Texts("divergent_ids");
  pair.token_divergence_ids = at.Texts("token_divergence_ids");
  at.Each("per_id", [&pair](const Fields& one) { pair.per_id.push_back(DifferenceOf(one)); });
  pair.n_per_id = static_cast<std::int64_t>(pair.per_id.size());
  DriftReport& drift = pair.logit_drift;
  drift.eps = at.Number("logit_drift.eps");
  drift.armed = at.Flag("logit_drift.armed");
  drift.max_logit_delta = at.Number("logit_drift.max_logit_delta");
  drift.max_token_delta = at.Number("logit_drift.max_token_delta");
  drift.n_ids_with_logprobs = at.Int("logit_drift.n_ids_with_logprobs");
  drift.n_ids_logprob_differ = at.Int("logit_drift.n_ids_logprob_differ");
  drift.n_sentinels = at.Int("logit_drift.n_sentinels");
  drift.n_ids_missing = at.Int("logit_drift.n_ids_missing");
  drift.n_tokens_compared = at.Int("logit_drift.n_tokens_compared");
  return pair;
}

[[nodiscard]] PassReport PassOf(const Fields& at) {
  PassReport pass;
  pass.pass = at.Pass();
  pass.effective = at.Flag("effective");
  pass.why_not = at.Text("why_not");
  pass.client_max_overlap_depth = at.SmallInt("client_max_overlap_depth");
  pass.server_peak_busy_slots = at.Int("server_peak_busy_slots");
  pass.sampled_peak_busy_slots = at.OptionalInt("sampled_peak_busy_slots");
  pass.mean_busy_slots = at.OptionalNumber("mean_busy_slots");
  pass.decode_calls = at.OptionalNumber("decode_calls");
  pass.tokens_decoded = at.OptionalInt("tokens_decoded");
  pass.counter_reset = at.Flag("counter_reset");
  pass.coverage_fraction = at.Number("coverage_fraction");
  pass.coverage_ok = at.Flag("coverage_ok");
  pass.width_ok = at.Flag("width_ok");
  pass.n_trials = at.Int("n_trials");
  pass.n_ok = at.Int("n_ok");
  pass.n_missing = at.Int("n_missing");
  pass.ac_divergent = at.Int("ac_divergent");
  pass.ac_token_only = at.Int("ac_token_only");
  return pass;
}

[[nodiscard]] Arm ArmOf(const std::string& name) {
  return name == ArmName(Arm::kA) ? Arm::kA : name == ArmName(Arm::kB) ? Arm::kB : Arm::kC;
}

[[nodiscard]] Divergence DivergenceOf(const Fields& at) {
  Divergence out;
  out.test_id = at.Text("test_id");
  out.arm = ArmOf(at.Text("arm"));
  out.pass = at.Pass();
  out.field = at.Text("field");
  out.token_index = at.OptionalInt("token_index");
  out.x_token = at.OptionalInt("x_token");
  out.y_token = at.OptionalInt("y_token");
  out.byte_offset = at.OptionalInt("byte_offset");
  out.code_point_offset = at.OptionalInt("code_point_offset");
  out.x_around = at.Text("x_around");
  out.y_around = at.Text("y_around");
  out.margin = at.OptionalNumber("margin");
  out.not_explained_by_rounding = at.Flag("not_explained_by_rounding");
  out.leak_donor = at.Text("leak_donor");
  out.slot = at.OptionalInt("slot");
  if (at.OptionalInt("observed_width")) out.observed_width = at.SmallInt("observed_width");
  out.transport = at.Flag("transport");
  out.cause = at.Text("cause");
  out.companions = at.Texts("companions");
  return out;
}

[[nodiscard]] SampleStatistics StatisticsOf(const Fields& at) {
  SampleStatistics out;
  out.n_hot_trials = at.Int("sensitivity.n_hot_trials");
  out.n_distinct_prompts = at.Int("statistics.n_distinct_prompts");
  out.n_effective_prompts = at.Int("statistics.n_effective_prompts");
  out.n_compared_prompts = at.Int("statistics.n_compared_prompts");
  out.n_divergent_prompts = at.Int("statistics.n_divergent_prompts");
  out.n_comparisons = at.Int("statistics.n_comparisons");
  out.n_planned_comparisons = at.Int("statistics.n_planned_comparisons");
  out.planned_power_1_percent = at.Number("statistics.planned_power_1_percent");
  out.comparisons_for_95 = at.Int("statistics.comparisons_for_95");
  out.rule_of_three = at.OptionalNumber("statistics.rule_of_three");
  out.clopper_pearson_upper_95 = at.OptionalNumber("statistics.clopper_pearson_upper_95");
  out.wilson_lower_95 = at.OptionalNumber("statistics.wilson_lower_95");
  out.wilson_upper_95 = at.OptionalNumber("statistics.wilson_upper_95");
  out.exact_lower_95 = at.OptionalNumber("statistics.exact_lower_95");
  out.exact_upper_95 = at.OptionalNumber("statistics.exact_upper_95");
  return out;
}

[[nodiscard]] CompletionFloor FloorOf(const Fields& at) {
  CompletionFloor out;
  out.n_ok_a = at.Int("completion_floor.n_ok_a");
  out.n_failure_a = at.Int("completion_floor.n_failure_a");
  out.n_ok_b = at.Int("completion_floor.n_ok_b");
  out.n_failure_b = at.Int("completion_floor.n_failure_b");
  out.n_ok_c = at.Int("completion_floor.n_ok_c");
  out.n_failure_c = at.Int("completion_floor.n_failure_c");
  out.required_ok = at.Int("completion_floor.required_ok");
  out.min_ok_fraction = at.Number("completion_floor.min_ok_fraction");
  out.completion_floor_ok = at.Flag("completion_floor.completion_floor_ok");
  return out;
}

template <typename Name>
[[nodiscard]] std::optional<Verdict> VerdictOf(const std::optional<std::string>& text, Name name) {
  const auto found = std::ranges::find_if(
      kVerdicts, [&](Verdict verdict) { return text && *text == name(verdict); });
  return found == kVerdicts.end() ? std::nullopt : std::optional(*found);
}

/// That of the status. Where the name contradicts it nothing is known.
[[nodiscard]] Verdict ReadVerdict(const Fields& at, CellFacts& facts) {
  const std::optional<std::string> status_text = at.OptionalText("status");
  const auto status = VerdictOf(status_text, VerdictStatus);
  const auto name = VerdictOf(at.OptionalText("verdict"), VerdictName);
  if (!name) at.Note("verdict", "a verdict");
  if (status_text && !status) {
    const std::string text = SanitizeText(*status_text, 60);
    facts.lacks["status"] = {
        "cannot be read: key `status` is \"" + text + "\", which is no verdict", text};
  }
  if (status && name && *status != *name) {
    facts.lacks["status"] = {"is unknown: key `verdict` contradicts key `status`", "?"};
    return Verdict::kUnverified;
  }
  return status.value_or(name.value_or(Verdict::kUnverified));
}

void ReadJudgement(const Fields& at, CellFacts& facts) {
  Judgement& out = facts.judgement;
  out.verdict = ReadVerdict(at, facts);
  out.divergence_class = at.OptionalText("divergence_class");
  out.anomaly = at.OptionalText("anomaly");
  out.reason_codes = at.Texts("reason_codes");
  out.decision_reasons = at.Texts("decision_reasons");
  out.mismatch = at.OptionalText("mismatch");
  out.transport_only = at.Flag("transport_only");
  out.first_cause = at.Text("first_cause");
  out.client_max_overlap_depth = at.SmallInt("overlap.client_max_overlap_depth");
  out.server_peak_busy_slots = at.Int("overlap.server_peak_busy_slots");
  out.overlap_ok = at.Flag("overlap_ok");
  out.effective_n = at.SmallInt("effective_n");
  out.n_passes = at.SmallInt("n_passes");
  out.n_passes_effective = at.SmallInt("n_passes_effective");
  out.min_mean_width = at.OptionalNumber("min_mean_width");
  out.coverage.coverage_fraction = at.OptionalNumber("cobatch_coverage.coverage_fraction");
  out.coverage.cobatch_coverage_ok = at.Flag("cobatch_coverage.cobatch_coverage_ok");
  out.coverage.min_coverage_fraction = at.Number("cobatch_coverage.min_coverage_fraction");
  out.coverage.interval_kind = at.Text("cobatch_coverage.interval_kind");
  out.floor = FloorOf(at);
  at.Each("passes", [&out](const Fields& one) { out.passes.push_back(PassOf(one)); });
  at.Each("divergences",
          [&out](const Fields& one) { out.divergences.push_back(DivergenceOf(one)); });
  at.Counts("distinct_outputs", out.distinct_outputs);
  at.Counts("status_counts", out.status_counts);
  out.token_divergence_ids = at.Texts("token_divergence_ids");
  out.serial_unstable_ids = at.Texts("serial_unstable_ids");
  out.request_mismatch_ids = at.Texts("request_mismatch_ids");
  out.prompt_truncated_ids = at.Texts("prompt_truncated_ids");
  out.cached_prompt_ids = at.Texts("cached_prompt_ids");
  const Json* reasons = at.At("uncertified_reasons");
  for (std::string& id : at.Texts("uncertified_ids")) {
    const Json* why = reasons == nullptr ? nullptr : reasons->Find(id);
    const std::string* text = why == nullptr ? nullptr : why->if_string();
    out.uncertified_ids.push_back({std::move(id), text == nullptr ? "" : *text});
  }
  out.n_divergences = at.Int("n_divergences");
  out.n_leaks = at.Int("n_leaks");
  out.statistics = StatisticsOf(at);
  out.positive_control_ok = at.Flag("positive_control.ok");
  out.positive_controls = at.SmallInt("positive_control.planted");
}

[[nodiscard]] PairFacts ReadPair(const Json& document, const std::string& label, CellFacts& facts,
                                 PairReport& report) {
  static const Json kNothing;
  const std::string path = "divergence_report." + label;
  const Json* pair = CertReader(document).At(path);
  const Fields at(pair == nullptr ? kNothing : *pair, path + ".", &facts);
  report = PairOf(at);
  PairFacts out = PairFactsOf(report);
  // The list may be cut, the count is not.
  const std::int64_t n_token_only = at.Int("n_token_only");
  if (n_token_only < 0) at.Note("n_token_only", "a count");
  out.n_output_differs -= out.n_token_only;
  out.n_token_only = std::clamp<std::int64_t>(n_token_only, 0, kMaxCount);
  out.n_output_differs += out.n_token_only;
  return out;
}

void ReadPairs(const Json& document, CellFacts& facts) {
  Judgement& out = facts.judgement;
  facts.ac = ReadPair(document, "AC", facts, out.ac);
  facts.ab = ReadPair(document, "AB", facts, out.ab);
  facts.bc = ReadPair(document, "BC", facts, out.bc);
  facts.aa2 = ReadPair(document, "AA2", facts, out.aa2);
  const auto read = [&](const char* label, std::optional<PairFacts>& pair,
                        std::optional<PairReport>& report) {
    PairReport found;
    pair = ReadPair(document, label, facts, found);
    if (CertReader(document).At(std::string("divergence_report.") + label) == nullptr) {
      pair.reset();
    } else {
      report = std::move(found);
    }
  };
  read("AA3", facts.aa3, out.aa3);
  read("BB2", facts.bb2, out.bb2);
}

/// The cell as the document has it, whether it can be one or not.
[[nodiscard]] Cell CellIn(const Fields& at) {
  Cell cell;
  cell.model = at.Text("model");
  cell.ctx = at.SmallInt("ctx");
  cell.dispatch_n = at.SmallInt("dispatch_n");
  if (auto kv = at.OptionalText("kv_label")) cell.kv_label = *std::move(kv);
  return cell;
}

void ReadKind(const Json& document, CellFacts& facts) {
  const Json* version = document.Find("schema_version");
  if (version != nullptr) {
    facts.schema_version = TextOf(*version);
    facts.kind = *version == Json(kCertSchemaVersion) ? CertKind::kPresent : CertKind::kOther;
    return;
  }
  facts.kind = document.Find("status") != nullptr ? CertKind::kOlder : CertKind::kNone;
  if (facts.kind == CertKind::kNone) return;
  for (const std::string_view key : CertKeys()) {
    if (document.Find(key) == nullptr) facts.absent_keys.push_back(key);
  }
}

}  // namespace

void ReadHeader(const Json& header, CellFacts& facts) {
  const CertReader at(header);
  const auto text = [&at](std::string_view path, std::string& out) {
    const Json* value = at.At(path);
    if (value == nullptr || value->is_null() || value->is_object() || value->is_array()) return;
    out = TextOf(*value);
  };
  if (const Json* server = at.At("server")) facts.server = *server;
  SetUp& out = facts.set_up;
  text("server.kind", out.server_kind);
  text("server.binary", out.server_binary);
  text("server.build", out.server_build);
  text("server.binary_sha256", out.binary_sha256);
  text("server.model_path", out.model_path);
  text("server.model_sha256", out.model_sha256);
  text("workset.profile", out.workset_profile);
  text("workset.n_items", out.workset_items);
  text("request.n_predict", out.max_tokens);
  text("scorer.name", out.scorer);
  text("provenance.run_id", out.run_id);
  text("provenance.started_utc", out.started_utc);
  text("provenance.finished_utc", out.finished_utc);
  text("provenance.tool_version", out.tool_version);
  out.width_hint = at.TextAt("server.width_hint").value_or("");

  facts.n_earlier = at.IntAt("attempts.n_earlier").value_or(0);
  if (const Json* subject = at.At("attempts.subject")) facts.subject = *subject;
  const Json* earlier = at.At("attempts.earlier");
  if (earlier == nullptr) return;
  facts.n_earlier_reds = EarlierReds(*earlier, facts.subject).size();
  if (earlier->if_array() == nullptr) return;
  for (const Json& entry : *earlier->if_array()) {
    const CertReader one(entry);
    facts.earlier.push_back({one.TextAt("ts_utc").value_or(""), one.TextAt("status").value_or(""),
                             one.IntAt("n_divergent")});
  }
}

CellFacts ReadCert(const Json& document) {
  CellFacts facts;
  const Fields at(document, "", &facts);
  ReadKind(document, facts);
  facts.cell = CellIn(at);
  facts.source = at.Text("source");
  ReadJudgement(at, facts);
  ReadPairs(document, facts);
  facts.throughput.serial = at.OptionalNumber("throughput.serial_tokens_per_s");
  facts.throughput.concurrent = at.OptionalNumber("throughput.concurrent_tokens_per_s");
  ReadHeader(document, facts);
  const auto begin = ParseUtc(facts.set_up.started_utc);
  const auto end = ParseUtc(facts.set_up.finished_utc);
  if (begin && end && *end > *begin) facts.wall_s = static_cast<double>(*end - *begin);
  facts.hot_rate_bound = at.OptionalNumber("sensitivity.rate_upper_bound_95");
  facts.has_statistics = at.At("statistics.clopper_pearson_upper_95") != nullptr;
  facts.cert_digest = at.Text("cert_digest");
  facts.trace_sha256 = at.Text("trace_sha256");
  facts.ts_utc = at.Text("ts_utc");
  facts.expires_utc = at.Text("expires_utc");
  at.Counts("left_out", facts.left_out);
  return facts;
}

CellFacts ReadRefusal(const Json& document) {
  const CertReader at(document);
  CellFacts facts;
  facts.cell = CellOfDocument(document).value_or(Cell{});
  Error error{ErrorCode::kServer, at.TextAt("text").value_or(""), at.TextAt("guard").value_or("")};
  const std::string kind = at.TextAt("kind").value_or("");
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInterrupted); ++code) {
    if (kind == ErrorCodeName(static_cast<ErrorCode>(code))) {
      error.code = static_cast<ErrorCode>(code);
    }
  }
  facts.error = std::move(error);
  facts.set_up.run_id = at.TextAt("run_id").value_or("");
  facts.ts_utc = at.TextAt("ts_utc").value_or("");
  return facts;
}

std::optional<Cell> CellOfDocument(const Json& document) {
  const Json* inner = document.Find("cell");
  Cell cell =
      CellIn(Fields(inner != nullptr && inner->is_object() ? *inner : document, "", nullptr));
  return FileStem(cell).empty() ? std::nullopt : std::optional(std::move(cell));
}

std::string DamageOf(const Cert& cert) {
  const CertReader at(cert.document);
  const auto digest = at.TextAt("cert_digest");
  if (!digest) return "it has no digest: a cert of an older kind, or an edited one";
  if (*digest != CertDigest(cert))
    return "its digest does not fit what it says: it was edited or cut";
  const auto verdict = VerdictOf(at.TextAt("verdict"), VerdictName);
  if (!verdict) return "it names no verdict";
  if (at.TextAt("status") != VerdictStatus(*verdict)) return "verdict and status contradict";
  return {};
}

}  // namespace bi_test
