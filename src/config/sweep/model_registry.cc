#include "config/sweep/model_registry.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/try.h"
#include "config/sweep/flag_list.h"
#include "config/sweep/kv_profiles.h"
#include "config/yaml/section.h"
#include "config/yaml/text_file.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

constexpr YamlLimits kLimits{std::size_t{1} << 20, 16};
constexpr std::size_t kMostModels = 1'000;
constexpr std::size_t kMostFlags = 1'000;
constexpr std::string_view kPlaceholder = "{MODELS_DIR}";
constexpr std::string_view kAliasAllowed =
    "an alias of 1 to 64 letters, digits, \".\", \"_\" and \"-\"";
constexpr std::string_view kFlagsAllowed = "a list of texts, one argument each";
constexpr std::string_view kModelsAllowed = "a list of models";

bool IsAlias(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '.' || c == '_' || c == '-';
  });
}

class RegistryReader {
 public:
  RegistryReader(const fs::path& file, const Environment& env, FileProblems& problems)
      : file_(file), env_(env), problems_(problems) {}

  ModelRegistry Read(const YamlNode& root) {
    out_.file = file_;
    const Section top(&root, "", {"version", "defaults", "models"}, problems_);
    if (root.kind != YamlNode::Kind::kMap) return std::move(out_);
    top.Require("version", "1");
    top.Require("models", kModelsAllowed);
    int version = 1;
    top.Read("version", version, 1, 1);
    ReadDefaults(top.Find("defaults"));
    if (const YamlNode* models = top.Find("models")) ReadModels(*models);
    return std::move(out_);
  }

 private:
  void ReadDefaults(const YamlNode* node) {
    const Section section(node, "defaults", {"server_bin", "server_flags"}, problems_);
    default_bin_ = Program(section);
    default_flags_ = Flags(section);
  }

  void ReadModels(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::kList) {
      problems_.Found(node.line, "models", Describe(node), kModelsAllowed);
      return;
    }
    if (node.items.empty() || node.items.size() > kMostModels) {
      problems_.Found(node.line, "models", std::to_string(node.items.size()) + " models",
                      "1 to " + std::to_string(kMostModels) + " models");
      return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      ReadModel(node.items[i], "models[" + std::to_string(i) + "]");
    }
  }

  void ReadModel(const YamlNode& node, const std::string& key) {
    const Section section(
        &node, key, {"alias", "gguf", "kv", "server_bin", "server_flags", "sha256", "dense_smoke"},
        problems_);
    if (node.kind != YamlNode::Kind::kMap) return;
    section.Require("alias", kAliasAllowed);
    section.Require("gguf", "the path of a weight file");
    RegistryModel model;
    model.line = node.line;
    ReadAlias(section, model);
    if (const auto path = Path(section, "gguf", "the path of a weight file")) {
      model.gguf = (file_.parent_path() / *path).lexically_normal();
    }
    model.server_bin = Program(section);
    if (model.server_bin.empty()) model.server_bin = default_bin_;
    model.flags = MergedFlags(default_flags_, Flags(section));
    ReadKv(section, model);
    ReadDigest(section, model);
    section.Read("dense_smoke", model.dense_smoke);
    out_.models.push_back(std::move(model));
  }

  void ReadAlias(const Section& section, RegistryModel& model) {
    if (section.Find("alias") == nullptr) return;
    const ScalarReader scalar = section.Reader("alias");
    const auto alias = scalar.Text(kAliasAllowed);
    if (!alias) return;
    if (!IsAlias(*alias)) {
      scalar.Refuse(kAliasAllowed);
    } else if (const RegistryModel* same = out_.Find(*alias)) {
      problems_.Found(section.LineOf("alias"), section.PathOf("alias"),
                      Quoted(*alias) + " a second time",
                      "each alias once, the first is on line " + std::to_string(same->line));
    } else {
      model.alias = *alias;
    }
  }

  // Only the one placeholder, and nothing of a shell: a registry is shared between machines.
  std::optional<std::string> Path(const Section& section, std::string_view key,
                                  std::string_view allowed) {
    if (section.Find(key) == nullptr) return std::nullopt;
    const auto text = section.Reader(key).Text(allowed);
    if (!text) return std::nullopt;
    const auto variable = env_.find("MODELS_DIR");
    std::string out;
    std::string_view rest = *text;
    while (!rest.empty()) {
      const std::size_t at = rest.find('{');
      out += rest.substr(0, at);
      if (at == rest.npos) break;
      rest.remove_prefix(at);
      if (!rest.starts_with(kPlaceholder)) {
        problems_.Found(section.LineOf(key), section.PathOf(key), Quoted(*text),
                        "no \"{\" but that of {MODELS_DIR}");
        return std::nullopt;
      }
      if (variable == env_.end() || variable->second.empty()) {
        problems_.Found(section.LineOf(key), section.PathOf(key),
                        "{MODELS_DIR}, and the environment variable MODELS_DIR is not set",
                        "a variable that is set");
        return std::nullopt;
      }
      out += variable->second;
      rest.remove_prefix(kPlaceholder.size());
    }
    return out;
  }

  // A name stays a name, which is looked for in PATH; a path starts at the registry's folder.
  std::string Program(const Section& section) {
    const auto text = Path(section, "server_bin", "the path or name of a program");
    if (!text) return {};
    if (text->find('/') == text->npos) return *text;
    return (file_.parent_path() / *text).lexically_normal().string();
  }

  std::vector<std::string> Flags(const Section& section) {
    const YamlNode* node = section.Find("server_flags");
    std::vector<std::string> flags;
    if (node == nullptr) return flags;
    const std::string key = section.PathOf("server_flags");
    if (node->kind != YamlNode::Kind::kList) {
      problems_.Found(node->line, key, Describe(*node), kFlagsAllowed);
      return flags;
    }
    if (node->items.size() > kMostFlags) {
      problems_.Found(node->line, key, std::to_string(node->items.size()) + " arguments",
                      "at most " + std::to_string(kMostFlags));
      return flags;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      const YamlNode& item = node->items[i];
      const std::string item_key = key + "[" + std::to_string(i) + "]";
      const auto flag = ScalarReader(item, item_key, problems_).Text("one argument, a text");
      if (!flag) continue;
      if (IsReservedFlag(*flag)) {
        problems_.Found(item.line, item_key, Quoted(*flag),
                        "no flag that bi_test sets itself (model, host, port, context, slots)");
      } else if (flag->starts_with('-') && flag->find(' ') < flag->find('=')) {
        problems_.Found(item.line, item_key, Quoted(*flag),
                        "one argument per entry (write the flag and its value as two entries)");
      } else {
        flags.push_back(*flag);
      }
    }
    return flags;
  }

  // What the table is asked for and what the server is told have to be one thing.
  void ReadKv(const Section& section, RegistryModel& model) {
    const auto keys = LastFlagValue(model.flags, "cache-type-k");
    const auto values = LastFlagValue(model.flags, "cache-type-v");
    if (section.Find("kv") != nullptr) {
      model.kv = section.Reader("kv").Word(LlamaKvLabels());
      if (!model.kv) return;
    } else if (keys) {
      model.kv = *keys;
    } else if (values) {
      model.kv = *values;
    }
    for (const auto& [flag, value] :
         {std::pair("--cache-type-k", keys), std::pair("--cache-type-v", values)}) {
      if (!value || value == model.kv) continue;
      problems_.Found(section.LineOf("kv"), section.PathOf("kv"), Quoted(*model.kv),
                      "the type of " + std::string(flag) + ", which is " + Quoted(*value));
      return;
    }
  }

  void ReadDigest(const Section& section, RegistryModel& model) {
    constexpr std::string_view kAllowed = "a SHA-256, 64 hex digits";
    if (section.Find("sha256") == nullptr) return;
    const auto text = section.Reader("sha256").Text(kAllowed);
    if (!text) return;
    const std::string digest = LowerText(*text);
    if (digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == digest.npos) {
      model.sha256 = digest;
    } else {
      section.Reader("sha256").Refuse(kAllowed);
    }
  }

  const fs::path& file_;
  const Environment& env_;
  FileProblems& problems_;
  std::string default_bin_;
  std::vector<std::string> default_flags_;
  ModelRegistry out_;
};

}  // namespace

const RegistryModel* ModelRegistry::Find(std::string_view alias) const {
  const auto it = std::ranges::find(models, alias, &RegistryModel::alias);
  return it == models.end() ? nullptr : &*it;
}

std::vector<std::string> ModelRegistry::Aliases() const {
  std::vector<std::string> out;
  for (const RegistryModel& model : models) out.push_back(model.alias);
  return out;
}

ModelRegistry ReadModelRegistry(std::string_view text, const fs::path& file, const Environment& env,
                                FileProblems& problems) {
  YamlNode root;
  if (!ParseYaml(text, kLimits, root, problems)) return {};
  return RegistryReader(file, env, problems).Read(root);
}

Result<ModelRegistry> LoadModelRegistry(const fs::path& file, const Environment& env) {
  BI_TRY_SET(
      const std::string text,
      ReadTextFile(file, kLimits.max_bytes,
                   "a model registry (copy samples/spark/models.yaml of bi_test there and write "
                   "your models into it)"));
  FileProblems problems;
  std::error_code error;
  ModelRegistry registry = ReadModelRegistry(text, fs::absolute(file, error), env, problems);
  if (!problems.empty()) return problems.ToError(file.string());
  return registry;
}

}  // namespace bi_test::config
