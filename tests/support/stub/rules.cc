#include "support/stub/rules.h"

#include <utility>

#include "base/json_reader.h"
#include "bi_test/json.h"

namespace bi_test::stub {
namespace {

// Bytes of any kind in JSON text.
std::string Hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    out += kDigits[value >> 4];
    out += kDigits[value & 15];
  }
  return out;
}

std::string Unhex(const std::string& digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    out += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  }
  return out;
}

// Both directions visit the same fields, so that none can be forgotten in one of them.
template <typename RuleType, typename Visit>
void VisitFields(RuleType& rule, Visit visit) {
  visit("page", rule.page);
  visit("prompt", rule.prompt);
  visit("body_lacks", rule.body_lacks);
  visit("min_slots", rule.min_slots);
  visit("max_slots", rule.max_slots);
  visit("from", rule.from);
  visit("to", rule.to);
  visit("every", rule.every);
  visit("launch_from", rule.launch_from);
  visit("in_flight_from", rule.in_flight_from);
  visit("chats_from", rule.chats_from);
  visit("chats_to", rule.chats_to);
  visit("while_busy", rule.while_busy);
  visit("width_from", rule.width_from);
  visit("width_to", rule.width_to);
  visit("beside", rule.beside);
  visit("beside_others", rule.beside_others);
  visit("at_once", rule.at_once);
  visit("decode_calls", rule.decode_calls);
  visit("delay_ms", rule.delay_ms);
  visit("answer", rule.answer);
  visit("prompt_tokens", rule.prompt_tokens);
}

Json ToJson(int value) { return Json(static_cast<std::int64_t>(value)); }
Json ToJson(long long value) { return Json(static_cast<std::int64_t>(value)); }
Json ToJson(bool value) { return Json(value); }
Json ToJson(const std::string& value) { return Json(Hex(value)); }

void FromJson(const Json& json, long long& out) { out = *json.if_int64(); }
void FromJson(const Json& json, int& out) { out = static_cast<int>(*json.if_int64()); }
void FromJson(const Json& json, bool& out) { out = *json.if_bool(); }
void FromJson(const Json& json, std::string& out) { out = Unhex(*json.if_string()); }

void Replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

Act Send(std::string bytes) { return {.bytes = std::move(bytes)}; }
Act SendSlowly(std::string bytes, int piece, int pause_ms) {
  return {.bytes = std::move(bytes), .piece = piece, .pause_ms = pause_ms};
}
Act SendForever(std::string bytes, int pause_ms) {
  return {.bytes = std::move(bytes), .number = 0, .pause_ms = pause_ms};
}
Act SendTimes(std::string bytes, int times) { return {.bytes = std::move(bytes), .number = times}; }
Act Wait(int milliseconds) { return {.kind = Act::Kind::kWait, .number = milliseconds}; }
Act Log(std::string text) { return {.kind = Act::Kind::kLog, .bytes = std::move(text)}; }
Act Reset() { return {.kind = Act::Kind::kReset}; }
Act Hang() { return {.kind = Act::Kind::kHang}; }
Act Exit(int code) { return {.kind = Act::Kind::kExit, .number = code}; }
Act Raise(int signal) { return {.kind = Act::Kind::kRaise, .number = signal}; }

bool Rule::NeedsCompany() const {
  return width_from > 0 || width_to < 1'000'000 || !beside.empty() || beside_others;
}

bool Matches(const Rule& rule, const Asked& asked) {
  if (!rule.prompt.empty() && rule.prompt != asked.prompt) return false;
  const int ordinal = rule.prompt.empty() ? asked.ordinal : asked.ordinal_same;
  const auto within = [](int value, int from, int to) { return value >= from && value <= to; };
  return within(asked.slots, rule.min_slots, rule.max_slots) &&
         within(ordinal, rule.from, rule.to) && ordinal % rule.every == 0 &&
         asked.launch >= rule.launch_from && asked.in_flight >= rule.in_flight_from &&
         within(asked.chats, rule.chats_from, rule.chats_to) &&
         (!rule.while_busy || asked.in_flight > 0) &&
         (rule.body_lacks.empty() || asked.body.find(rule.body_lacks) == std::string::npos);
}

bool Matches(const Rule& rule, const Company& company, const std::string& prompt) {
  if (company.widest < rule.width_from || company.widest > rule.width_to) return false;
  if (!rule.beside.empty() && !company.prompts.contains(rule.beside)) return false;
  const std::size_t same = company.prompts.count(prompt);
  return !rule.beside_others || company.prompts.size() > same;
}

std::string RulesText(const std::vector<Rule>& rules) {
  Json::Array out;
  for (const Rule& rule : rules) {
    Json json = Json::Object{};
    VisitFields(rule, [&json](const char* name, const auto& value) { json[name] = ToJson(value); });
    Json::Array acts;
    for (const Act& act : rule.acts) {
      acts.push_back(Json::Object{{"kind", ToJson(static_cast<int>(act.kind))},
                                  {"bytes", ToJson(act.bytes)},
                                  {"number", ToJson(act.number)},
                                  {"piece", ToJson(act.piece)},
                                  {"pause_ms", ToJson(act.pause_ms)}});
    }
    json["acts"] = std::move(acts);
    out.push_back(std::move(json));
  }
  return CompactText(Json(std::move(out)));
}

Result<std::vector<Rule>> ReadRules(const std::string& text) {
  const Result<Json> parsed = ParseJson(text);
  if (!parsed.ok()) return parsed.error();
  std::vector<Rule> rules;
  for (const Json& json : *parsed->if_array()) {
    Rule rule;
    VisitFields(rule,
                [&json](const char* name, auto& value) { FromJson(*json.Find(name), value); });
    for (const Json& item : *json.Find("acts")->if_array()) {
      Act act;
      int kind = 0;
      FromJson(*item.Find("kind"), kind);
      act.kind = static_cast<Act::Kind>(kind);
      FromJson(*item.Find("bytes"), act.bytes);
      FromJson(*item.Find("number"), act.number);
      FromJson(*item.Find("piece"), act.piece);
      FromJson(*item.Find("pause_ms"), act.pause_ms);
      rule.acts.push_back(std::move(act));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::string ShortPrompt(const std::string& prompt) {
  const std::size_t first = prompt.find(' ');
  if (first == std::string::npos) return prompt;
  return prompt.substr(0, prompt.find(' ', first + 1));
}

std::string FillIn(std::string text, const std::string& prompt, int slot) {
  const std::string number = prompt.starts_with("ask ") ? prompt.substr(4) : "";
  Replace(text, "{i}", number);
  Replace(text, "{slot}", std::to_string(slot));
  const std::size_t body = text.find("\r\n\r\n");
  if (body != std::string::npos) {
    const std::size_t at = text.find("{length}");
    if (at < body) {
      text.replace(at, 8, std::to_string(text.size() - body - 4));
    }
  }
  return text;
}

}  // namespace bi_test::stub
