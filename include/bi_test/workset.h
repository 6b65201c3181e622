#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test {

/// One message of a conversation.
struct ChatMessage {
  std::string role;  ///< `system`, `developer`, `user` or `assistant`.
  std::string content;
  friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

/// One row of a work-set file, already checked (docs/work-sets.md).
struct WorksetRow {
  /// What the user asks; with `messages` the last of them; with `completion` the text to go on
  /// from.
  std::string prompt;
  std::optional<std::string> system;
  Json expected_answer = std::string();
  std::string family = "default";     ///< Kind of item: verdicts are counted by it.
  double fill = 0.0;                  ///< Share of the context that the prompt fills, 0 to 1.
  std::vector<ChatMessage> messages;  ///< A whole conversation in place of `system` and `prompt`.
  bool completion = false;            ///< Plain text completion, without any chat template.
  /// What this row's request asks for beside its text, checked and in canonical form: an object of
  /// `max_tokens`, `seed`, `stop`, `logit_bias`, `response_format`, `json_schema`, `grammar`,
  /// `tools`, `tool_choice`, `parallel_tool_calls`; null when the row asks for nothing.
  Json sampling;
  friend bool operator==(const WorksetRow&, const WorksetRow&) = default;
};

/// A whole work-set. A plain value.
struct Workset {
  std::vector<WorksetRow> rows;
  std::string name;    ///< File name, or `built-in smoke`.
  std::string sha256;  ///< Hex, of the canonical text of the rows.
  /// So many rows in a row are repetitions of one, each with a prompt of its own; >= 1.
  int reps_in_rows = 1;
  Json stamp{};  ///< What shaped generated rows, for the cert; else null.
  friend bool operator==(const Workset&, const Workset&) = default;
};

/// A built-in work-set whose rows are made for each cell with the server under test.
struct MadeWorkset {
  enum class Kind {
    kLengths,  ///< Prompt lengths around those at which kernels change their path.
    kFragile   ///< The rows of `pool` whose answers hang by the thinnest margin.
  };
  Kind kind = Kind::kLengths;
  Workset pool;   ///< Of kFragile.
  int size = 40;  ///< Of kFragile: rows to keep, >= 5.
  friend bool operator==(const MadeWorkset&, const MadeWorkset&) = default;
};

}  // namespace bi_test
