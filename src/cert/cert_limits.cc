#include "cert/cert_limits.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"

namespace bi_test {

CertLimits CertLimits::Smaller() const {
  CertLimits out = *this;
  out.list = list / 2;
  out.divergences = divergences / 2;
  out.companions = companions / 2;
  out.value_bytes = std::max<std::size_t>(64, value_bytes / 2);
  out.pass_through_bytes = pass_through_bytes / 2;
  return out;
}

Json CertTrimmer::Text(const std::string& text) const {
  if (text.size() <= limits_.value_bytes) return text;
  const std::size_t kept = SequenceStart(text, limits_.value_bytes);
  return text.substr(0, kept) + "...(+" + std::to_string(text.size() - kept) + " bytes)";
}

Json CertTrimmer::Value(const Json& value) const {
  if (const std::string* text = value.if_string()) return Text(*text);
  if (!value.is_array() && !value.is_object()) return value;
  const std::string text = CompactText(value);
  return text.size() <= limits_.value_bytes ? value : Text(text);
}

Json CertTrimmer::Ids(const std::string& path, const std::vector<std::string>& ids) {
  Json::Array out;
  for (const std::string& id : ids) {
    if (out.size() == limits_.list) break;
    out.push_back(Text(id));
  }
  NoteLeftOut(path, out.size(), ids.size());
  return out;
}

void CertTrimmer::NoteLeftOut(const std::string& path, std::size_t kept, std::size_t total) {
  if (total > kept) left_out_[path] = total - kept;
}

Json CertTrimmer::PassThrough(const std::string& key, const Json& header) {
  const Json* value = header.Find(key);
  if (value == nullptr) return {};
  if (CompactText(*value).size() <= limits_.pass_through_bytes) return *value;
  left_out_[key] = 1;
  return {};
}

Json Portable(const Json& value) {
  if (const std::string* text = value.if_string()) return ReplaceIllFormed(*text);
  if (const double* real = value.if_double()) {
    return std::isfinite(*real) ? Json(*real) : Json(DoubleText(*real));
  }
  if (const Json::Array* array = value.if_array()) {
    Json::Array out;
    out.reserve(array->size());
    for (const Json& element : *array) out.push_back(Portable(element));
    return out;
  }
  if (const Json::Object* object = value.if_object()) {
    Json::Object out;
    for (const auto& [key, member] : *object) out.emplace(ReplaceIllFormed(key), Portable(member));
    return out;
  }
  return value;
}

}  // namespace bi_test
