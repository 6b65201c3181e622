// Prints one node of a YAML file, so that a script can run what a CI recipe says.
//
// usage: yaml_blocks FILE [KEY]...      a key of a mapping, or the index of a list, from the
// outside in
//
// A text is printed as it is, a list of texts one per line, a mapping of texts as `KEY=VALUE`
// lines.
#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

namespace {

int Fail(const std::string& text) {
  std::cerr << "yaml_blocks: " << text << '\n';
  return 1;
}

int Print(YAML::Node node, int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    const YAML::Node next =
        node.IsSequence() ? node[std::stoul(argv[i])] : node[std::string(argv[i])];
    if (!next.IsDefined()) return Fail(std::string("found no ") + argv[i] + " in " + argv[1]);
    node.reset(next);
  }
  if (node.IsScalar()) {
    std::cout << node.Scalar() << '\n';
  } else if (node.IsSequence()) {
    for (const YAML::Node& entry : node) std::cout << entry.as<std::string>() << '\n';
  } else if (node.IsMap()) {
    for (const auto& entry : node) {
      std::cout << entry.first.as<std::string>() << '=' << entry.second.as<std::string>() << '\n';
    }
  } else {
    return Fail("found nothing at that place");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return Fail("usage: yaml_blocks FILE [KEY]...");
  try {
    return Print(YAML::LoadFile(argv[1]), argc, argv);
  } catch (const std::exception& error) {
    return Fail(std::string(argv[1]) + ": " + error.what());
  }
}
