#include "run/request_json.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"

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

}  // namespace

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

}  // namespace bi_test::run
