#include <algorithm>

#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "cert/cert_reader.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 160;
/// A cert that is about something else altogether need not be listed key by key.
constexpr std::size_t kMaxLines = 100;

/// Keys that a recomputation cannot reproduce: when it was written, and what depends on it.
[[nodiscard]] bool IsOfTheWriting(const std::string& path) {
  return path == "ts_utc" || path == "cert_digest";
}

class Comparison {
 public:
  void Compare(const std::string& path, const Json* stored, const Json* recomputed) {
    if (IsOfTheWriting(path)) return;
    if (stored != nullptr && recomputed != nullptr && Descend(path, *stored, *recomputed)) return;
    if (stored != nullptr && recomputed != nullptr && *stored == *recomputed) return;
    ++n_;
    if (lines_.size() >= kMaxLines) return;
    lines_.push_back(SanitizeText(path.empty() ? "cert" : path, kMaxShown) + ": stored " +
                     ShownValue(stored, kMaxShown) + ", recomputed " +
                     ShownValue(recomputed, kMaxShown));
  }

  [[nodiscard]] std::vector<std::string> Take() {
    if (n_ > lines_.size()) {
      lines_.push_back("and " + std::to_string(n_ - lines_.size()) + " more differences");
    }
    return std::move(lines_);
  }

 private:
  /// Compares member by member where both sides have members.
  [[nodiscard]] bool Descend(const std::string& path, const Json& stored, const Json& recomputed) {
    if (stored.is_object() && recomputed.is_object()) {
      const Json::Object& x = *stored.if_object();
      const Json::Object& y = *recomputed.if_object();
      const std::string prefix = path.empty() ? "" : path + ".";
      for (const auto& [key, value] : x) Compare(prefix + key, &value, recomputed.Find(key));
      for (const auto& [key, value] : y) {
        if (x.find(key) == x.end()) Compare(prefix + key, nullptr, &value);
      }
      return true;
    }
    if (!stored.is_array() || !recomputed.is_array()) return false;
    const Json::Array& x = *stored.if_array();
    const Json::Array& y = *recomputed.if_array();
    for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
      Compare(path + "[" + std::to_string(i) + "]", i < x.size() ? &x[i] : nullptr,
              i < y.size() ? &y[i] : nullptr);
    }
    return true;
  }

  std::vector<std::string> lines_;
  std::size_t n_ = 0;
};

}  // namespace

std::vector<std::string> CheckCertAgainst(const Cert& stored, const Cert& recomputed) {
  Comparison comparison;
  comparison.Compare("", &stored.document, &recomputed.document);
  std::vector<std::string> out = comparison.Take();
  const Json* digest = stored.document.Find("cert_digest");
  const std::string own = CertDigest(stored);
  if (digest == nullptr || !(*digest == Json(own))) {
    out.push_back("cert_digest: stored " + ShownValue(digest, kMaxShown) +
                  ", the digest of the stored cert is \"" + own + "\"");
  }
  return out;
}

}  // namespace bi_test
