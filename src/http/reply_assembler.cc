#include "http/reply_assembler.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "base/safe_text.h"
#include "base/sax.h"
#include "base/surrogates.h"

namespace bi_test::http {
namespace {

using Pool = rapidjson::MemoryPoolAllocator<rapidjson::CrtAllocator>;
using Value = rapidjson::GenericValue<rapidjson::UTF8<>, Pool>;
using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, rapidjson::CrtAllocator>;

constexpr std::size_t kPoolBytes = 16u << 10;  // one event of a stream, without going to the heap
constexpr std::size_t kMaxToolCalls = 1024;
constexpr std::size_t kMaxErrorText = 2048;
constexpr double kNoLogprob =
    -9999.0;  // How vLLM writes "none"; a margin to it would be no margin.

std::string_view View(const Value& text) { return {text.GetString(), text.GetStringLength()}; }

const char* KindOf(const Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return "a boolean";
    case rapidjson::kObjectType:
      return "an object";
    case rapidjson::kArrayType:
      return "an array";
    case rapidjson::kStringType:
      return "a text";
    case rapidjson::kNumberType:
      return "a number";
  }
  return "something";
}

std::optional<std::int64_t> AsInteger(const Value* value) {
  constexpr double kTwoTo53 = 9007199254740992.0;
  if (value == nullptr) return std::nullopt;
  if (value->IsInt64()) return value->GetInt64();
  if (value->IsDouble()) {
    const double number = value->GetDouble();
    if (std::fabs(number) <= kTwoTo53 && std::trunc(number) == number) {
      return static_cast<std::int64_t>(number);
    }
  }
  return std::nullopt;
}

std::optional<double> AsNumber(const Value* value) {
  if (value == nullptr || !value->IsNumber()) return std::nullopt;
  return value->GetDouble();
}

template <typename T>
void Keep(std::optional<T>& target, std::optional<T> value) {
  if (value) target = std::move(value);
}

/// Depth is bounded by the parser.
Json ToJson(const Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return {};
    case rapidjson::kFalseType:
      return false;
    case rapidjson::kTrueType:
      return true;
    case rapidjson::kStringType:
      return View(value);
    case rapidjson::kNumberType:
      if (value.IsInt64()) return value.GetInt64();
      if (value.IsUint64()) return value.GetUint64();
      return value.GetDouble();
    case rapidjson::kArrayType: {
      Json::Array array;
      for (const Value& element : value.GetArray()) array.push_back(ToJson(element));
      return array;
    }
    case rapidjson::kObjectType: {
      Json::Object object;
      for (const auto& member : value.GetObject()) {
        object.emplace(View(member.name), ToJson(member.value));
      }
      return object;
    }
  }
  return {};
}

/// Feeds RapidJSON's document from ParseSax.
class DocumentHandler {
 public:
  explicit DocumentHandler(Document& document) : document_(document) {}
  bool Null() { return document_.Null(); }
  bool Bool(bool value) { return document_.Bool(value); }
  bool Integer(std::int64_t value) { return document_.Int64(value); }
  bool Unsigned(std::uint64_t value) { return document_.Uint64(value); }
  bool Double(double value) { return document_.Double(value); }
  bool BigInteger(std::string_view, double nearest) { return document_.Double(nearest); }
  bool String(std::string_view text) {
    return document_.String(text.data(), Size(text.size()), true);
  }
  bool Key(std::string_view key) { return document_.Key(key.data(), Size(key.size()), true); }
  bool StartObject() { return document_.StartObject(); }
  bool EndObject(std::size_t members) { return document_.EndObject(Size(members)); }
  bool StartArray() { return document_.StartArray(); }
  bool EndArray(std::size_t elements) { return document_.EndArray(Size(elements)); }
  [[nodiscard]] std::string Why() const { return "out of memory"; }

 private:
  static rapidjson::SizeType Size(std::size_t size) {
    return static_cast<rapidjson::SizeType>(size);
  }
  Document& document_;
};

struct ToolCall {
  std::string type;
  std::string name;
  std::string arguments;
  Json other_arguments;  ///< When they came as something else than text.
};

/// The two best of some log-probabilities.
struct TopTwo {
  double best = -std::numeric_limits<double>::infinity();
  double second = -std::numeric_limits<double>::infinity();

  void Take(std::optional<double> logprob) {
    if (!logprob || *logprob <= kNoLogprob) return;
    if (*logprob > best) {
      second = std::exchange(best, *logprob);
    } else if (*logprob > second) {
      second = *logprob;
    }
  }
  [[nodiscard]] std::optional<double> Margin() const {
    if (second == -std::numeric_limits<double>::infinity()) return std::nullopt;
    return best - second;
  }
};

}  // namespace

struct ReplyAssembler::State {
  explicit State(std::size_t max) : max_tokens(max), pool(pool_bytes.data(), pool_bytes.size()) {}

  std::size_t max_tokens;
  std::vector<char> pool_bytes = std::vector<char>(kPoolBytes);
  Pool pool;
  std::optional<Fault> fault;

  ChatReply reply;
  bool saw_output = false;
  bool saw_choice = false;
  std::map<std::int64_t, ToolCall> tool_calls;
  std::vector<std::int64_t> sent_ids, entry_ids;
  std::vector<double> logprobs, margins;
  std::size_t n_entries = 0;
  bool saw_sent_ids = false;
  std::optional<std::int64_t> usage_cached, timed_cached, timed_prompt, timed_predicted;

  bool Refuse(ReplyFault::Kind kind, std::string text) {
    if (!fault) fault = Fault{kind, std::move(text), std::nullopt};
    return false;
  }
  bool Malformed(std::string text) { return Refuse(ReplyFault::Kind::kMalformed, std::move(text)); }
  bool WrongKind(const char* where, const Value& found, const char* expected) {
    return Malformed(std::string(where) + ": found " + KindOf(found) + ", expected " + expected);
  }

  /// The member of that name unless it is null or missing. A key given twice is a fault: which of
  /// the two counts would be a guess.
  const Value* Member(const Value& object, std::string_view key) {
    const Value* found = nullptr;
    bool seen = false;
    for (const auto& member : object.GetObject()) {
      if (View(member.name) != key) continue;
      if (seen) {
        Malformed("the key " + Quoted(key) + " stands twice in one object");
        return nullptr;
      }
      seen = true;
      if (!member.value.IsNull()) found = &member.value;
    }
    return found;
  }

  std::optional<std::string> TextMember(const Value& object, std::string_view key) {
    const Value* value = Member(object, key);
    if (value == nullptr || !value->IsString()) return std::nullopt;
    return std::string(View(*value));
  }

  void TakeDocument(const Value& root, bool streamed);
  bool TakeError(const Value& root);
  void TakeFigures(const Value& root);
  bool TakeChoice(const Value& choice, bool streamed);
  bool TakeMessage(const Value& message, const char* where);
  bool AppendContent(const Value& content, const char* where);
  bool TakeToolCalls(const Value& calls);
  bool TakeTokenIds(const Value& holder);
  bool TakeText(const Value& text);
  bool TakeLogprobs(const Value& logprobs_object);
  bool TakeTextLogprobs(const Value& logprobs_object, const Value& chosen);
  std::optional<std::int64_t> EntryId(const Value& entry);
  std::optional<std::int64_t> IdInText(const Value* token);
  void TakeMargin(const Value& entry);
  bool CountTokens(std::size_t count);
};

bool ReplyAssembler::State::TakeError(const Value& root) {
  const Value* error = Member(root, "error");
  if (error != nullptr && error->IsFalse()) error = nullptr;
  if (error == nullptr) {
    const Value* object = Member(root, "object");
    if (object == nullptr || !object->IsString() || View(*object) != "error") return true;
    error = &root;
  }
  std::string text;
  if (error->IsString()) {
    text = Printable(View(*error), kMaxErrorText);
  } else if (error->IsObject()) {
    text = Printable(TextMember(*error, "message").value_or("no message"), kMaxErrorText);
    if (const auto type = TextMember(*error, "type")) text += ", type " + Printable(*type, 80);
    const Value* code = Member(*error, "code");
    if (const auto number = AsInteger(code)) {
      text += ", code " + std::to_string(*number);
    } else if (code != nullptr && code->IsString()) {
      text += ", code " + Printable(View(*code), 80);
    }
  } else {
    text = KindOf(*error);
  }
  fault.reset();  // an error outweighs a key given twice inside it
  return Refuse(ReplyFault::Kind::kErrorObject, "the server sent an error: " + text);
}

void ReplyAssembler::State::TakeFigures(const Value& root) {
  Keep(reply.model, TextMember(root, "model"));
  Keep(reply.system_fingerprint, TextMember(root, "system_fingerprint"));
  const auto take_slot = [&](const Value& object) {
    const auto slot = AsInteger(Member(object, "id_slot"));
    if (slot && *slot >= 0) reply.slot = slot;
    const Value* truncated = Member(object, "truncated");
    if (truncated != nullptr && truncated->IsTrue()) reply.truncated = true;
  };
  take_slot(root);
  const Value* verbose = Member(root, "__verbose");
  if (verbose != nullptr && verbose->IsObject()) take_slot(*verbose);

  const Value* usage = Member(root, "usage");
  if (usage != nullptr && usage->IsObject()) {
    Keep(reply.prompt_tokens, AsInteger(Member(*usage, "prompt_tokens")));
    Keep(reply.completion_tokens, AsInteger(Member(*usage, "completion_tokens")));
    const Value* details = Member(*usage, "prompt_tokens_details");
    if (details != nullptr && details->IsObject()) {
      Keep(usage_cached, AsInteger(Member(*details, "cached_tokens")));
    }
  }
  const Value* timings = Member(root, "timings");
  if (timings != nullptr && timings->IsObject()) {
    Keep(reply.prompt_ms, AsNumber(Member(*timings, "prompt_ms")));
    Keep(reply.predicted_ms, AsNumber(Member(*timings, "predicted_ms")));
    Keep(timed_cached, AsInteger(Member(*timings, "cache_n")));
    Keep(timed_prompt, AsInteger(Member(*timings, "prompt_n")));
    Keep(timed_predicted, AsInteger(Member(*timings, "predicted_n")));
  }
}

bool ReplyAssembler::State::AppendContent(const Value& content, const char* where) {
  if (content.IsString()) {
    reply.content += View(content);
    saw_output = saw_output || content.GetStringLength() > 0;
    return true;
  }
  if (!content.IsArray()) return WrongKind(where, content, "a text, null or an array of parts");
  for (const Value& part : content.GetArray()) {
    if (!part.IsObject()) return WrongKind(where, part, "a part that is an object");
    const Value* text = Member(part, "text");
    if (text == nullptr || !text->IsString()) continue;
    reply.content += View(*text);
    saw_output = saw_output || text->GetStringLength() > 0;
  }
  return true;
}

bool ReplyAssembler::State::TakeToolCalls(const Value& calls) {
  if (!calls.IsArray()) return WrongKind("tool_calls", calls, "an array or null");
  std::int64_t position = 0;
  for (const Value& call : calls.GetArray()) {
    if (!call.IsObject()) return WrongKind("tool_calls", call, "an element that is an object");
    const std::int64_t index = AsInteger(Member(call, "index")).value_or(position++);
    if (tool_calls.size() >= kMaxToolCalls && tool_calls.count(index) == 0) {
      return Refuse(ReplyFault::Kind::kTooLarge,
                    "more than " + std::to_string(kMaxToolCalls) + " tool calls");
    }
    ToolCall& joined = tool_calls[index];
    saw_output = true;
    if (const auto type = TextMember(call, "type")) joined.type = *type;
    const Value* function = Member(call, "function");
    if (function == nullptr) continue;
    if (!function->IsObject()) return WrongKind("tool_calls.function", *function, "an object");
    joined.name += TextMember(*function, "name").value_or("");
    const Value* arguments = Member(*function, "arguments");
    if (arguments == nullptr) continue;
    if (arguments->IsString()) {
      joined.arguments += View(*arguments);
    } else {
      joined.other_arguments = ToJson(*arguments);
    }
  }
  return true;
}

bool ReplyAssembler::State::CountTokens(std::size_t count) {
  if (count <= max_tokens) return true;
  return Refuse(ReplyFault::Kind::kTooManyTokens,
                "more than " + std::to_string(max_tokens) + " tokens");
}

bool ReplyAssembler::State::TakeTokenIds(const Value& holder) {
  const Value* ids = Member(holder, "token_ids");
  if (ids == nullptr) return true;
  if (!ids->IsArray()) return WrongKind("token_ids", *ids, "an array or null");
  saw_sent_ids = true;
  for (const Value& id : ids->GetArray()) {
    const auto number = AsInteger(&id);
    if (!number) return WrongKind("token_ids", id, "whole numbers");
    sent_ids.push_back(*number);
    saw_output = true;
  }
  return CountTokens(sent_ids.size());
}

/// The id of a log-probability entry: a number of its own, or the token's text when that is
/// `token_id:17`, as vLLM writes it on request.
std::optional<std::int64_t> ReplyAssembler::State::EntryId(const Value& entry) {
  for (const char* key : {"id", "token_id"}) {
    if (const auto id = AsInteger(Member(entry, key))) return id;
  }
  return IdInText(Member(entry, "token"));
}

std::optional<std::int64_t> ReplyAssembler::State::IdInText(const Value* token) {
  if (token == nullptr || !token->IsString()) return std::nullopt;
  std::string_view digits = View(*token);
  constexpr std::string_view kPrefix = "token_id:";
  if (!digits.starts_with(kPrefix)) return std::nullopt;
  digits.remove_prefix(kPrefix.size());
  std::int64_t id = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  if (failure != std::errc() || end != digits.data() + digits.size() || id < 0) return std::nullopt;
  return id;
}

void ReplyAssembler::State::TakeMargin(const Value& entry) {
  const Value* alternatives = Member(entry, "top_logprobs");
  if (alternatives == nullptr || !alternatives->IsArray()) return;
  TopTwo top;
  for (const Value& alternative : alternatives->GetArray()) {
    if (!alternative.IsObject()) return;
    top.Take(AsNumber(Member(alternative, "logprob")));
  }
  if (const auto margin = top.Margin()) margins.push_back(*margin);
}

bool ReplyAssembler::State::TakeLogprobs(const Value& object) {
  if (!object.IsObject()) return WrongKind("logprobs", object, "an object or null");
  if (const Value* chosen = Member(object, "token_logprobs")) {
    return TakeTextLogprobs(object, *chosen);
  }
  const Value* content = Member(object, "content");
  if (content == nullptr) return true;
  if (!content->IsArray()) return WrongKind("logprobs.content", *content, "an array or null");
  for (const Value& entry : content->GetArray()) {
    if (!entry.IsObject())
      return WrongKind("logprobs.content", entry, "an element that is an object");
    ++n_entries;
    saw_output = true;
    const Value* logprob = Member(entry, "logprob");
    if (logprob != nullptr && !logprob->IsNumber()) {
      return WrongKind("logprobs.content.logprob", *logprob, "a number or null");
    }
    if (const auto number = AsNumber(logprob)) logprobs.push_back(*number);
    if (const auto id = EntryId(entry)) entry_ids.push_back(*id);
    TakeMargin(entry);
  }
  return CountTokens(n_entries);
}

/// The form of text completions: arrays side by side in place of one array of entries.
bool ReplyAssembler::State::TakeTextLogprobs(const Value& object, const Value& chosen) {
  if (!chosen.IsArray()) return WrongKind("logprobs.token_logprobs", chosen, "an array or null");
  const Value* tokens = Member(object, "tokens");
  const Value* best = Member(object, "top_logprobs");
  for (rapidjson::SizeType i = 0; i < chosen.Size(); ++i) {
    ++n_entries;
    saw_output = true;
    const Value& logprob = chosen[i];
    if (!logprob.IsNumber() && !logprob.IsNull()) {
      return WrongKind("logprobs.token_logprobs", logprob, "numbers or null");
    }
    if (const auto number = AsNumber(&logprob)) logprobs.push_back(*number);
    if (tokens != nullptr && tokens->IsArray() && i < tokens->Size()) {
      if (const auto id = IdInText(&(*tokens)[i])) entry_ids.push_back(*id);
    }
    if (best == nullptr || !best->IsArray() || i >= best->Size() || !(*best)[i].IsObject())
      continue;
    TopTwo top;
    for (const auto& alternative : (*best)[i].GetObject()) top.Take(AsNumber(&alternative.value));
    if (const auto margin = top.Margin()) margins.push_back(*margin);
  }
  return CountTokens(n_entries);
}

bool ReplyAssembler::State::TakeText(const Value& text) {
  if (!text.IsString()) return WrongKind("choices[0].text", text, "a text or null");
  reply.content += View(text);
  saw_output = saw_output || text.GetStringLength() > 0;
  return true;
}

bool ReplyAssembler::State::TakeMessage(const Value& message, const char* where) {
  if (!message.IsObject()) return WrongKind(where, message, "an object");
  const std::string content_key = std::string(where) + ".content";
  const Value* content = Member(message, "content");
  if (content != nullptr && !AppendContent(*content, content_key.c_str())) return false;
  const Value* reasoning = Member(message, "reasoning_content");
  if (reasoning == nullptr) reasoning = Member(message, "reasoning");
  if (reasoning != nullptr) {
    if (!reasoning->IsString()) return WrongKind("reasoning_content", *reasoning, "a text or null");
    if (!reply.reasoning_content) reply.reasoning_content.emplace();
    *reply.reasoning_content += View(*reasoning);
    saw_output = saw_output || reasoning->GetStringLength() > 0;
  }
  const Value* calls = Member(message, "tool_calls");
  if (calls != nullptr && !TakeToolCalls(*calls)) return false;
  return TakeTokenIds(message);
}

bool ReplyAssembler::State::TakeChoice(const Value& choice, bool streamed) {
  if (!choice.IsObject()) return WrongKind("choices[0]", choice, "an object");
  const Value* index = Member(choice, "index");
  if (streamed && index != nullptr && AsInteger(index) != 0) return true;  // another answer
  saw_choice = true;

  const Value* message = Member(choice, streamed ? "delta" : "message");
  const char* where = streamed ? "choices[0].delta" : "choices[0].message";
  const Value* text = Member(choice, "text");  // Of a text completion, streamed or not.
  if (message != nullptr) {
    if (!TakeMessage(*message, where)) return false;
  } else if (text != nullptr) {
    if (!TakeText(*text)) return false;
  } else if (!streamed) {
    return Malformed("choices[0].message: missing, expected an object");
  }
  if (const Value* reason = Member(choice, "finish_reason")) {
    if (!reason->IsString()) return WrongKind("finish_reason", *reason, "a text or null");
    reply.finish_reason = View(*reason);
  }
  if (!TakeTokenIds(choice)) return false;
  const Value* object = Member(choice, "logprobs");
  return object == nullptr || TakeLogprobs(*object);
}

void ReplyAssembler::State::TakeDocument(const Value& root, bool streamed) {
  if (!root.IsObject()) {
    WrongKind("the reply", root, "an object");
    return;
  }
  if (!TakeError(root)) return;
  TakeFigures(root);
  const Value* choices = Member(root, "choices");
  if (choices == nullptr) {
    if (!streamed) Malformed("choices: missing, expected an array with at least one element");
    return;
  }
  if (!choices->IsArray() || (choices->Empty() && !streamed)) {
    Malformed(std::string("choices: found ") +
              (choices->IsArray() ? "an empty array" : KindOf(*choices)) +
              ", expected an array with at least one element");
    return;
  }
  for (const Value& choice : choices->GetArray()) {
    if (!TakeChoice(choice, streamed)) return;
    if (!streamed) return;  // a plain body: the first one is the answer
  }
}

ReplyAssembler::ReplyAssembler(std::size_t max_tokens)
    : state_(std::make_unique<State>(max_tokens)) {}
ReplyAssembler::~ReplyAssembler() = default;
ReplyAssembler::ReplyAssembler(ReplyAssembler&&) noexcept = default;
ReplyAssembler& ReplyAssembler::operator=(ReplyAssembler&&) noexcept = default;

std::optional<ReplyAssembler::Fault> ReplyAssembler::Take(std::string_view json, bool streamed) {
  State& state = *state_;
  SaxOptions options;
  options.tolerate_broken_text = true;
  const auto parse_and_take = [&](std::string_view text) {
    state.pool.Clear();
    rapidjson::CrtAllocator heap;
    Document document(&state.pool, 512, &heap);
    DocumentHandler handler(document);
    std::optional<SaxFault> fault;
    auto generate = [&](Document&) {
      std::size_t end = 0;
      fault = ParseSaxOnce<0>(text, options, handler, end);
      return !fault;
    };
    document.Populate(generate);
    if (!fault) state.TakeDocument(document, streamed);
    return fault;
  };
  std::optional<SaxFault> fault = parse_and_take(json);
  if (fault && fault->kind == SaxFault::Kind::kLoneSurrogate) {
    fault = parse_and_take(ReplaceLoneSurrogateEscapes(json));
    if (fault) fault->offset = OffsetBeforeReplacement(json, fault->offset);
  }
  if (fault) return Fault{ReplyFault::Kind::kMalformed, fault->what, fault->offset};
  return state.fault;
}

bool ReplyAssembler::saw_output() const { return state_->saw_output; }
bool ReplyAssembler::saw_choice() const { return state_->saw_choice; }
bool ReplyAssembler::saw_finish_reason() const { return state_->reply.finish_reason.has_value(); }

ChatReply ReplyAssembler::Finish() {
  State& state = *state_;
  ChatReply& reply = state.reply;
  JoinSurrogatePairs(reply.content);
  if (reply.reasoning_content) JoinSurrogatePairs(*reply.reasoning_content);

  if (!state.tool_calls.empty()) {
    Json::Array calls;
    for (auto& [index, call] : state.tool_calls) {
      JoinSurrogatePairs(call.arguments);
      Json function;
      function["name"] = call.name;
      function["arguments"] =
          call.other_arguments.is_null() ? Json(call.arguments) : std::move(call.other_arguments);
      Json joined;
      if (!call.type.empty()) joined["type"] = call.type;
      joined["function"] = std::move(function);
      calls.push_back(std::move(joined));
    }
    reply.tool_calls = std::move(calls);
  }

  if (state.saw_sent_ids) {
    reply.token_ids = std::move(state.sent_ids);
  } else if (state.n_entries > 0 && state.entry_ids.size() == state.n_entries) {
    reply.token_ids = std::move(state.entry_ids);
  }
  if (state.n_entries > 0 && state.logprobs.size() == state.n_entries) {
    reply.logprobs = std::move(state.logprobs);
  }
  if (state.n_entries > 0 && state.margins.size() == state.n_entries) {
    reply.margins = std::move(state.margins);
  }

  if (!reply.prompt_tokens && state.timed_prompt) {
    reply.prompt_tokens = *state.timed_prompt + state.timed_cached.value_or(0);
  }
  if (!reply.completion_tokens) reply.completion_tokens = state.timed_predicted;
  reply.cached_tokens = std::max(state.usage_cached, state.timed_cached);
  return std::move(reply);
}

}  // namespace bi_test::http
