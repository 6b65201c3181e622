#pragma once

#include <string>
#include <vector>

#include "make_model/model_spec.h"

namespace bi_test::make_model {

/// What is wrong with `spec`; empty if it can be written. One sentence per entry, each with the
/// flag, the value found and what is allowed. Total: any values may be given.
[[nodiscard]] std::vector<std::string> Validate(const ModelSpec& spec);

}  // namespace bi_test::make_model
