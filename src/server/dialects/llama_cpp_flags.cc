#include "server/dialects/llama_cpp_flags.h"

#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include "process/text.h"
#include "server/dialects/user_flags.h"

namespace bi_test::server {
namespace {

const std::vector<ForbiddenFlags>& Forbidden() {
  static const std::vector<ForbiddenFlags> flags = {
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

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<Error> CheckValue(const std::vector<UserFlag>& flags, std::size_t index,
                                const LaunchSpec& spec) {
  const UserFlag& flag = flags[index];
  const std::string& name = flag.name;
  const std::optional<std::string> value = FlagValue(flags, index);
  if (name == "-ctk" || name == "--cache-type-k" || name == "-ctv" || name == "--cache-type-v") {
    if (value && Lower(*value) == Lower(spec.model->kv)) return std::nullopt;
    return FlagRefused(flag, "found cache type `" + process::Printable(value.value_or("")) +
                                 "`, but `kv` of model " + spec.model->id + " says " +
                                 spec.model->kv + "; write the type as `kv:` and remove the flag");
  }
  if (name == "-b" || name == "--batch-size" || name == "-ub" || name == "--ubatch-size") {
    int size = 0;
    const std::string digits = value.value_or("");
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (failure != std::errc() || end != digits.data() + digits.size() || size < 1) {
      return FlagRefused(
          flag, "found `" + process::Printable(digits) + "`, expected a batch size of 1 or more");
    }
    if (size < spec.slots) {
      return FlagRefused(flag, "a batch of " + std::to_string(size) +
                                   " cannot hold one token of each of " +
                                   std::to_string(spec.slots) +
                                   " slots, so that nothing would be batched; use at least " +
                                   std::to_string(spec.slots));
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> CheckedUserFlags(const LaunchSpec& spec) {
  const Result<std::vector<UserFlag>> flags = AllowedFlags(spec, Forbidden(), FlagStyle::kExact);
  if (!flags.ok()) return flags.error();
  for (std::size_t i = 0; i < flags->size(); ++i) {
    if (std::optional<Error> wrong = CheckValue(*flags, i, spec)) return *wrong;
  }
  return FlagTexts(*flags);
}

}  // namespace bi_test::server
