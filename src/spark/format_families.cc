#include <array>
#include <string>
#include <utility>

#include "spark/family.h"

// Questions that ask for one JSON object and nothing else.
namespace bi_test::spark {
namespace {

constexpr std::array<std::string_view, 7> kStates = {"queued", "running", "paused", "blocked",
                                                     "failed", "done",    "skipped"};
constexpr std::array<std::string_view, 6> kCities = {"Oslo",  "Lima",  "Cairo",
                                                     "Perth", "Quito", "Kyoto"};
constexpr std::array<std::string_view, 2> kUnits = {"celsius", "fahrenheit"};
constexpr std::array<std::string_view, 5> kTopics = {"budget", "hiring", "roadmap", "safety",
                                                     "training"};
constexpr std::array<std::string_view, 5> kCurrencies = {"CHF", "EUR", "GBP", "JPY", "USD"};

struct Call {
  std::string name;
  Json arguments;
  Json schema;
  std::string request;
};

Call DrawCall(Random& random) {
  Call call;
  switch (random.Below(3)) {
    case 0: {
      const std::string city(random.Pick(kCities));
      const std::string unit(random.Pick(kUnits));
      call.name = "get_weather";
      call.schema["city"] = "string";
      call.schema["unit"] = "string";
      call.arguments["city"] = city;
      call.arguments["unit"] = unit;
      call.request = "Tell me the weather in " + city + ", in degrees " + unit + ".";
      break;
    }
    case 1: {
      const int attendees = random.Between(2, 40);
      const std::string topic(random.Pick(kTopics));
      call.name = "book_meeting";
      call.schema["attendees"] = "integer";
      call.schema["topic"] = "string";
      call.arguments["attendees"] = attendees;
      call.arguments["topic"] = topic;
      call.request =
          "Book a meeting about " + topic + " for " + std::to_string(attendees) + " people.";
      break;
    }
    default: {
      const int amount = random.Between(1, 9999);
      const std::string currency(random.Pick(kCurrencies));
      call.name = "convert_currency";
      call.schema["amount"] = "integer";
      call.schema["currency"] = "string";
      call.arguments["amount"] = amount;
      call.arguments["currency"] = currency;
      call.request = "Convert " + std::to_string(amount) + " to " + currency + ".";
      break;
    }
  }
  return call;
}

}  // namespace

Question DrawRecord(Random& random, std::uint64_t) {
  const int a = random.Between(1, 999);
  const std::string b(random.Pick(kStates));
  const bool c = random.Below(2) == 1;
  Question out;
  out.needles = {"In the record of the job the field a is " + std::to_string(a) +
                 ", the field b is " + b + " and the field c is " + (c ? "true" : "false") + "."};
  out.question =
      "What does the record of the job say? Reply with one JSON object and nothing else: exactly "
      "the "
      "keys a (integer), b (string) and c (boolean), no prose, no code fence.";
  out.cue = "JSON:";
  out.gold["a"] = a;
  out.gold["b"] = b;
  out.gold["c"] = c;
  out.terms = {std::to_string(a), "record", "job", "field", "true", "false"};
  for (const std::string_view state : kStates) out.terms.emplace_back(state);
  return out;
}

Question DrawToolCall(Random& random, std::uint64_t) {
  Call call = DrawCall(random);
  Question out;
  // Comments, because they stand among code.
  out.needles = {"# tool: " + call.name + "\n# arguments: " + CompactText(call.schema) +
                 "\n# request of the user: " + call.request};
  out.question =
      "Which call of the tool does the request of the user need? Reply with one JSON object and "
      "nothing "
      "else, with the keys name and arguments.";
  out.cue = "Call:";
  out.terms = {call.name, "tool", "request"};
  for (const auto& [key, value] : *call.arguments.if_object()) {
    out.terms.push_back(key);
    const std::string* text = value.if_string();
    out.terms.push_back(text != nullptr ? *text : CompactText(value));
  }
  out.gold["name"] = std::move(call.name);
  out.gold["arguments"] = std::move(call.arguments);
  out.gold["schema"] = std::move(call.schema);
  return out;
}

}  // namespace bi_test::spark
