#include "run/trace_header.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "run/dispatch.h"
#include "run/provenance.h"

namespace bi_test::run {
namespace {

// 16 entries of at most 64 rows and 1 KiB stay well below what a cert copies from a header.
constexpr std::size_t kMostEntries = 16;
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kMostBytes = 1024;

Json Shown(const Json& sampling) {
  const std::string text = CompactText(sampling);
  if (text.size() <= kMostBytes) return sampling;
  Json out;
  out["sha256"] = Sha256Hex(text);
  for (const auto& [key, value] : *sampling.if_object()) {
    out["keys"] = out["keys"].is_null() ? Json(Json::Array{}) : out["keys"];
    out["keys"].if_array()->push_back(Json(key));
  }
  return out;
}

/// `request`: what every request body has in common, and where rows ask for more, what and which
/// rows (`sampling`: rows that ask for the same in one entry, first ones first; a long one as its
/// digest; `n_sampling` of them in all). Bounded, whatever the work-set holds.
Json RequestJson(const Sweep& sweep) {
  Json out;
  out["n_predict"] = sweep.run.max_tokens;
  out["temperature"] = 0.0;
  out["top_k"] = 1;
  out["cache_prompt"] = false;
  out["n_probs"] = sweep.run.n_probs;
  out["ignore_eos"] = sweep.run.ignore_eos;

  const std::vector<WorksetRow>& rows = sweep.workset.rows;
  std::map<std::string, std::vector<std::size_t>> by_text;
  std::vector<const std::string*> order;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].sampling.is_null()) continue;
    const auto [it, is_new] = by_text.try_emplace(CompactText(rows[row].sampling));
    if (is_new) order.push_back(&it->first);
    it->second.push_back(row);
  }
  if (order.empty()) return out;
  Json::Array entries;
  for (std::size_t i = 0; i < std::min(order.size(), kMostEntries); ++i) {
    const std::vector<std::size_t>& same = by_text.at(*order[i]);
    Json entry;
    entry["n_rows"] = same.size();
    entry["rows"] = Json(
        Json::Array(same.begin(),
                    same.begin() + static_cast<std::ptrdiff_t>(std::min(same.size(), kMostRows))));
    entry["sampling"] = Shown(rows[same.front()].sampling);
    entries.push_back(std::move(entry));
  }
  out["sampling"] = std::move(entries);
  out["n_sampling"] = order.size();
  return out;
}

Json WorksetJson(const CellPlan& plan) {
  const Workset& workset = plan.sweep.workset;
  Json out;
  out["sha256"] = workset.sha256;
  out["profile"] = workset.name;
  out["corner"] = nullptr;
  if (const Json::Object* stamp = workset.stamp.if_object()) {
    for (const auto& [key, value] : *stamp) out[key] = value;
  }
  out["n_rows"] = workset.rows.size();
  out["n_items"] = plan.items.size();
  out["seed"] = plan.sweep.run.seed;
  return out;
}

Json PlanJson(const CellPlan& plan) {
  const RunOptions& options = plan.context.options;
  Json out;
  out["passes"] = plan.sweep.run.passes;
  out["items"] = plan.items.size();
  out["fail_fast"] = options.fail_fast;
  if (options.pass_plan != PassPlan::kDefault) out["pass_plan"] = PassPlanName(options.pass_plan);
  Json::Array arrivals;
  for (int pass = 0; pass < plan.sweep.run.passes; ++pass) {
    arrivals.push_back(ArrivalName(ArrivalOfPass(pass, options.pass_plan)));
  }
  out["arrivals"] = std::move(arrivals);
  out["a3_sample"] = plan.Control(Arm::kA, 2).order.size();
  out["b2_sample"] = plan.Control(Arm::kB, 1).order.size();
  return out;
}

}  // namespace

Json TraceHeader(const CellPlan& plan, const std::vector<server::ServerIdentity>& launches) {
  const Sweep& sweep = plan.sweep;
  Json header;
  header["expects_end"] = true;
  header["reps"] = sweep.run.reps;
  header["plan"] = PlanJson(plan);
  header["policy"] = PolicyJson(sweep.policy);
  header["workset"] = WorksetJson(plan);
  header["scorer"] = plan.scorer_identity;
  header["request"] = RequestJson(sweep);
  // No answer is ever asked for twice.
  for (const char* arm : {"a", "a2", "b"}) header["retries"][arm] = 0;
  header["retries"]["c"] = Json(Json::Array(static_cast<std::size_t>(sweep.run.passes), Json(0)));
  header["server"] = ServerJson(sweep, plan.context.cell, plan.model, launches);
  header["dense_baseline"] = sweep.dense_baseline;
  return header;
}

}  // namespace bi_test::run
