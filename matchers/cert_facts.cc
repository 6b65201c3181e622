#include <algorithm>
#include <optional>
#include <set>

#include "cert_fields.h"
#include "facts.h"
#include "first_difference.h"
#include "text_window.h"

namespace bi_test::matchers_internal {
namespace {

/// The member as text, `absent` when there is none.
std::string MemberText(const Json& object, std::string_view key) {
  const Json* value = object.Find(key);
  return value == nullptr ? "absent" : Shown(*value);
}

/// Divergent ids all of whose listed differences say that the output itself was the same.
std::int64_t SameOutputIds(const Json* per_id) {
  const Json::Array* entries = per_id == nullptr ? nullptr : per_id->if_array();
  if (entries == nullptr) return 0;
  std::set<std::string> same;
  std::set<std::string> other;
  for (const Json& entry : *entries) {
    const Json* identical = entry.Find("token_identical");
    const bool is_same =
        identical != nullptr && identical->if_bool() != nullptr && *identical->if_bool();
    (is_same ? same : other).insert(MemberText(entry, "test_id"));
  }
  return std::count_if(same.begin(), same.end(),
                       [&other](const std::string& id) { return !other.contains(id); });
}

Fact<PairFacts> PairOf(const CertFields& cert, const std::string& name) {
  const std::string path = "divergence_report." + name;
  PairFacts pair;
  pair.name = name;
  const Fact<std::int64_t> compared = cert.Int(path + ".n_compared");
  const Fact<std::int64_t> divergent = cert.Int(path + ".n_divergent");
  const Fact<std::int64_t> token_only = cert.Int(path + ".n_token_only");
  for (const Fact<std::int64_t>* fact : {&compared, &divergent, &token_only}) {
    if (!fact->value) return Fact<PairFacts>::Absent(fact->why_absent);
  }
  pair.n_compared = *compared.value;
  pair.n_divergent = *divergent.value;
  const std::int64_t same = SameOutputIds(cert.reader().At(path + ".per_id"));
  pair.n_output_differs = std::max<std::int64_t>(*divergent.value - same, 0) + *token_only.value;
  // Without these figures no log-probability counts as compared.
  const auto drift = [&cert, &path](const char* key) {
    return cert.Int(path + ".logit_drift." + key).value.value_or(0);
  };
  pair.n_with_logprobs = drift("n_ids_with_logprobs");
  pair.n_logprob_differs = drift("n_ids_logprob_differ");
  pair.n_logprob_missing = drift("n_ids_missing");
  pair.n_sentinels = drift("n_sentinels");
  return pair;
}

Fact<Verdict> VerdictOf(const CertFields& cert) {
  const Fact<std::string> status = cert.Text("status");
  if (!status.value) return Fact<Verdict>::Absent(status.why_absent);
  for (const Verdict verdict :
       {Verdict::kGreen, Verdict::kRed, Verdict::kAmber, Verdict::kUnverified}) {
    if (*status.value == VerdictStatus(verdict)) return verdict;
  }
  return Fact<Verdict>::Absent("cannot be read: key `status` is \"" + OneLine(*status.value, 60) +
                               "\", which is no verdict");
}

/// A located divergence as it stands on a cert. What is missing or of the wrong type stays empty.
Divergence DivergenceOf(const Json& entry) {
  const CertReader read(entry);
  Divergence divergence;
  divergence.test_id = read.TextAt("test_id").value_or("absent");
  const std::string arm = read.TextAt("arm").value_or("C");
  divergence.arm = arm == "A" ? Arm::kA : arm == "B" ? Arm::kB : Arm::kC;
  constexpr std::int64_t kMaxPass = 1'000'000;
  divergence.pass =
      static_cast<int>(std::clamp<std::int64_t>(read.IntAt("pass").value_or(0), 0, kMaxPass));
  divergence.field = read.TextAt("field").value_or("absent");
  divergence.token_index = read.IntAt("token_index");
  divergence.byte_offset = read.IntAt("byte_offset");
  divergence.x_around = read.TextAt("x_around").value_or("");
  divergence.y_around = read.TextAt("y_around").value_or("");
  divergence.cause = read.TextAt("cause").value_or("");
  return divergence;
}

std::string FirstDifference(const CertFields& cert, std::optional<Arm> arm, const char* pair) {
  if (const Json::Array* list = cert.reader().ListAt("divergences")) {
    for (const Json& entry : *list) {
      const Divergence divergence = DivergenceOf(entry);
      if (!arm || divergence.arm == *arm) return Describe(divergence);
    }
  }
  const Json::Array* per_id =
      cert.reader().ListAt(std::string("divergence_report.") + pair + ".per_id");
  if (per_id == nullptr || per_id->empty()) return "";
  FieldDifference difference;
  difference.test_id = MemberText(per_id->front(), "test_id");
  difference.field = MemberText(per_id->front(), "field");
  difference.x = MemberText(per_id->front(), "x");
  difference.y = MemberText(per_id->front(), "y");
  return Describe(difference);
}

void FillOverlap(const CertFields& cert, Facts& facts) {
  const Fact<std::int64_t> client = cert.Int("overlap.client_max_overlap_depth");
  const Fact<std::int64_t> server = cert.Int("overlap.server_peak_busy_slots");
  if (!client.value) {
    facts.overlap_depth = Fact<int>::Absent(client.why_absent);
  } else if (!server.value) {
    facts.overlap_depth = Fact<int>::Absent(server.why_absent);
  } else {
    facts.overlap_depth = ProvenDepth(*client.value, *server.value);
    facts.overlap_sides = OverlapSides(*client.value, *server.value);
  }
}

}  // namespace

Facts FactsOf(const Cert& document) {
  const CertFields cert(document.document);
  Facts facts;
  facts.verdict = VerdictOf(cert);
  facts.reason_codes = cert.Texts("reason_codes").value.value_or(std::vector<std::string>());
  facts.divergence_class = cert.Text("divergence_class");
  facts.ac = PairOf(cert, "AC");
  facts.aa2 = PairOf(cert, "AA2");
  facts.aa3 = PairOf(cert, "AA3");
  for (const char* name : {"AB", "BC", "BB2"}) {
    if (const Fact<PairFacts> pair = PairOf(cert, name); pair.value) {
      facts.controls.push_back(*pair.value);
    }
  }
  facts.n_uncertified = cert.Length("uncertified_ids");
  facts.n_request_mismatch = cert.Length("request_mismatch_ids");
  facts.divergent_ids = cert.Texts("divergence_report.AC.divergent_ids");
  facts.first_difference = FirstDifference(cert, std::nullopt, "AC");
  facts.first_difference_in_a = FirstDifference(cert, Arm::kA, "AA2");
  FillOverlap(cert, facts);
  facts.mean_width = cert.Number("min_mean_width");
  facts.coverage = cert.Number("cobatch_coverage.coverage_fraction");
  facts.floor_ok = cert.Bool("completion_floor.completion_floor_ok");
  const auto count = [&cert](const char* key) {
    const auto value = cert.Int(std::string("completion_floor.") + key).value;
    return value ? std::to_string(*value) : std::string("?");
  };
  facts.floor_counts = count("n_ok_a") + " ok in arm A and " + count("n_ok_c") + " in arm C, " +
                       count("required_ok") + " needed in each";
  facts.rate_upper_bound = cert.Number("statistics.rule_of_three");
  facts.n_passes = cert.Int("n_passes").value.value_or(0);
  facts.n_passes_effective = cert.Int("n_passes_effective").value.value_or(0);
  return facts;
}

}  // namespace bi_test::matchers_internal
