#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/sweep/sweep_reader.h"
#include "config/yaml/file_problems.h"
#include "config/yaml/yaml_document.h"

// Any bytes give a sweep or a list of mistakes. The environment makes every variable resolve, and
// paths lead nowhere, so that all readers are reached without a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace config = bi_test::config;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  config::FileProblems problems;
  config::YamlNode root;
  if (!config::ParseYaml(text, {}, root, problems)) {
    if (problems.empty()) std::abort();
    (void)problems.ToError("fuzz");
    return 0;
  }
  const config::Environment env = {{"MODELS_DIR", "/nonexistent"}, {"A", "${A}"}};
  bi_test::Sweep sweep;
  config::ReadSweep(root, {"/nonexistent", env, problems, sweep});
  if (!problems.empty()) (void)problems.ToError("fuzz");
  return 0;
}
