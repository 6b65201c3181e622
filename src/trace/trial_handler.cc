#include "trace/trial_handler.h"

#include <climits>
#include <cmath>
#include <utility>

#include "base/safe_text.h"
#include "base/sax.h"
#include "trace/trace_json_writer.h"

namespace bi_test::trace {
namespace {

constexpr std::size_t kFirstColumnBit = 16;  // below are the bits of the other kinds of key
constexpr std::string_view kExpectedPass = "a whole number from 0 up";

}  // namespace

Json TextPool::Shared(std::string_view text) {
  const auto it = texts_.find(text);
  if (it != texts_.end()) return it->second;
  Json value(text);
  texts_.emplace(*value.if_string(), value);
  return value;
}

std::string FoundText(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (const std::string* text = value.if_string()) return Quoted(*text);
  std::string out;
  AppendTraceJson(out, value);
  return out;
}

std::optional<std::int64_t> WholeNumber(const Json& value) {
  constexpr double kTwoTo53 = 9007199254740992.0;
  if (const std::int64_t* integer = value.if_int64()) return *integer;
  const double* real = value.if_double();
  if (real != nullptr && std::fabs(*real) <= kTwoTo53 && std::trunc(*real) == *real) {
    return static_cast<std::int64_t>(*real);
  }
  return std::nullopt;
}

std::optional<Arm> ArmOf(const Json& value) {
  const std::string* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  if (*text == "A") return Arm::kA;
  if (*text == "B") return Arm::kB;
  if (*text == "C") return Arm::kC;
  return std::nullopt;
}

void TrialHandler::Reset() {
  trial_ = Trial();
  mode_ = Mode::kFields;
  depth_ = 0;
  fields_depth_ = 1;
  nested_ = 0;
  meaning_ = {};
  key_.clear();
  why_.clear();
  other_line_ = has_arm_ = has_pass_ = has_id_ = false;
  seen_.reset();
  seen_unknown_.clear();
  builder_.Reset();
}

bool TrialHandler::Refuse(std::string why) {
  why_ = std::move(why);
  return false;
}

bool TrialHandler::RefuseKind(const Json& found, std::string_view expected) {
  return Refuse("found " + FoundText(found) + ", expected " + std::string(expected));
}

bool TrialHandler::Complete() {
  const auto require = [this](bool has, const char* key, std::string_view expected) {
    if (has) return true;
    key_ = key;
    return Refuse("missing, expected " + std::string(expected));
  };
  return require(has_arm_, "arm", kExpectedArm) && require(has_pass_, "pass", kExpectedPass) &&
         require(has_id_, "test_id", "a text");
}

bool TrialHandler::Key(std::string_view key) {
  if (mode_ == Mode::kBuild) return builder_.Key(key) || Refuse(builder_.Why());
  if (mode_ != Mode::kFields) return true;
  key = UnescapeTraceBytes(key, buffer_);
  meaning_ = MeaningOf(key);
  if (meaning_.key == TrialKey::kOtherLine) {
    if (fields_depth_ == 1) {
      other_line_ = true;
      return false;
    }
    meaning_.key = TrialKey::kUnknown;
  }
  key_ = key;
  bool is_new = false;
  if (meaning_.key == TrialKey::kUnknown) {
    is_new = seen_unknown_.emplace(key).second;
  } else {
    const std::size_t bit = meaning_.key == TrialKey::kColumn
                                ? kFirstColumnBit + meaning_.index
                                : static_cast<std::size_t>(meaning_.key);
    is_new = !seen_.test(bit);
    seen_.set(bit);
  }
  return is_new || Refuse("the key " + Quoted(key) + " stands here twice");
}

bool TrialHandler::Null() {
  if (mode_ == Mode::kBuild) return builder_.Null();
  return Scalar(Json());
}
bool TrialHandler::Bool(bool value) {
  if (mode_ == Mode::kBuild) return builder_.Bool(value);
  return Scalar(Json(value));
}
bool TrialHandler::Integer(std::int64_t value) {
  if (mode_ == Mode::kBuild) return builder_.Integer(value);
  return Scalar(Json(value));
}
bool TrialHandler::Unsigned(std::uint64_t value) {
  if (mode_ == Mode::kBuild) return builder_.Unsigned(value);
  return Scalar(Json(value));
}
bool TrialHandler::Double(double value) {
  if (mode_ == Mode::kBuild) return builder_.Double(value);
  return Scalar(Json(value));
}
bool TrialHandler::BigInteger(std::string_view digits, double nearest) {
  if (mode_ == Mode::kBuild) return builder_.BigInteger(digits, nearest);
  if (mode_ == Mode::kSkip) return true;
  JsonBuilder builder;
  builder.BigInteger(digits, nearest);
  return Scalar(builder.Take());
}
bool TrialHandler::String(std::string_view text) {
  if (mode_ == Mode::kBuild) return builder_.String(text);
  if (mode_ == Mode::kSkip) return true;
  text = UnescapeTraceBytes(text, buffer_);
  const bool shared = meaning_.key == TrialKey::kColumn && column().json != nullptr;
  return Scalar(shared ? pool_.Shared(text) : Json(text));
}

bool TrialHandler::StartObject() {
  if (mode_ == Mode::kBuild) builder_.StartObject();
  return Open(/*object=*/true);
}
bool TrialHandler::StartArray() {
  if (mode_ == Mode::kBuild) builder_.StartArray();
  return Open(/*object=*/false);
}
bool TrialHandler::EndObject(std::size_t members) { return Close(/*object=*/true, members); }
bool TrialHandler::EndArray(std::size_t elements) { return Close(/*object=*/false, elements); }

bool TrialHandler::Open(bool object) {
  ++depth_;
  if (depth_ == 1) return object || Refuse("found an array, expected an object");
  if (mode_ != Mode::kFields) {
    if (mode_ == Mode::kNumbers) return Refuse("found a container among the numbers");
    ++nested_;
    return true;
  }
  if (object && meaning_.key == TrialKey::kRow) {
    fields_depth_ = 2;
    return true;
  }
  nested_ = 1;
  const bool is_column = meaning_.key == TrialKey::kColumn;
  if (meaning_.key == TrialKey::kUnknown) {
    mode_ = Mode::kSkip;
  } else if (is_column && !object &&
             (column().integers != nullptr || column().numbers != nullptr)) {
    mode_ = Mode::kNumbers;
    integers_.clear();
    numbers_.clear();
    null_among_numbers_ = false;
  } else if (is_column && column().json == nullptr && !column().strict) {
    mode_ = Mode::kSkip;  // a wrong type that counts as not measured
  } else {
    mode_ = Mode::kBuild;  // also what will be refused, so that the message can show it
    if (object) {
      builder_.StartObject();
    } else {
      builder_.StartArray();
    }
  }
  return true;
}

bool TrialHandler::Close(bool object, std::size_t count) {
  --depth_;
  if (mode_ == Mode::kFields) {
    if (depth_ == 1) fields_depth_ = 1;  // the object called `row` ends
    return true;
  }
  if (mode_ == Mode::kBuild) {
    if (object) {
      builder_.EndObject(count);
    } else {
      builder_.EndArray(count);
    }
  }
  if (--nested_ > 0) return true;
  switch (std::exchange(mode_, Mode::kFields)) {
    case Mode::kBuild:
      return Assign(builder_.Take());
    case Mode::kNumbers:
      return EndOfNumbers();
    case Mode::kFields:
    case Mode::kSkip:
      break;
  }
  return true;
}

bool TrialHandler::Scalar(const Json& value) {
  switch (mode_) {
    case Mode::kSkip:
    case Mode::kBuild:
      return true;
    case Mode::kNumbers:
      return ElementOfNumbers(value);
    case Mode::kFields:
      break;
  }
  if (depth_ == 0) return RefuseKind(value, "an object");
  return Assign(value);
}

bool TrialHandler::Assign(Json value) {
  switch (meaning_.key) {
    case TrialKey::kArm: {
      const std::optional<Arm> arm = ArmOf(value);
      if (!arm) return RefuseKind(value, kExpectedArm);
      trial_.arm = *arm;
      has_arm_ = true;
      return true;
    }
    case TrialKey::kPass: {
      const std::optional<std::int64_t> pass = WholeNumber(value);
      if (!pass || *pass < 0 || *pass > INT_MAX) return RefuseKind(value, kExpectedPass);
      trial_.pass = static_cast<int>(*pass);
      has_pass_ = true;
      return true;
    }
    case TrialKey::kTestId: {
      const std::string* id = value.if_string();
      if (id == nullptr) return RefuseKind(value, "a text");
      trial_.test_id = *id;
      has_id_ = true;
      return true;
    }
    case TrialKey::kRetries:
      return AssignRetries(value);
    case TrialKey::kRow:
      trial_.malformed_row = std::move(value);
      return true;
    case TrialKey::kColumn:
      return AssignColumn(column(), std::move(value));
    case TrialKey::kUnknown:
    case TrialKey::kOtherLine:
      break;
  }
  return true;
}

bool TrialHandler::AssignRetries(const Json& value) {
  if (value.is_null()) return true;
  const std::optional<std::int64_t> retries = WholeNumber(value);
  if (!retries || *retries < 0 || *retries > INT_MAX) {
    return RefuseKind(value, "a whole number from 0 up");
  }
  trial_.retry_attempts = static_cast<int>(*retries);
  return true;
}

bool TrialHandler::AssignColumn(const TrialColumn& column, Json value) {
  if (column.json != nullptr) {
    if (column.strict && !value.is_null() && !value.is_string()) {
      return RefuseKind(value, "a text or null");
    }
    trial_.*column.json = std::move(value);
    return true;
  }
  if (value.is_null()) return true;
  if (column.number != nullptr) {
    const double* real = value.if_double();
    const std::int64_t* integer = value.if_int64();
    if (real != nullptr && std::isfinite(*real)) trial_.*column.number = *real;
    if (integer != nullptr) trial_.*column.number = static_cast<double>(*integer);
    return true;
  }
  if (column.integer != nullptr) {
    const std::optional<std::int64_t> number = WholeNumber(value);
    if (!number && column.strict) return RefuseKind(value, "a whole number or null");
    trial_.*column.integer = number;
    return true;
  }
  const std::string* text = value.if_string();
  if (column.words != nullptr) {
    if (text != nullptr) trial_.*column.words = *text;
    return true;
  }
  return RefuseKind(value, "an array of numbers or null");
}

bool TrialHandler::ElementOfNumbers(const Json& value) {
  if (value.is_null()) {
    null_among_numbers_ = true;
    return true;
  }
  if (column().integers != nullptr) {
    const std::optional<std::int64_t> number = WholeNumber(value);
    if (!number) return RefuseKind(value, "an array of whole numbers");
    integers_.push_back(*number);
    return true;
  }
  if (const double* real = value.if_double()) {
    numbers_.push_back(*real);
    return true;
  }
  if (const std::int64_t* integer = value.if_int64()) {
    numbers_.push_back(static_cast<double>(*integer));
    return true;
  }
  return RefuseKind(value, "an array of numbers");
}

bool TrialHandler::EndOfNumbers() {
  // With a hole nothing lines up any more, so nothing was measured.
  if (null_among_numbers_) return true;
  if (column().integers != nullptr) {
    trial_.*column().integers = integers_;
  } else {
    trial_.*column().numbers = numbers_;
  }
  return true;
}

}  // namespace bi_test::trace
