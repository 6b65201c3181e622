#pragma once

#include <map>
#include <string>
#include <vector>

namespace bi_test {

/// Rule of thumb for the memory of a key-value cache; `guard.kv_profiles` replaces it. GiB are
/// 2^30 bytes.
struct KvTable {
  double kv_gib = 13.0;         ///< Of one slot of `reference_ctx` tokens in q8_0, > 0.
  int reference_ctx = 131'072;  ///< Tokens, >= 1.
  double overhead_gib = 1.5;    ///< Of a server beside weights and cache, >= 0.
  /// Size of a cache type relative to q8_0, > 0.
  std::map<std::string, double, std::less<>> factors = {
      {"f32", 4.0},  {"f16", 2.0},    {"bf16", 2.0},   {"q8_0", 1.0},  {"q4_0", 0.5},
      {"q4_1", 0.5}, {"q5_0", 0.625}, {"q5_1", 0.625}, {"iq4_nl", 0.5}};
  friend bool operator==(const KvTable&, const KvTable&) = default;
};

/// `guard:` of a sweep file: what is looked at before anything is launched. A plain value.
struct GuardConfig {
  double max_footprint_gib = 15.0;       ///< Cap of the projected footprint, > 0.
  double memory_floor_gib = 8.0;         ///< Memory that must stay free, >= 0.
  std::vector<int> reserved_ports;       ///< Never used, 1 to 65535.
  std::vector<int> reserved_pids;        ///< Never signalled.
  int max_ctx = 131'072;                 ///< Ceiling of the context of one slot, tokens, >= 1.
  bool allow_unknown_memory = false;     ///< Launch even when the free memory cannot be read.
  bool require_acknowledgement = false;  ///< Launch only for a caller that acknowledges it.
  KvTable kv_table{};
  friend bool operator==(const GuardConfig&, const GuardConfig&) = default;
};

}  // namespace bi_test
