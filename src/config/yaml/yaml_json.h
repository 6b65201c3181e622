#pragma once

#include "bi_test/json.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {

/// The JSON value a YAML node stands for. Plain `true`, `false`, `null`, `~` and numbers in the
/// spelling of JSON have their JSON type; everything else is text: `NO`, `on`, `0x10`, `010`, `.5`,
/// and all in quotes.
[[nodiscard]] Json ToJson(const YamlNode& node);

}  // namespace bi_test::config
