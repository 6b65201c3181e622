#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test {

/// A cert is smaller than this, whatever the run held (file bytes).
inline constexpr std::size_t kMaxCertBytes = 900'000;

/// How much of each list and text a cert may hold.
struct CertLimits {
  std::size_t list = 256;         ///< Entries of a list or object of unbounded length.
  std::size_t divergences = 64;   ///< Located divergences.
  std::size_t companions = 16;    ///< Companions of one of them.
  std::size_t value_bytes = 512;  ///< Bytes of one echoed value.
  std::size_t pass_through_bytes =
      32'768;  ///< Compact bytes of one object copied from the trace header.

  /// The next smaller set, for a cert that came out too large.
  [[nodiscard]] CertLimits Smaller() const;
};

/// Shortens what goes on a cert and keeps count of what was left out, by the path of the key.
class CertTrimmer {
 public:
  explicit CertTrimmer(const CertLimits& limits) : limits_(limits) {}

  [[nodiscard]] const CertLimits& limits() const { return limits_; }

  /// A text of at most `value_bytes`, cut between characters and marked.
  [[nodiscard]] Json Text(const std::string& text) const;
  /// A value as it is, or its compact text cut and marked when that is too long.
  [[nodiscard]] Json Value(const Json& value) const;
  /// The first entries of a list of ids.
  [[nodiscard]] Json Ids(const std::string& path, const std::vector<std::string>& ids);
  /// Notes that a list holds `kept` entries of `total`.
  void NoteLeftOut(const std::string& path, std::size_t kept, std::size_t total);
  /// An object of the trace header, null when absent or too large to copy.
  [[nodiscard]] Json PassThrough(const std::string& key, const Json& header);

  /// The first entries of a map, through `to_json`.
  template <typename Key, typename Count, typename ToJson>
  [[nodiscard]] Json Map(const std::string& path, const std::map<Key, Count>& map, ToJson to_json) {
    Json out = Json::Object{};
    std::size_t kept = 0;
    for (const auto& [key, value] : map) {
      if (kept == limits_.list) break;
      out[*Text(KeyText(key)).if_string()] = to_json(value);
      ++kept;
    }
    NoteLeftOut(path, kept, map.size());
    return out;
  }

  /// path -> entries left out; empty when nothing was.
  [[nodiscard]] Json LeftOut() const { return left_out_; }

 private:
  [[nodiscard]] static std::string KeyText(const std::string& key) { return key; }
  [[nodiscard]] static std::string KeyText(int key) { return std::to_string(key); }

  CertLimits limits_;
  Json left_out_ = Json::Object{};
};

/// The value with all text well-formed UTF-8 (U+FFFD for what is not) and no non-finite numbers
/// (their names as text), so that any JSON reader takes it.
[[nodiscard]] Json Portable(const Json& value);

}  // namespace bi_test
