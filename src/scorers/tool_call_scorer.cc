#include "base/equality.h"
#include "scorers/answer_json.h"
#include "scorers/built_in_scorers.h"
#include "scorers/json_subset.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

enum class Arguments { kEqual, kSubset, kIgnore };

Arguments ArgumentsOf(const std::string& word) {
  if (word == "equal") return Arguments::kEqual;
  return word == "subset" ? Arguments::kSubset : Arguments::kIgnore;
}

/// A call as `{"arguments", "name"}`, of either the OpenAI form or that short one. Arguments that
/// are JSON in a text become that JSON; a text that is none stays.
Json PlainCall(const Json& call) {
  const Json* function = call.Find("function");
  const Json& source = function != nullptr && function->is_object() ? *function : call;
  const Json* name = source.Find("name");
  const Json* arguments = source.Find("arguments");
  Json out;
  out["name"] = name == nullptr ? Json() : *name;
  out["arguments"] = arguments == nullptr ? Json(Json::Object{}) : *arguments;
  if (const std::string* text = out["arguments"].if_string()) {
    std::optional<Json> value = ReadWholeJson(*text);
    if (value)
      out["arguments"] = *std::move(value);
    else if (text->empty())
      out["arguments"] = Json::Object{};
  }
  return out;
}

Json::Array PlainCalls(const Json& calls) {
  Json::Array out;
  if (const Json::Array* list = calls.if_array()) {
    for (const Json& call : *list) out.push_back(PlainCall(call));
  } else if (calls.is_object()) {
    out.push_back(PlainCall(calls));
  }
  return out;
}

class ToolCallScorer final : public TextScorer {
 public:
  explicit ToolCallScorer(const Json& options)
      : TextScorer("tool_call", "1"), arguments_(ArgumentsOf(TextOption(options, "arguments"))) {}

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view,
                                                         const ScorerItem& item) const override {
    const Json::Array calls = PlainCalls(item.tool_calls);
    if (calls.empty()) return std::nullopt;
    return CompactText(Json(calls));
  }
  /// A reply that calls a tool mostly has no text at all.
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view response,
                                                std::optional<std::int64_t> completion_tokens,
                                                const std::optional<std::string>& extracted,
                                                const ScorerItem& item) const override {
    if (extracted) return "ok";
    return TextScorer::ClassifyFailureMode(response, completion_tokens, extracted, item);
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view,
                             const Json& expected_answer, const ScorerItem& item) const override {
    const std::string* text = expected_answer.if_string();
    const std::optional<Json> parsed = text == nullptr ? std::nullopt : ReadWholeJson(*text);
    const Json::Array wanted = PlainCalls(parsed ? *parsed : expected_answer);
    const Json::Array calls = PlainCalls(item.tool_calls);
    if (wanted.empty() || wanted.size() != calls.size()) return 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!Matches(calls[i], wanted[i])) return 0.0;
    }
    return 1.0;
  }

 private:
  bool Matches(const Json& call, const Json& wanted) const {
    if (!EqualValues(*call.Find("name"), *wanted.Find("name"))) return false;
    const Json& found = *call.Find("arguments");
    switch (arguments_) {
      case Arguments::kEqual:
        return EqualValues(found, *wanted.Find("arguments"));
      case Arguments::kSubset:
        return HoldsJson(found, *wanted.Find("arguments"));
      case Arguments::kIgnore:
        return true;
    }
    return false;
  }

  const Arguments arguments_;
};

}  // namespace

BuiltInScorer ToolCallScorerKind() {
  return {"tool_call", {Word("arguments", {"equal", "subset", "ignore"})}, [](const Json& options) {
            return MakeShared<ToolCallScorer>(options);
          }};
}

}  // namespace bi_test
