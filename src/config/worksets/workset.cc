#include "config/worksets/workset.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/json_reader.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "base/trim.h"
#include "base/try.h"
#include "base/utf8.h"
#include "config/name_match.h"
#include "config/worksets/row_sampling.h"
#include "config/yaml/file_problems.h"
#include "config/yaml/text_file.h"
#include "config/yaml/yaml_document.h"
#include "config/yaml/yaml_json.h"
#include "scorers/text_scorer.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxFamily = 64;
constexpr std::size_t kMostShown = 20;

constexpr std::size_t kMostMessages = 1'000;

constexpr std::array<std::string_view, 11> kKeys = {
    "item",       "prompt_text", "prompt",   "expected_answer", "family",  "fill",
    "fill_ratio", "system",      "messages", "completion",      "sampling"};
constexpr std::string_view kMessageAllowed =
    "{role: ..., content: ...} with role system, developer, user or assistant";
constexpr std::string_view kRowsAllowed = "1 to 100000 rows";

std::optional<double> AsDouble(const Json& value) {
  if (const double* number = value.if_double()) return *number;
  if (const std::int64_t* number = value.if_int64()) return static_cast<double>(*number);
  return std::nullopt;
}

// Reads one row; each member function reads one column.
class RowReader {
 public:
  RowReader(const Json& json, std::size_t index, std::vector<RowProblem>& problems)
      : json_(json), index_(index), problems_(problems) {}

  std::optional<WorksetRow> Read() {
    const std::size_t before = problems_.size();
    if (json_.is_string()) {
      ReadPrompt("", json_);
    } else if (json_.is_object()) {
      CheckKeys();
      ReadTextColumns();
      ReadSystem();
      ReadFamily();
      ReadFill();
      ReadSamplingColumn();
      if (const Json* expected = Value({"expected_answer"}).second)
        row_.expected_answer = *expected;
    } else {
      Problem("", Found(json_), "an object, or a text that is the prompt");
    }
    if (problems_.size() > before) return std::nullopt;
    return std::move(row_);
  }

 private:
  void Problem(std::string_view key, const std::string& found, std::string_view allowed) {
    problems_.push_back(
        {index_, std::string(key), "found " + found + ", allowed: " + std::string(allowed)});
  }

  // The first of these columns that is there and not null.
  [[nodiscard]] std::pair<std::string_view, const Json*> Value(
      std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      const Json* value = json_.Find(key);
      if (value != nullptr && !value->is_null()) return {key, value};
    }
    return {*keys.begin(), nullptr};
  }

  void CheckKeys() {
    for (const auto& [key, value] : *json_.if_object()) {
      if (key.starts_with("x_") || std::ranges::find(kKeys, key) != kKeys.end()) continue;
      const std::vector<std::string> known(kKeys.begin(), kKeys.end());
      Problem(std::string(ClipUtf8(key, 80)), "an unknown key",
              Joined(known) + ", or a key that begins with x_" + DidYouMean(key, known));
    }
  }

  // One of the three kinds of text a request can have.
  void ReadTextColumns() {
    const auto [key, prompt] = Value({"item", "prompt_text", "prompt"});
    const Json* messages = Value({"messages"}).second;
    const Json* completion = Value({"completion"}).second;
    std::string found;
    int count = 0;
    for (const auto& [name, value] : {std::pair{key, prompt},
                                      {std::string_view("messages"), messages},
                                      {std::string_view("completion"), completion}}) {
      if (value == nullptr) continue;
      found.append(found.empty() ? "" : " and ").append(name);
      ++count;
    }
    if (count > 1) {
      Problem(key, found, "one of item, messages, completion");
    } else if (messages != nullptr) {
      ReadMessages(*messages);
    } else if (completion != nullptr) {
      row_.completion = true;
      ReadPrompt("completion", *completion);
    } else if (prompt != nullptr) {
      ReadPrompt(key, *prompt);
    } else {
      Problem(key, "nothing", "the prompt, a text that is not empty");
    }
  }

  void ReadMessages(const Json& value) {
    const Json::Array* messages = value.if_array();
    if (messages == nullptr || messages->empty() || messages->size() > kMostMessages) {
      Problem("messages",
              messages == nullptr ? Found(value) : std::to_string(messages->size()) + " messages",
              "a list of 1 to 1000 messages");
      return;
    }
    for (std::size_t i = 0; i < messages->size(); ++i) {
      if (!ReadMessage("messages[" + std::to_string(i) + "]", (*messages)[i])) return;
    }
    const ChatMessage& last = row_.messages.back();
    if (last.role == "user") {
      row_.prompt = last.content;
    } else {
      // An assistant's words at the end would be gone on from by some servers and closed by others.
      Problem("messages", "a last message of role " + last.role, "a last message of role user");
    }
  }

  bool ReadMessage(const std::string& key, const Json& value) {
    const Json* role = value.Find("role");
    const Json* content = value.Find("content");
    const std::string* role_text = role == nullptr ? nullptr : role->if_string();
    const std::string* text = content == nullptr ? nullptr : content->if_string();
    if (role_text == nullptr || value.if_object()->size() != 2 || content == nullptr) {
      Problem(key, Found(value), kMessageAllowed);
      return false;
    }
    constexpr std::array<std::string_view, 4> kRoles = {"system", "developer", "user", "assistant"};
    if (std::ranges::find(kRoles, *role_text) == kRoles.end()) {
      Problem(key + ".role", Found(*role), "system, developer, user, assistant");
      return false;
    }
    if (text == nullptr || text->empty() || FindInvalidUtf8(*text)) {
      Problem(key + ".content", Found(*content), "a text that is not empty");
      return false;
    }
    row_.messages.push_back({*role_text, *text});
    return true;
  }

  void ReadSamplingColumn() {
    const auto [key, value] = Value({"sampling"});
    if (value == nullptr) return;
    row_.sampling = ReadSampling(
        *value, row_.completion,
        [this](const std::string& inner, const std::string& found, const std::string& allowed) {
          Problem(inner.empty() ? "sampling" : "sampling." + inner, found, allowed);
        });
  }

  void ReadPrompt(std::string_view key, const Json& value) {
    const std::string* text = value.if_string();
    if (text == nullptr || text->empty() || FindInvalidUtf8(*text)) {
      Problem(key, Found(value), "the prompt, a text that is not empty");
    } else {
      row_.prompt = *text;
    }
  }

  void ReadSystem() {
    const auto [key, value] = Value({"system"});
    if (value == nullptr) return;
    const std::string* text = value->if_string();
    if (Value({"messages"}).second != nullptr) {
      Problem(key, "system beside messages", "with item only: put it into messages");
    } else if (Value({"completion"}).second != nullptr) {
      Problem(key, "system beside completion", "with item only: a plain completion has no roles");
    } else if (text == nullptr || FindInvalidUtf8(*text)) {
      Problem(key, Found(*value), "a text");
    } else {
      row_.system = *text;
    }
  }

  void ReadFamily() {
    const auto [key, value] = Value({"family"});
    if (value == nullptr) return;
    const std::string* text = value->if_string();
    const bool usable = text != nullptr && !text->empty() && !FindInvalidUtf8(*text) &&
                        CountCodePoints(*text) <= kMaxFamily && text->find('|') == text->npos &&
                        !HasControlCharacter(*text);
    if (usable) {
      row_.family = *text;
    } else {
      Problem(key, Found(*value),
              "a text of 1 to 64 characters, without \"|\" and control characters");
    }
  }

  void ReadFill() {
    const auto [key, value] = Value({"fill", "fill_ratio"});
    if (value == nullptr) return;
    const std::optional<double> number = AsDouble(*value);
    if (number && *number >= 0.0 && *number <= 1.0) {
      row_.fill = *number + 0.0;  // -0.0 becomes 0.0
    } else {
      Problem(key, Found(*value), "a number from 0 to 1");
    }
  }

  const Json& json_;
  std::size_t index_;
  std::vector<RowProblem>& problems_;
  WorksetRow row_;
};

Json CanonicalForm(const WorksetRow& row) {
  Json::Object out;
  // A key that a row does not use is left out, so that older work-sets keep their digests.
  if (!row.messages.empty()) {
    Json::Array messages;
    for (const ChatMessage& message : row.messages) {
      messages.push_back(
          Json::Object{{"role", Json(message.role)}, {"content", Json(message.content)}});
    }
    out["messages"] = std::move(messages);
  } else {
    out[row.completion ? "completion" : "item"] = row.prompt;
  }
  if (!row.sampling.is_null()) out["sampling"] = row.sampling;
  out["expected_answer"] = row.expected_answer;
  out["family"] = row.family;
  out["fill"] = row.fill;
  if (row.system) out["system"] = *row.system;
  return out;
}

bool IsYaml(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".yaml" || extension == ".yml";
}

Error FileError(const fs::path& file, const std::string& text) {
  return {ErrorCode::kInvalidFile, file.string() + ": " + text, {}};
}

Result<Json> ParseFile(const fs::path& file, std::string_view text) {
  if (IsYaml(file)) {
    FileProblems problems;
    YamlNode root;
    if (!ParseYaml(text, {kWorksetLimits.max_bytes, kWorksetLimits.max_depth}, root, problems)) {
      return problems.ToError(file.string());
    }
    return ToJson(root);
  }
  Result<Json> json = ParseJson(WithoutByteOrderMark(text), kWorksetLimits);
  if (!json) return FileError(file, json.error().Text());
  return json;
}

}  // namespace

std::vector<WorksetRow> ReadRows(const Json::Array& rows, std::vector<RowProblem>& problems) {
  std::vector<WorksetRow> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::optional<WorksetRow> row = RowReader(rows[i], i, problems).Read()) {
      out.push_back(*std::move(row));
    }
  }
  return out;
}

Workset MakeWorkset(std::vector<WorksetRow> rows, std::string name) {
  Sha256 digest;
  digest.Update("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) digest.Update(",");
    digest.Update(CompactText(CanonicalForm(rows[i])));
  }
  digest.Update("]");
  return {std::move(rows), std::move(name), digest.Hex()};
}

Result<Workset> LoadWorkset(const fs::path& file) {
  BI_TRY_SET(const std::string text,
             ReadTextFile(file, kWorksetLimits.max_bytes, "a JSON or YAML array of rows"));
  BI_TRY_SET(const Json json, ParseFile(file, text));
  const Json::Array* array = json.if_array();
  if (array == nullptr)
    return FileError(file, "found " + Found(json) + ", allowed: an array of rows");
  if (array->empty() || array->size() > kMostRows) {
    return FileError(file, "found " + std::to_string(array->size()) +
                               " rows, allowed: " + std::string(kRowsAllowed));
  }
  std::vector<RowProblem> problems;
  std::vector<WorksetRow> rows = ReadRows(*array, problems);
  if (problems.empty()) return MakeWorkset(std::move(rows), file.filename().string());
  std::string message;
  for (std::size_t i = 0; i < std::min(problems.size(), kMostShown); ++i) {
    const RowProblem& problem = problems[i];
    if (i > 0) message += '\n';
    message.append(file.string()).append(": row ").append(std::to_string(problem.row)).append(": ");
    if (!problem.key.empty()) message.append(problem.key).append(": ");
    message.append(problem.text);
  }
  if (problems.size() > kMostShown) {
    message.append("\n").append(file.string()).append(": and ");
    message.append(std::to_string(problems.size() - kMostShown)).append(" more mistakes");
  }
  return Error{ErrorCode::kInvalidFile, std::move(message), {}};
}

std::size_t UnscorableRows(const Workset& workset, const Scorer& scorer) {
  if (!scorer.needs_expected_answer()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(workset.rows, [](const WorksetRow& row) {
    return Trim(ExpectedText(row.expected_answer)).empty();
  }));
}

}  // namespace bi_test::config
