#include "spark/answer_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "base/trim.h"
#include "spark/answer_text.h"
#include "spark/code_score.h"
#include "spark/family.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

// Far above any answer; keeps the time of every rule bounded.
constexpr std::size_t kMostBytes = kAnswerLimits.max_bytes;
constexpr double kSameDouble = 1e-9;
constexpr double kProseAround = 0.1;

enum class Rule { kSecret, kNumber, kReport, kCodes, kObject, kCall, kCode, kHelper };

std::optional<Rule> RuleOf(std::string_view family) {
  if (family == "A2") return Rule::kSecret;
  if (family == "A4" || family == "B1" || family == "C1") return Rule::kNumber;
  if (family == "D1") return Rule::kReport;
  if (family == "E1") return Rule::kCodes;
  if (family == "E2") return Rule::kObject;
  if (family == "E3") return Rule::kCall;
  if (family == "E4") return Rule::kCode;
  if (family == "E5") return Rule::kHelper;
  return std::nullopt;
}

// As printed with that many decimals and read back: correctly rounded, whatever the machine.
double Rounded(double value, int decimals) {
  const std::string text = FixedText(value, decimals);
  double out = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

double Share(std::size_t hits, std::size_t all) {
  return static_cast<double>(hits) / static_cast<double>(all);
}

std::string TextOf(const Json& value) {
  const std::string* text = value.if_string();
  return text != nullptr ? *text : CompactText(value);
}

// An integer, or a text that is nothing but one.
std::optional<std::int64_t> IntegerOf(const Json& gold) {
  if (const std::int64_t* number = gold.if_int64()) return *number;
  const std::string* text = gold.if_string();
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = Trim(*text);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::vector<std::string> HelpersIn(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view helper : HelperPool()) {
    if (HasWord(text, helper)) found.emplace_back(helper);
  }
  return found;
}

bool SameValue(const Json& found, const Json& gold) {
  if (const double* wanted = gold.if_double()) {
    const double* real = found.if_double();
    const std::int64_t* whole = found.if_int64();
    if (real == nullptr && whole == nullptr) return false;
    const double value = real != nullptr ? *real : static_cast<double>(*whole);
    return std::fabs(value - *wanted) <= kSameDouble;
  }
  return found == gold;  // By type: 5.0 is not 5, true is not 1.
}

std::size_t CountSame(const Json& found, const Json::Object& gold) {
  return static_cast<std::size_t>(std::ranges::count_if(gold, [&found](const auto& member) {
    const Json* value = found.Find(member.first);
    return value != nullptr && SameValue(*value, member.second);
  }));
}

// The fact of one key of D1: a date as a date, a number as a number, all else as words.
bool StatesFact(std::string_view text, const std::string& wanted) {
  if (const std::optional<std::int64_t> number = IntegerOf(Json(wanted))) {
    return std::ranges::any_of(FindIntegers(text), [&number](const FoundInteger& integer) {
      return integer.value == *number;
    });
  }
  if (const std::vector<CalendarDay> dates = FindDates(wanted); dates.size() == 1) {
    const std::vector<CalendarDay> found = FindDates(text);
    return std::ranges::find(found, dates.front()) != found.end();
  }
  return HasWord(LowerAscii(text), Normalised(wanted));
}

double ScoreReport(std::string_view text, const Json::Object& gold) {
  std::size_t hits = 0;
  for (const auto& [key, value] : gold) {
    if (!value.is_null() && StatesFact(text, TextOf(value))) ++hits;
  }
  return gold.empty() ? 0.0 : Rounded(Share(hits, gold.size()), 2);
}

// The facts it names, in a spelling that does not depend on how it names them.
std::optional<std::string> FactsIn(std::string_view text) {
  std::vector<std::string> facts;
  const std::string lower = LowerAscii(text);
  for (const std::string_view inspector : InspectorPool()) {
    if (HasWord(lower, LowerAscii(inspector))) facts.emplace_back(inspector);
  }
  for (const CalendarDay& date : FindDates(text)) {
    facts.push_back(std::to_string(date.year) + '-' + std::to_string(date.month) + '-' +
                    std::to_string(date.day));
  }
  for (const FoundInteger& integer : FindIntegers(text)) {
    facts.push_back(std::to_string(integer.value));
  }
  if (facts.empty()) return std::nullopt;
  return JoinedWords(facts);
}

double ScoreCodes(std::string_view text, const Json::Array& gold) {
  const std::vector<std::string> codes = FindCodes(text);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < std::min(codes.size(), gold.size()); ++i) {
    if (Json(codes[i]) == gold[i]) ++hits;
  }
  return gold.empty() ? 0.0 : Share(hits, gold.size());
}

double ScoreObject(std::string_view text, const Json::Object& gold) {
  const FoundJson found = FindObject(text);
  if (found.state != LeadingJson::State::kFound) return 0.0;
  const std::size_t keys = std::max(gold.size(), found.value.if_object()->size());
  const double share = keys == 0 ? 1.0 : Share(CountSame(found.value, gold), keys);
  const bool alone = Trim(text).size() == found.inside.size();
  return alone ? share : std::max(0.0, share - kProseAround);
}

double ScoreCall(std::string_view text, const Json& gold) {
  const FoundJson found = FindObject(text);
  if (found.state != LeadingJson::State::kFound) return 0.0;
  const Json* wanted = gold.Find("arguments");
  const Json::Object* arguments = wanted == nullptr ? nullptr : wanted->if_object();
  double share = 1.0;
  if (arguments != nullptr && !arguments->empty()) {
    const Json* given = found.value.Find("arguments");
    share = given == nullptr ? 0.0 : Share(CountSame(*given, *arguments), arguments->size());
  }
  const Json* name = gold.Find("name");
  const Json* called = found.value.Find("name");
  const bool same_name =
      name == nullptr || name->is_null() || (called != nullptr && *called == *name);
  return same_name ? share : std::min(share, 0.49) * 0.5;
}

std::optional<std::string> CallText(const Json& object) {
  Json out;
  for (const char* key : {"arguments", "name"}) {
    const Json* value = object.Find(key);
    out[key] = value == nullptr ? Json() : *value;
  }
  return CompactText(out);
}

ReadAnswer ReadObject(std::string_view text, Rule rule) {
  const FoundJson found = FindObject(text);
  if (found.state != LeadingJson::State::kFound) return {{}, AnswerFault::kNoValidJson};
  return {rule == Rule::kCall ? CallText(found.value) : CompactText(found.value)};
}

std::optional<std::string> JoinedOrNothing(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  return JoinedWords(words);
}

Error WrongGold(std::string_view family, std::string_view allowed) {
  return Error{
      ErrorCode::kInvalidFile,
      "the expected answer of family " + std::string(family) + " has to be " + std::string(allowed),
      "expected_answer"};
}

}  // namespace

bool HasRule(std::string_view family) { return RuleOf(family).has_value(); }

ReadAnswer ReadByRule(std::string_view family, std::string_view text) {
  text = text.substr(0, kMostBytes);
  const Rule rule = *RuleOf(family);
  switch (rule) {
    case Rule::kSecret:
      return {JoinedOrNothing(FindCodes(FirstLine(text)))};
    case Rule::kNumber: {
      const std::optional<std::int64_t> number = AnswerInteger(text);
      if (!number) return {};
      return {std::to_string(*number)};
    }
    case Rule::kReport:
      return {FactsIn(text)};
    case Rule::kCodes:
      return {JoinedOrNothing(FindCodes(text))};
    case Rule::kObject:
    case Rule::kCall:
      return ReadObject(text, rule);
    case Rule::kCode:
      return {ExtractCode(text)};
    case Rule::kHelper:
      return {JoinedOrNothing(HelpersIn(text))};
  }
  return {};
}

double ScoreByRule(std::string_view family, std::string_view text, const Json& gold) {
  text = text.substr(0, kMostBytes);
  switch (*RuleOf(family)) {
    case Rule::kSecret: {
      const std::vector<std::string> codes = FindCodes(FirstLine(text));
      return codes.size() == 1 && Json(codes[0]) == gold ? 1.0 : 0.0;
    }
    case Rule::kNumber:
      return AnswerInteger(text).has_value() && AnswerInteger(text) == IntegerOf(gold) ? 1.0 : 0.0;
    case Rule::kReport:
      return ScoreReport(text, *gold.if_object());
    case Rule::kCodes:
      return Rounded(ScoreCodes(text, *gold.if_array()), 4);
    case Rule::kObject:
      return Rounded(ScoreObject(text, *gold.if_object()), 4);
    case Rule::kCall:
      return Rounded(ScoreCall(text, gold), 4);
    case Rule::kCode:
      return Rounded(ScoreCode(ExtractCode(text), *gold.if_string()), 4);
    case Rule::kHelper: {
      const std::vector<std::string> names = HelpersIn(text);
      return names.size() == 1 && Json(names[0]) == gold ? 1.0 : 0.0;
    }
  }
  return 0.0;
}

Status CheckGold(std::string_view family, const Json& gold) {
  const std::optional<Rule> rule = RuleOf(family);
  if (!rule) return {};
  switch (*rule) {
    case Rule::kSecret: {
      const std::string* text = gold.if_string();
      if (text != nullptr && FindCodes(*text) == std::vector{*text}) return {};
      return WrongGold(family, "a code, eight characters of A-Z and 0-9");
    }
    case Rule::kNumber:
      if (IntegerOf(gold)) return {};
      return WrongGold(family, "an integer, or a text that is one");
    case Rule::kReport:
    case Rule::kObject:
      if (gold.is_object()) return {};
      return WrongGold(family, "an object");
    case Rule::kCall: {
      const Json* arguments = gold.Find("arguments");
      const bool usable = gold.is_object() &&
                          (arguments == nullptr || arguments->is_null() || arguments->is_object());
      if (usable) return {};
      return WrongGold(family, "an object with a name, and arguments that are an object");
    }
    case Rule::kCodes: {
      const Json::Array* codes = gold.if_array();
      const auto is_code = [](const Json& value) {
        const std::string* text = value.if_string();
        return text != nullptr && FindCodes(*text) == std::vector{*text};
      };
      if (codes != nullptr && !codes->empty() && std::ranges::all_of(*codes, is_code)) return {};
      return WrongGold(family, "a list of codes, each eight characters of A-Z and 0-9");
    }
    case Rule::kCode:
      if (gold.is_string() && !Trim(*gold.if_string()).empty()) return {};
      return WrongGold(family, "the source of a function");
    case Rule::kHelper: {
      const std::string* text = gold.if_string();
      if (text != nullptr && std::ranges::find(HelperPool(), *text) != HelperPool().end())
        return {};
      return WrongGold(family, "one of the function names of the profile");
    }
  }
  return {};
}

}  // namespace bi_test::spark
