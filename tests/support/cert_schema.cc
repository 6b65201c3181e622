#include "support/cert_schema.h"

#include <rapidjson/document.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace bi_test::testing_support {
namespace {

rapidjson::Document ReadSchema() {
  std::ostringstream text;
  text << std::ifstream(BI_TEST_CERT_SCHEMA).rdbuf();
  rapidjson::Document schema;
  schema.Parse(text.str().c_str());
  if (schema.HasParseError() || !schema.IsObject()) {
    std::cerr << "no JSON schema: " << BI_TEST_CERT_SCHEMA << '\n';
    std::abort();
  }
  return schema;
}

}  // namespace

std::string CertSchemaFault(std::string_view cert) {
  static const rapidjson::Document kDocument = ReadSchema();
  static const rapidjson::SchemaDocument kSchema(kDocument);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(cert.data(), cert.size());
  if (document.HasParseError()) return "not JSON";
  rapidjson::SchemaValidator validator(kSchema);
  if (document.Accept(validator)) return {};
  rapidjson::StringBuffer place;
  validator.GetInvalidDocumentPointer().StringifyUriFragment(place);
  return std::string(validator.GetInvalidSchemaKeyword()) + " at " + place.GetString();
}

}  // namespace bi_test::testing_support
