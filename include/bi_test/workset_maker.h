#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/result.h"
#include "bi_test/workset.h"

namespace bi_test {

/// What the rows of one cell are made from.
struct WorksetRequest {
  std::string model;   ///< Id of the model.
  int ctx = 0;         ///< Context of one slot, tokens, >= 1.
  int reps = 1;        ///< Repetitions of each question, >= 1, each with a prompt of its own.
  int max_tokens = 1;  ///< Room that each answer needs, tokens, >= 1.
  /// Tokens of a text by the server's own tokenizer. Empty while no server is up and where it has
  /// none; gives nothing once it does not answer, or the time of the run is over.
  std::function<std::optional<std::int64_t>(std::string_view text)> count;
  /// A chat of a system message and one question, as the model reads it. Empty, or without a value,
  /// as above.
  std::function<std::optional<std::string>(const std::string& system, const std::string& prompt)>
      render;
  std::int64_t sliding_window = 0;  ///< Of the model, tokens, as the server says; 0: none.
};

/// Makes the rows of a work-set for one model and context, with the server under test at hand:
/// prompts that fill the context, for example. `Sweep::workset_maker` holds it.
///
/// The same request gives the same rows, byte for byte, or one cell has another baseline than the
/// next. N is not in the request, because all N share one baseline. Thread safe.
class WorksetMaker {
 public:
  virtual ~WorksetMaker() = default;

  /// The rows, each question `reps` times in a row, and what shaped them (`Workset::stamp`). Name,
  /// digest and `reps_in_rows` are filled in by the caller. Errors end the cell before any arm;
  /// `where` is the key of the sweep file.
  [[nodiscard]] virtual Result<Workset> Make(const WorksetRequest& request) const = 0;
};

}  // namespace bi_test
