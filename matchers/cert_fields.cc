#include "cert_fields.h"

#include "text_window.h"

namespace bi_test::matchers_internal {

std::string CertFields::Wrong(const std::string& path, const char* expected) const {
  const Json* value = reader_.At(path);
  if (value == nullptr) return "is not on the cert: key `" + path + "` is missing";
  if (value->is_null()) return "is null on the cert (key `" + path + "`)";
  return "cannot be read: key `" + path + "` is " + OneLine(CompactText(*value), 80) + ", not " +
         expected;
}

Fact<std::int64_t> CertFields::Int(const std::string& path) const {
  if (const auto value = reader_.IntAt(path)) return *value;
  return Fact<std::int64_t>::Absent(Wrong(path, "an integer"));
}

Fact<double> CertFields::Number(const std::string& path) const {
  if (const auto value = reader_.NumberAt(path)) return *value;
  return Fact<double>::Absent(Wrong(path, "a number"));
}

Fact<bool> CertFields::Bool(const std::string& path) const {
  if (const auto value = reader_.BoolAt(path)) return *value;
  return Fact<bool>::Absent(Wrong(path, "true or false"));
}

Fact<std::string> CertFields::Text(const std::string& path) const {
  if (auto value = reader_.TextAt(path)) return *std::move(value);
  return Fact<std::string>::Absent(Wrong(path, "a string"));
}

Fact<std::vector<std::string>> CertFields::Texts(const std::string& path) const {
  using Texts = Fact<std::vector<std::string>>;
  const Json::Array* list = reader_.ListAt(path);
  if (list == nullptr) return Texts::Absent(Wrong(path, "a list of strings"));
  std::vector<std::string> texts;
  for (const Json& element : *list) {
    if (element.if_string() == nullptr) return Texts::Absent(Wrong(path, "a list of strings"));
    texts.push_back(*element.if_string());
  }
  if (const std::int64_t more = LeftOut(path); more != 0) {
    return Texts::Absent("is cut on the cert: key `" + path + "` lacks " + std::to_string(more) +
                         " more");
  }
  return texts;
}

Fact<std::int64_t> CertFields::Length(const std::string& path) const {
  const Json::Array* list = reader_.ListAt(path);
  if (list == nullptr) return Fact<std::int64_t>::Absent(Wrong(path, "a list"));
  return static_cast<std::int64_t>(list->size()) + LeftOut(path);
}

std::int64_t CertFields::LeftOut(const std::string& path) const {
  const Json* left_out = reader_.At("left_out");  // Its keys are paths with dots in them.
  const Json* count = left_out == nullptr ? nullptr : left_out->Find(path);
  return count == nullptr || count->if_int64() == nullptr ? 0 : *count->if_int64();
}

}  // namespace bi_test::matchers_internal
