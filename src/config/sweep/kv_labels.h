#pragma once

#include <string>
#include <vector>

namespace bi_test::config {

/// The cache types of llama.cpp, as `kv` names them.
[[nodiscard]] inline const std::vector<std::string>& LlamaKvLabels() {
  static const std::vector<std::string> labels = {"f32",  "f16",  "bf16", "q8_0",  "q5_1",
                                                  "q5_0", "q4_1", "q4_0", "iq4_nl"};
  return labels;
}

}  // namespace bi_test::config
