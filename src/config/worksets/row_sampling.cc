#include "config/worksets/row_sampling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/safe_text.h"
#include "base/utf8.h"
#include "config/name_match.h"
#include "config/yaml/file_problems.h"

namespace bi_test::config {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000;
constexpr std::int64_t kMostSeed = INT32_MAX;
constexpr std::size_t kMostStops = 16;
constexpr std::size_t kMostStopBytes = 256;
constexpr std::size_t kMostBiases = 1024;
constexpr double kMostBias = 100.0;
constexpr std::size_t kMostTools = 128;
constexpr std::size_t kMostName = 64;

const std::vector<std::string>& Keys() {
  static const std::vector<std::string> keys = {
      "max_tokens",  "seed",    "stop",  "logit_bias",  "response_format",
      "json_schema", "grammar", "tools", "tool_choice", "parallel_tool_calls"};
  return keys;
}

struct Refusal {
  std::vector<std::string_view> keys;
  const char* allowed;
};

// What people will try, and why it cannot be had.
const std::vector<Refusal>& Refusals() {
  static const std::vector<Refusal> refusals = {
      {{"temperature", "dynatemp_range", "dynatemp_exponent", "top_k", "top_p", "top_a",
        "top_n_sigma", "min_p", "typical_p", "xtc_probability", "xtc_threshold", "mirostat",
        "mirostat_tau", "mirostat_eta", "samplers", "do_sample", "use_beam_search"},
       "no randomness: every request is greedy, because with random sampling the serial answers "
       "would differ already"},
      {{"presence_penalty", "frequency_penalty", "repetition_penalty", "repeat_penalty",
        "repeat_last_n", "dry_multiplier", "dry_base", "dry_allowed_length",
        "no_repeat_ngram_size"},
       "no penalties: they are off in every request, and not every server applies them to a greedy "
       "one"},
      {{"n", "best_of", "stream", "stream_options"}, "one streamed answer per request"},
      {{"cache_prompt"},
       "no prompt caches: they are off in every arm, because they change results without any "
       "batching"},
      {{"n_probs", "logprobs", "top_logprobs", "prompt_logprobs"},
       "the same for all rows: run.n_probs of the sweep file asks for log-probabilities"},
      {{"ignore_eos", "min_tokens"}, "the same for all rows: run.ignore_eos of the sweep file"},
      {{"messages", "prompt", "item", "completion", "system"},
       "a key of the row itself, beside sampling"},
      {{"id_slot"}, "the slot that the server chooses"},
      {{"n_predict", "max_completion_tokens", "max_new_tokens"},
       "max_tokens, which every kind of server knows"},
  };
  return refusals;
}

bool IsText(const Json& value, std::size_t max_bytes) {
  const std::string* text = value.if_string();
  return text != nullptr && !text->empty() && text->size() <= max_bytes && !FindInvalidUtf8(*text);
}

bool IsFunctionName(const Json* value) {
  const std::string* text = value == nullptr ? nullptr : value->if_string();
  return text != nullptr && !text->empty() && text->size() <= kMostName &&
         text->find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == text->npos;
}

/// Whether an object has no keys but these.
bool HasOnly(const Json& object, std::initializer_list<std::string_view> keys) {
  return std::ranges::all_of(*object.if_object(), [&](const auto& member) {
    return std::ranges::find(keys, member.first) != keys.end();
  });
}

class SamplingReader {
 public:
  SamplingReader(const Json& json, bool completion, const SamplingProblem& problem)
      : json_(json), completion_(completion), problem_(problem) {}

  Json Read() {
    if (!json_.is_object()) {
      Problem("", json_, "a mapping of " + Joined(Keys()));
      return {};
    }
    CheckKeys();
    ReadInteger("max_tokens", 1, kMostTokens);
    ReadInteger("seed", 0, kMostSeed);
    ReadStop();
    ReadLogitBias();
    ReadGrammar();
    ReadSchema();
    ReadResponseFormat();
    ReadTools();
    ReadToolChoice();
    ReadParallelToolCalls();
    CheckTogether();
    return out_.empty() ? Json() : Json(std::move(out_));
  }

 private:
  void Problem(const std::string& key, const Json& found, const std::string& allowed) {
    problem_(key, Found(found), allowed);
  }

  const Json* Value(std::string_view key) const {
    const Json* value = json_.Find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  void CheckKeys() {
    for (const auto& [key, value] : *json_.if_object()) {
      if (std::ranges::find(Keys(), key) != Keys().end()) continue;
      const auto refusal = std::ranges::find_if(Refusals(), [&name = key](const Refusal& each) {
        return std::ranges::find(each.keys, name) != each.keys.end();
      });
      if (refusal != Refusals().end()) {
        Problem(key, value, refusal->allowed);
        continue;
      }
      problem_(std::string(ClipUtf8(key, 80)), "an unknown key",
               Joined(Keys()) + DidYouMean(key, Keys()));
    }
  }

  void ReadInteger(const std::string& key, std::int64_t min, std::int64_t max) {
    const Json* value = Value(key);
    if (value == nullptr) return;
    const std::int64_t* number = value->if_int64();
    if (number != nullptr && *number >= min && *number <= max) {
      out_[key] = *number;
    } else {
      Problem(key, *value, "an integer from " + std::to_string(min) + " to " + std::to_string(max));
    }
  }

  void ReadStop() {
    const Json* value = Value("stop");
    if (value == nullptr) return;
    const Json::Array one = {*value};
    const Json::Array& stops = value->is_array() ? *value->if_array() : one;
    if (stops.empty() || stops.size() > kMostStops) {
      problem_("stop", std::to_string(stops.size()) + " texts", "1 to 16 texts");
      return;
    }
    for (std::size_t i = 0; i < stops.size(); ++i) {
      if (IsText(stops[i], kMostStopBytes)) continue;
      Problem(value->is_array() ? "stop[" + std::to_string(i) + "]" : "stop", stops[i],
              "a text of 1 to 256 bytes");
      return;
    }
    out_["stop"] = stops;
  }

  void ReadLogitBias() {
    constexpr const char* kAllowed =
        "1 to 1024 members, each the id of a token with a number from -100 to 100";
    const Json* value = Value("logit_bias");
    if (value == nullptr) return;
    const Json::Object* biases = value->if_object();
    if (biases == nullptr || biases->empty() || biases->size() > kMostBiases) {
      problem_("logit_bias",
               biases == nullptr ? Found(*value) : std::to_string(biases->size()) + " members",
               kAllowed);
      return;
    }
    Json::Object out;
    for (const auto& [token, bias] : *biases) {
      std::int32_t id = -1;
      const char* const end = token.data() + token.size();
      const auto [rest, failure] = std::from_chars(token.data(), end, id);
      // One spelling per token, or the same token could have two biases.
      const bool plain =
          failure == std::errc() && rest == end && id >= 0 && token == std::to_string(id);
      const double* real = bias.if_double();
      const std::int64_t* whole = bias.if_int64();
      const double number = real != nullptr ? *real : whole != nullptr ? double(*whole) : NAN;
      if (!plain) {
        problem_("logit_bias", "the token " + Quoted(token), kAllowed);
        return;
      }
      if (!(std::fabs(number) <= kMostBias)) {  // also true for NaN
        Problem("logit_bias." + token, bias, "a number from -100 to 100");
        return;
      }
      out[token] = number + 0.0;
    }
    out_["logit_bias"] = std::move(out);
  }

  void ReadGrammar() {
    const Json* value = Value("grammar");
    if (value == nullptr) return;
    if (IsText(*value, std::size_t{1} << 20)) {
      out_["grammar"] = *value;
    } else {
      Problem("grammar", *value, "a GBNF grammar, a text that is not empty");
    }
  }

  void ReadSchema() {
    const Json* value = Value("json_schema");
    if (value == nullptr) return;
    if (value->is_object()) {
      out_["json_schema"] = *value;
    } else {
      Problem("json_schema", *value, "a JSON schema, a mapping");
    }
  }

  void ReadResponseFormat() {
    constexpr const char* kAllowed =
        "{type: text}, {type: json_object}, or {type: json_schema, json_schema: {name: ..., "
        "schema: {...}}}";
    const Json* value = Value("response_format");
    if (value == nullptr) return;
    const Json* type = value->Find("type");
    const std::string name = type == nullptr || !type->is_string() ? "" : *type->if_string();
    bool fits = false;
    if (name == "text" || name == "json_object") {
      fits = HasOnly(*value, {"type"});
    } else if (name == "json_schema") {
      const Json* holder = value->Find("json_schema");
      fits = HasOnly(*value, {"type", "json_schema"}) && holder != nullptr && holder->is_object() &&
             HasOnly(*holder, {"name", "description", "schema", "strict"}) &&
             IsFunctionName(holder->Find("name")) && holder->Find("schema") != nullptr &&
             holder->Find("schema")->is_object() &&
             (holder->Find("strict") == nullptr || holder->Find("strict")->is_bool());
    }
    if (fits) {
      out_["response_format"] = *value;
    } else {
      Problem("response_format", type == nullptr ? *value : *type, kAllowed);
    }
  }

  void ReadTools() {
    constexpr const char* kAllowed =
        "{type: function, function: {name: ..., description: ..., parameters: {...}}}";
    const Json* value = Value("tools");
    if (value == nullptr) return;
    const Json::Array* tools = value->if_array();
    if (tools == nullptr || tools->empty() || tools->size() > kMostTools) {
      problem_("tools", tools == nullptr ? Found(*value) : std::to_string(tools->size()) + " tools",
               "a list of 1 to 128 tools");
      return;
    }
    for (std::size_t i = 0; i < tools->size(); ++i) {
      const std::string key = "tools[" + std::to_string(i) + "]";
      const Json& tool = (*tools)[i];
      const Json* type = tool.Find("type");
      const Json* function = tool.Find("function");
      const Json* name = function == nullptr ? nullptr : function->Find("name");
      const Json* text = function == nullptr ? nullptr : function->Find("description");
      const Json* parameters = function == nullptr ? nullptr : function->Find("parameters");
      const bool fits = tool.is_object() && HasOnly(tool, {"type", "function"}) &&
                        type != nullptr && *type == Json("function") && function != nullptr &&
                        function->is_object() &&
                        HasOnly(*function, {"name", "description", "parameters", "strict"}) &&
                        IsFunctionName(name) && (text == nullptr || text->is_string()) &&
                        (parameters == nullptr || parameters->is_object());
      if (!fits) {
        Problem(key, tool, kAllowed);
        return;
      }
      if (!names_.insert(*name->if_string()).second) {
        problem_(key, "a second tool named " + Quoted(*name->if_string()), "one tool of each name");
        return;
      }
    }
    out_["tools"] = *value;
  }

  void ReadToolChoice() {
    const Json* value = Value("tool_choice");
    if (value == nullptr) return;
    const Json* function = value->Find("function");
    const Json* name = function == nullptr ? nullptr : function->Find("name");
    const bool word = value->is_string() && (*value == Json("auto") || *value == Json("none") ||
                                             *value == Json("required"));
    const bool named = value->is_object() && HasOnly(*value, {"type", "function"}) &&
                       value->Find("type") != nullptr && *value->Find("type") == Json("function") &&
                       name != nullptr && name->is_string() && HasOnly(*function, {"name"}) &&
                       names_.contains(*name->if_string());
    if (word || named) {
      out_["tool_choice"] = *value;
    } else {
      Problem("tool_choice", name == nullptr ? *value : *name,
              "auto, none, required, or {type: function, function: {name: one of tools}}");
    }
  }

  void ReadParallelToolCalls() {
    const Json* value = Value("parallel_tool_calls");
    if (value == nullptr) return;
    if (value->is_bool()) {
      out_["parallel_tool_calls"] = *value;
    } else {
      Problem("parallel_tool_calls", *value, "true or false");
    }
  }

  /// What cannot stand together. Each server would take another one of the two.
  void CheckTogether() {
    std::string shapes;
    int count = 0;
    for (const char* key : {"grammar", "json_schema", "response_format"}) {
      if (Value(key) == nullptr) continue;
      shapes += (shapes.empty() ? "" : " and ") + std::string(key);
      ++count;
    }
    if (count > 1) problem_("", shapes, "one of grammar, json_schema, response_format");
    if (Value("tools") == nullptr) {
      for (const char* key : {"tool_choice", "parallel_tool_calls"}) {
        if (Value(key) != nullptr) problem_(key, "no tools beside it", "with tools only");
      }
    } else if (completion_) {
      problem_("tools", "tools of a plain completion", "with item or messages only");
    } else if (count > 0) {
      problem_("tools", shapes + " beside tools", "either tools or a shape of the answer");
    }
  }

  const Json& json_;
  const bool completion_;
  const SamplingProblem& problem_;
  Json::Object out_;
  std::set<std::string> names_;  // Of the tools.
};

}  // namespace

std::string Found(const Json& value) {
  if (const std::string* text = value.if_string()) return Quoted(*text);
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return CompactText(value);
}

Json ReadSampling(const Json& sampling, bool completion, const SamplingProblem& problem) {
  return SamplingReader(sampling, completion, problem).Read();
}

int MaxTokens(const WorksetRow& row, const RunConfig& run) {
  const Json* own = row.sampling.Find("max_tokens");
  return own == nullptr ? run.max_tokens : static_cast<int>(*own->if_int64());
}

}  // namespace bi_test::config
