#include "config/yaml/yaml_json.h"

#include "base/json_reader.h"
#include "config/yaml/scalar.h"

namespace bi_test::config {

Json ToJson(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNothing:
      return nullptr;
    case YamlNode::Kind::kText: {
      const bool typed =
          !node.quoted && (node.text == "true" || node.text == "false" || ParseReal(node.text));
      if (!typed) return node.text;
      const Result<Json> value = ParseJson(node.text);
      return value.ok() ? *value : Json(node.text);
    }
    case YamlNode::Kind::kList: {
      Json::Array items;
      for (const YamlNode& item : node.items) items.push_back(ToJson(item));
      return items;
    }
    case YamlNode::Kind::kMap: {
      Json::Object members;
      for (const YamlMember& member : node.members) members[member.key] = ToJson(member.value);
      return members;
    }
  }
  return nullptr;
}

}  // namespace bi_test::config
