#include "config/sweep/kv_profiles.h"

#include <algorithm>
#include <string>

#include "base/try.h"
#include "config/yaml/section.h"
#include "config/yaml/text_file.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {
namespace {

constexpr YamlLimits kLimits{std::size_t{1} << 20, 16};
constexpr double kMostGib = 1e6;
constexpr int kMostTokens = 16'777'216;

void ReadAnchors(const YamlNode* node, FileProblems& problems, KvProfiles& out) {
  const std::vector<std::string> keys = {"kv_gb_at_full_ctx", "kv_ref_ctx",
                                         "per_server_overhead_gb", "hard_floor_gb", "hard_ctx_cap"};
  const Section section(node, "anchors", keys, problems);
  if (node->kind != YamlNode::Kind::kMap) return;
  for (const std::string& key : keys) section.Require(key, "a number");
  section.Read("kv_gb_at_full_ctx", out.table.kv_gib, 0.001, kMostGib);
  section.Read("kv_ref_ctx", out.table.reference_ctx, 256, kMostTokens);
  section.Read("per_server_overhead_gb", out.table.overhead_gib, 0.0, kMostGib);
  section.Read("hard_floor_gb", out.memory_floor_gib, 0.0, kMostGib);
  section.Read("hard_ctx_cap", out.max_ctx, 256, kMostTokens);
}

// For people; nothing reads it.
void ReadMeta(const YamlNode* node, FileProblems& problems) {
  const Section section(node, "meta", {"reference_model_class", "reference_host_class"}, problems);
  for (const char* key : {"reference_model_class", "reference_host_class"}) {
    if (section.Find(key) != nullptr) (void)section.Reader(key).Text("a text");
  }
}

void ReadFactors(const YamlNode& node, FileProblems& problems, KvTable& table) {
  const Section section(&node, "kv_factor", LlamaKvLabels(), problems);
  if (node.kind != YamlNode::Kind::kMap) return;
  section.Require("q8_0", "1.0, because all others are relative to it");
  table.factors.clear();
  for (const YamlMember& member : node.members) {
    const auto& known = LlamaKvLabels();
    if (std::ranges::find(known, member.key) == known.end()) continue;
    double factor = 1.0;
    section.Read(member.key, factor, 0.01, 100.0);
    table.factors[member.key] = factor;
  }
  if (const auto it = table.factors.find("q8_0"); it != table.factors.end() && it->second != 1.0) {
    section.Reader("q8_0").Refuse("1.0, because all others are relative to it");
  }
}

}  // namespace

const std::vector<std::string>& LlamaKvLabels() {
  static const std::vector<std::string> labels = {"f32",  "f16",  "bf16", "q8_0",  "q5_1",
                                                  "q5_0", "q4_1", "q4_0", "iq4_nl"};
  return labels;
}

KvProfiles ReadKvProfiles(std::string_view text, FileProblems& problems) {
  KvProfiles out;
  YamlNode root;
  if (!ParseYaml(text, kLimits, root, problems)) return out;
  const Section top(&root, "", {"version", "meta", "anchors", "kv_factor"}, problems);
  if (root.kind != YamlNode::Kind::kMap) return out;
  top.Require("version", "1");
  top.Require("anchors", "a mapping of the five anchors");
  top.Require("kv_factor", "a mapping of cache types to numbers");
  int version = 1;
  top.Read("version", version, 1, 1);
  ReadMeta(top.Find("meta"), problems);
  if (const YamlNode* anchors = top.Find("anchors")) ReadAnchors(anchors, problems, out);
  if (const YamlNode* factors = top.Find("kv_factor")) ReadFactors(*factors, problems, out.table);
  return out;
}

Result<KvProfiles> LoadKvProfiles(const std::filesystem::path& file) {
  BI_TRY_SET(const std::string text,
             ReadTextFile(file, kLimits.max_bytes,
                          "a KV table (samples/spark/kv_profiles.yaml of bi_test is one)"));
  FileProblems problems;
  const KvProfiles profiles = ReadKvProfiles(text, problems);
  if (!problems.empty()) return problems.ToError(file.string());
  return profiles;
}

}  // namespace bi_test::config
