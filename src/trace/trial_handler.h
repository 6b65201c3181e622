#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/json_builder.h"
#include "bi_test/trial.h"
#include "trace/trace_string.h"
#include "trace/trial_columns.h"

namespace bi_test::trace {

/// A JsonBuilder for the values of a trace, whose strings may hold byte escapes.
class TraceValueBuilder : public JsonBuilder {
 public:
  bool String(std::string_view text) {
    return JsonBuilder::String(UnescapeTraceBytes(text, buffer_));
  }
  bool Key(std::string_view key) { return JsonBuilder::Key(UnescapeTraceBytes(key, buffer_)); }

 private:
  std::string buffer_;
};

/// One copy of each distinct text: the passes of a run repeat each other.
class TextPool {
 public:
  /// A Json that shares its text with all earlier equal ones.
  [[nodiscard]] Json Shared(std::string_view text);

 private:
  std::unordered_map<std::string_view, Json> texts_;  // each key looks into its value
};

/// Fills a Trial from the events of ParseSax, without a document in between.
class TrialHandler {
 public:
  explicit TrialHandler(TextPool& pool) : pool_(pool) {}

  /// Back to the beginning, for the next line or a second try at this one.
  void Reset();

  bool Null();
  bool Bool(bool value);
  bool Integer(std::int64_t value);
  bool Unsigned(std::uint64_t value);
  bool Double(double value);
  bool BigInteger(std::string_view digits, double nearest);
  bool String(std::string_view text);
  bool Key(std::string_view key);
  bool StartObject();
  bool EndObject(std::size_t members);
  bool StartArray();
  bool EndArray(std::size_t elements);
  [[nodiscard]] std::string Why() const { return why_; }

  /// The line is a header, evidence or closing record: reading stopped there.
  [[nodiscard]] bool is_other_line() const { return other_line_; }
  /// The key at which reading stopped, or that is missing; empty for a fault of the syntax.
  [[nodiscard]] const std::string& key() const { return key_; }
  /// Whether the keys that identify a trial were all there; else Why() and key() say what is
  /// missing.
  [[nodiscard]] bool Complete();
  [[nodiscard]] Trial& trial() { return trial_; }

 private:
  enum class Mode {
    kFields,   ///< In the object that holds the fields.
    kBuild,    ///< In a value that becomes a Json.
    kNumbers,  ///< In an array of numbers.
    kSkip,     ///< In a value that is not wanted.
  };

  bool Scalar(const Json& value);
  bool Assign(Json value);
  bool AssignColumn(const TrialColumn& column, Json value);
  bool AssignRetries(const Json& value);
  bool ElementOfNumbers(const Json& value);
  bool EndOfNumbers();
  bool Open(bool object);
  bool Close(bool object, std::size_t count);
  bool Refuse(std::string why);
  bool RefuseKind(const Json& found, std::string_view expected);
  [[nodiscard]] const TrialColumn& column() const { return TrialColumns()[meaning_.index]; }

  TextPool& pool_;
  Trial trial_;
  Mode mode_ = Mode::kFields;
  int depth_ = 0;         ///< Open containers.
  int fields_depth_ = 1;  ///< Depth at which keys are fields: 2 inside an object called `row`.
  int nested_ = 0;        ///< Open containers inside the value of the current key.
  TrialKeyMeaning meaning_;
  std::string key_;
  std::string why_;
  bool other_line_ = false;
  bool has_arm_ = false, has_pass_ = false, has_id_ = false;
  std::bitset<64> seen_;
  std::set<std::string, std::less<>> seen_unknown_;
  TraceValueBuilder builder_;
  std::vector<std::int64_t> integers_;
  std::vector<double> numbers_;
  bool null_among_numbers_ = false;
  std::string buffer_;
};

/// What a value is, for messages: a short value itself, else its kind.
[[nodiscard]] std::string FoundText(const Json& value);

/// A whole number that fits: integers, and doubles without a fraction up to 2^53.
[[nodiscard]] std::optional<std::int64_t> WholeNumber(const Json& value);

/// `A`, `B` or `C`.
[[nodiscard]] std::optional<Arm> ArmOf(const Json& value);
inline constexpr std::string_view kExpectedArm =
    "\"A\", \"B\" or \"C\" (A2 is arm \"A\" with pass 1, B2 is arm \"B\" with pass 1)";

}  // namespace bi_test::trace
