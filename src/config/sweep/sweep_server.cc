#include <algorithm>

#include "config/name_match.h"
#include "config/sweep/program_path.h"
#include "config/sweep/sweep_reader.h"

namespace bi_test::config {
namespace {

constexpr std::string_view kLlamaServer = "llama-server";
constexpr std::string_view kLlamaServerVariable = "BI_TEST_LLAMA_SERVER";

void ReadKind(const SweepReader& reader, const Section& section) {
  if (section.Find("kind") == nullptr) return;
  const std::vector<std::string> kinds = {"llama.cpp", "vllm", "sglang", "openai"};
  const auto kind = section.Reader("kind").Text(Joined(kinds));
  if (!kind) return;
  if (std::ranges::find(kinds, *kind) != kinds.end()) {
    reader.sweep.server.kind = *kind;
    return;
  }
  section.Reader("kind").Refuse(Joined(kinds) + DidYouMean(*kind, kinds));
}

// A path or another name in the file, else the variable, else the program on PATH. A variable that
// is set decides alone: falling back to another program would test something else than was asked
// for.
void ReadBinary(const SweepReader& reader, const YamlNode* node, const Section& section) {
  ServerConfig& server = reader.sweep.server;
  if (section.Find("binary") != nullptr) {
    const auto binary = reader.ExpandedText(*section.Find("binary"), section.PathOf("binary"),
                                            "the path or name of a program");
    if (!binary) return;
    server.binary_as_written = *binary;
  } else if (server.kind == "llama.cpp") {
    server.binary_as_written = kLlamaServer;
  } else if (server.kind == "vllm") {
    server.binary_as_written = "vllm";
  } else if (node == nullptr || node->kind == YamlNode::Kind::kMap) {
    reader.problems.Found(section.LineOf("binary"), section.PathOf("binary"), "nothing",
                          "the path or name of a program");
    return;
  }
  const auto variable = reader.env.find(std::string(kLlamaServerVariable));
  const bool by_variable = server.kind == "llama.cpp" && server.binary_as_written == kLlamaServer &&
                           variable != reader.env.end() && !variable->second.empty();
  if (by_variable) server.binary_as_written = variable->second;
  server.binary = FindProgram(server.binary_as_written, reader.folder, reader.env);
}

void ReadServerEnvironment(const SweepReader& reader, const Section& section) {
  const YamlNode* node = section.Find("env");
  if (node == nullptr) return;
  for (const YamlMember& variable : node->members) {
    if (!variable.key.starts_with("LLAMA_ARG_")) continue;
    reader.problems.Found(variable.line, section.PathOf("env") + "." + variable.key,
                          "a variable that stands for a flag",
                          "the flag itself, in server.flags or models[].flags");
  }
  reader.sweep.server.env = reader.Variables(*node, section.PathOf("env"));
}

}  // namespace

void ReadServer(const SweepReader& reader, const YamlNode* node) {
  const Section section(node, "server",
                        {"kind", "binary", "flags", "env", "ready_timeout", "stop_grace"},
                        reader.problems);
  ServerConfig& server = reader.sweep.server;
  ReadKind(reader, section);
  ReadBinary(reader, node, section);
  if (const YamlNode* flags = section.Find("flags")) {
    server.flags = reader.Flags(*flags, section.PathOf("flags"));
  }
  ReadServerEnvironment(reader, section);
  section.Read("ready_timeout", server.ready_timeout);
  section.Read("stop_grace", server.stop_grace);
}

}  // namespace bi_test::config
