#include "cert/cert_reader.h"

#include "bi_test/sanitize.h"

namespace bi_test {

const Json* CertReader::At(std::string_view path) const {
  const Json* at = &document_;
  while (at != nullptr) {
    const std::size_t dot = path.find('.');
    at = at->Find(path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return at;
}

std::optional<std::string> CertReader::TextAt(std::string_view path) const {
  const Json* value = At(path);
  const std::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> CertReader::IntAt(std::string_view path) const {
  const Json* value = At(path);
  const std::int64_t* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<bool> CertReader::BoolAt(std::string_view path) const {
  const Json* value = At(path);
  const bool* flag = value == nullptr ? nullptr : value->if_bool();
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

std::optional<double> CertReader::NumberAt(std::string_view path) const {
  if (const auto integer = IntAt(path)) return static_cast<double>(*integer);
  const Json* value = At(path);
  const double* number = value == nullptr ? nullptr : value->if_double();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

const Json::Array* CertReader::ListAt(std::string_view path) const {
  const Json* value = At(path);
  return value == nullptr ? nullptr : value->if_array();
}

std::string ShownValue(const Json* value, std::size_t max_bytes) {
  if (value == nullptr) return "nothing";
  return SanitizeText(CompactText(*value), max_bytes);
}

}  // namespace bi_test
