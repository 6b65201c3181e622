#include "server/llama_cpp_flags.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "server/text.h"

namespace bi_test::server {
namespace {

struct Forbidden {
  std::vector<std::string_view> names;
  const char* why;
};

const std::vector<Forbidden>& ForbiddenFlags() {
  static const std::vector<Forbidden> flags = {
      {{"-m", "--model", "-mu", "--model-url", "-hf", "-hfr", "--hf-repo", "-hff", "--hf-file",
        "-dr", "--docker-repo", "--models-dir", "--models-preset", "--models-max",
        "--models-autoload", "--no-models-autoload"},
       "the model comes from `models:` of the sweep file"},
      {{"--host", "--port", "--reuse-port", "--api-prefix", "--ssl-key-file", "--ssl-cert-file"},
       "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
      {{"--api-key", "--api-key-file"}, "bi_test makes a new key for each launch"},
      {{"-np", "--parallel"}, "the number of slots comes from `parallel:` of the sweep file"},
      {{"-c", "--ctx-size"}, "the context comes from `ctx:` of the sweep file"},
      {{"-kvu", "--kv-unified", "-no-kvu", "--no-kv-unified", "--kv-unified-per-slot"},
       "a shared KV pool would take the promised context away from the slots"},
      {{"--slots", "--no-slots", "--metrics", "--no-metrics"},
       "slot listing and metrics are the proof of batching and always on"},
      {{"--cache-prompt", "--no-cache-prompt", "-cram", "--cache-ram", "--cache-reuse",
        "--cache-idle-slots"},
       "prompt caches are always off: they change results without any batching"},
      {{"--offline", "--ui", "--no-ui", "--webui", "--no-webui"}, "bi_test always sets it"},
      {{"-h", "--help", "--usage", "--version", "-cl", "--cache-list", "--list-devices",
        "--completion-bash"},
       "it makes the server print something and exit"},
      {{"--embedding", "--embeddings", "--rerank", "--reranking"},
       "such a server does not answer chats"},
      {{"--log-disable"}, "the log is needed to say why a server ended"},
  };
  return flags;
}

// `--Ctx_size=1` and `--ctx-size` are the same flag to llama.cpp: it turns `_` into `-`.
std::string Normal(std::string_view flag) {
  if (!flag.starts_with('-')) return {};
  std::string name(flag.substr(0, flag.find('=')));
  if (name.starts_with("--")) std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

struct Written {
  std::string text;
  std::string where;
};

std::vector<Written> AllFlags(const LaunchSpec& spec) {
  std::vector<Written> flags;
  for (std::size_t i = 0; i < spec.server->flags.size(); ++i) {
    flags.push_back({spec.server->flags[i], "server.flags[" + std::to_string(i) + "]"});
  }
  for (std::size_t i = 0; i < spec.model->flags.size(); ++i) {
    flags.push_back(
        {spec.model->flags[i], "models." + spec.model->id + ".flags[" + std::to_string(i) + "]"});
  }
  return flags;
}

Error Refused(const Written& flag, const std::string& message) {
  std::string text = "`";
  text.append(Printable(flag.text)).append("`: ").append(message);
  return Error{ErrorCode::kRefused, std::move(text), flag.where};
}

// The value of the flag at `index`: after `=`, or the next element.
std::optional<std::string> ValueAt(const std::vector<Written>& flags, std::size_t index) {
  const std::string& text = flags[index].text;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    return text.substr(equals + 1);
  }
  if (index + 1 < flags.size()) return flags[index + 1].text;
  return std::nullopt;
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<Error> CheckValue(const std::vector<Written>& flags, std::size_t index,
                                const std::string& name, const LaunchSpec& spec) {
  const Written& flag = flags[index];
  const std::optional<std::string> value = ValueAt(flags, index);
  if (name == "-ctk" || name == "--cache-type-k" || name == "-ctv" || name == "--cache-type-v") {
    if (value && Lower(*value) == Lower(spec.model->kv)) return std::nullopt;
    return Refused(flag, "found cache type `" + Printable(value.value_or("")) +
                             "`, but `kv` of model " + spec.model->id + " says " + spec.model->kv +
                             "; write the type as `kv:` and remove the flag");
  }
  if (name == "-b" || name == "--batch-size" || name == "-ub" || name == "--ubatch-size") {
    int size = 0;
    const std::string digits = value.value_or("");
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (failure != std::errc() || end != digits.data() + digits.size() || size < 1) {
      return Refused(flag, "found `" + Printable(digits) + "`, expected a batch size of 1 or more");
    }
    if (size < spec.slots) {
      return Refused(flag, "a batch of " + std::to_string(size) +
                               " cannot hold one token of each of " + std::to_string(spec.slots) +
                               " slots, so that nothing would be batched; use at least " +
                               std::to_string(spec.slots));
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> CheckedUserFlags(const LaunchSpec& spec) {
  const std::vector<Written> flags = AllFlags(spec);
  std::vector<std::string> checked;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const Written& flag = flags[i];
    if (flag.text.empty()) return Refused(flag, "an empty flag; remove it");
    if (flag.text.find('\0') != std::string::npos) return Refused(flag, "it holds a zero byte");
    const std::string name = Normal(flag.text);
    for (const Forbidden& group : ForbiddenFlags()) {
      if (std::find(group.names.begin(), group.names.end(), name) != group.names.end()) {
        return Refused(flag, std::string(group.why) + "; remove the flag");
      }
    }
    if (std::optional<Error> wrong = CheckValue(flags, i, name, spec)) return *wrong;
    checked.push_back(flag.text);
  }
  return checked;
}

bool HasFlag(const std::vector<std::string>& flags, const std::vector<std::string>& names) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) {
    return std::find(names.begin(), names.end(), Normal(flag)) != names.end();
  });
}

}  // namespace bi_test::server
