#include "config/sweep/sweep_reader.h"

#include <system_error>

#include "base/safe_text.h"
#include "base/split.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

// Far above any use; keeps the comparisons of entries with each other cheap.
constexpr std::size_t kMostEntries = 1'000;

constexpr std::string_view kFlagsAllowed =
    "a list of arguments, or one text that is split at blanks";

// `-ngl 99` in one list entry would reach the server as one argument with a blank in it.
bool LooksLikeTwoArguments(std::string_view text) {
  return text.starts_with('-') && text.find(' ') < text.find('=') && text.find(' ') != text.npos;
}

}  // namespace

fs::path SweepReader::Resolve(const std::string& path) const {
  return (folder / path).lexically_normal();
}

std::optional<std::string> SweepReader::ExpandedText(const YamlNode& node, const std::string& key,
                                                     std::string_view allowed,
                                                     bool may_be_empty) const {
  const auto text = ScalarReader(node, key, problems).Text(allowed, may_be_empty);
  if (!text) return std::nullopt;
  Result<std::string> expanded = Expand(*text, env);
  if (expanded.ok() && (may_be_empty || !expanded->empty())) return *std::move(expanded);
  problems.Add(node.line, key,
               expanded.ok()
                   ? "found " + Quoted(*text) + ", which is empty, allowed: " + std::string(allowed)
                   : expanded.error().message);
  return std::nullopt;
}

std::vector<std::string> SweepReader::Flags(const YamlNode& node, const std::string& key) const {
  std::vector<std::string> flags;
  if (node.kind == YamlNode::Kind::kText) {
    for (const std::string_view word : SplitFields(node.text)) {
      YamlNode part = node;
      part.text = word;
      if (auto flag = ExpandedText(part, key, kFlagsAllowed, true))
        flags.push_back(*std::move(flag));
    }
    return flags;
  }
  const std::vector<YamlNode>& entries = Entries(node, key, kFlagsAllowed);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string entry_key = key + "[" + std::to_string(i) + "]";
    if (entries[i].kind == YamlNode::Kind::kText && LooksLikeTwoArguments(entries[i].text)) {
      problems.Found(entries[i].line, entry_key, Describe(entries[i]),
                     "one argument per entry (write the flag and its value as two entries)");
      continue;
    }
    auto flag = ExpandedText(entries[i], entry_key, "one argument, a text", entries[i].quoted);
    if (flag) flags.push_back(*std::move(flag));
  }
  return flags;
}

std::map<std::string, std::string> SweepReader::Variables(const YamlNode& node,
                                                          const std::string& key) const {
  std::map<std::string, std::string> variables;
  if (node.kind != YamlNode::Kind::kMap) {
    problems.Found(node.line, key, Describe(node), "a mapping of variable names to texts");
    return variables;
  }
  for (const YamlMember& variable : node.members) {
    if (!IsVariableName(variable.key)) {
      problems.Found(variable.line, key, "the name " + Quoted(variable.key),
                     "letters, digits and \"_\", no digit first");
    } else if (auto value = ExpandedText(variable.value, key + "." + variable.key,
                                         "a text, \"\" for an empty one", true)) {
      variables[variable.key] = *std::move(value);
    }
  }
  return variables;
}

const std::vector<YamlNode>& SweepReader::Entries(const YamlNode& node, const std::string& key,
                                                  std::string_view allowed) const {
  static const std::vector<YamlNode> kNone;
  if (node.kind != YamlNode::Kind::kList) {
    problems.Found(node.line, key, Describe(node), allowed);
    return kNone;
  }
  if (node.items.size() > kMostEntries) {
    problems.Found(node.line, key, std::to_string(node.items.size()) + " entries",
                   "at most " + std::to_string(kMostEntries));
    return kNone;
  }
  return node.items;
}

}  // namespace bi_test::config
