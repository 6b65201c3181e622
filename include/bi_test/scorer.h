#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"

namespace bi_test {

/// What a scorer may know beside the completion's text: the item it answers, and the tool calls
/// that came with it.
struct ScorerItem {
  std::string test_id;
  std::string prompt;
  std::optional<std::string> system;  ///< The system message, if there was one.
  std::string family;                 ///< As the row says.
  double position = 0.0;              ///< Reserved; 0.
  int rep = 0;                        ///< Which repetition of the row, from 0.
  double fill_ratio = 0.0;            ///< As the row says, 0 to 1.
  /// Of this completion, as the server told them: an array of `{"type","function":{"name",
  /// "arguments"}}`, or null. The arguments are mostly JSON in a text.
  Json tool_calls;
  friend bool operator==(const ScorerItem&, const ScorerItem&) = default;
};

/// Judges one completion. `ExtractAnswer`, `ClassifyFailureMode` and `Score` are called in that
/// order.
///
/// A scorer is pure: no clock, no randomness, no I/O, no shared state. It is called from several
/// threads at once. It sees only completions of replies that could be read; failed requests never
/// reach it. A scorer decides what counts as the same answer: two completions with equal extracted
/// answers are equal in the scored fields, whatever else they say.
class Scorer {
 public:
  virtual ~Scorer() = default;

  /// Name in a sweep file, `[a-z0-9_.-]+`.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Stamped on the cert beside the name; change it with every change of behaviour.
  [[nodiscard]] virtual std::string_view version() const = 0;
  /// Whether a row without an expected answer is worth nothing to this scorer.
  [[nodiscard]] virtual bool needs_expected_answer() const { return true; }

  /// The answer in the completion. Nothing means that no answer could be told apart; the whole
  /// completion is then compared.
  [[nodiscard]] virtual std::optional<std::string> ExtractAnswer(std::string_view response,
                                                                 const ScorerItem& item) const = 0;
  /// `ok` when there was something to score, else what is wrong. `completion_tokens` as the server
  /// counted.
  [[nodiscard]] virtual std::string ClassifyFailureMode(
      std::string_view response, std::optional<std::int64_t> completion_tokens,
      const std::optional<std::string>& extracted, const ScorerItem& item) const = 0;
  /// From 0 to 1.
  [[nodiscard]] virtual double Score(const std::optional<std::string>& extracted,
                                     std::string_view response, const Json& expected_answer,
                                     const ScorerItem& item) const = 0;
  [[nodiscard]] virtual bool Passed(double score) const { return score >= 0.5; }
  /// Whether a completion with that label was scored all the same: it then counts as an answer when
  /// the answers of an arm are counted. A label alone, because two arms with one label have to
  /// count alike.
  [[nodiscard]] virtual bool WasScored(std::string_view failure_mode) const {
    return failure_mode == "ok";
  }
};

/// What goes into a trial.
struct ScoredReply {
  double score = 0.0;  ///< 0 to 1.
  bool passed = false;
  std::string failure_mode;  ///< `ok`, a label of the scorer's, or `scorer_error`.
  std::string
      extracted_answer;  ///< Always filled: the whole completion when the scorer names none.
  std::string reason;    ///< Why `failure_mode` is `scorer_error`; else empty.
  bool scored = false;   ///< Scorer::WasScored; false for `scorer_error`.
  friend bool operator==(const ScoredReply&, const ScoredReply&) = default;
};

/// Asks a scorer, and never throws: an exception, a score that is no number from 0 to 1, or an
/// empty label gives score 0, not passed, `scorer_error` and the whole completion as answer.
[[nodiscard]] ScoredReply ScoreReply(const Scorer& scorer, std::string_view response,
                                     std::optional<std::int64_t> completion_tokens,
                                     const Json& expected_answer, const ScorerItem& item);

/// One option of a scorer, as a sweep file may set it.
struct ScorerOption {
  enum class Kind {
    kBoolean,  ///< true or false
    kNumber,   ///< a finite number from `min` to `max`
    kText,     ///< a text that is not empty
    kWord,     ///< one of `words`
    kTexts     ///< a list of 1 to 100 texts that are not empty and all different
  };
  std::string name;  ///< `[a-z_]+`
  Kind kind = Kind::kBoolean;
  Json fallback;                   ///< Its value when it is not set; null: it has to be set.
  std::vector<std::string> words;  ///< Of kWord.
  double min = 0.0;                ///< Of kNumber, as `max`; both are allowed.
  double max = 0.0;
};

/// What is allowed when `value` is not: `true or false`, ... Nothing when it is.
[[nodiscard]] std::optional<std::string> WrongOption(const ScorerOption& option, const Json& value);

/// Makes a scorer from an object that holds every option of its kind, checked by WrongOption. An
/// error has the option in `where` and `found ..., allowed: ...` as message.
using ScorerFactory = std::function<Result<std::shared_ptr<const Scorer>>(const Json& options)>;

/// Makes a scorer without options known by its name. Fails on a name that is taken or ill-formed.
/// Call it before sweep files are read that name it. Thread safe, as are all operations below.
///
///     if (auto status = bi_test::RegisterScorer(std::make_unique<UnitScorer>()); !status.ok()) {
///       std::cerr << status.error().Text() << "\n";
///     }
[[nodiscard]] Status RegisterScorer(std::unique_ptr<const Scorer> scorer);

/// The same for a kind of scorer with options.
[[nodiscard]] Status RegisterScorer(std::string name, std::vector<ScorerOption> options,
                                    ScorerFactory factory);

/// The scorer of that name with every option at its default; null for an unknown name and for a
/// scorer with an option that has to be set. Lives until the program ends.
[[nodiscard]] const Scorer* FindScorer(std::string_view name);

/// The options of the scorer of that name, or null for an unknown name.
[[nodiscard]] const std::vector<ScorerOption>* FindScorerOptions(std::string_view name);

/// A scorer of that name with these options: an object or null; what it leaves out gets its
/// default. Errors: an unknown name, or an option that is unknown, missing or wrong (named in
/// `where`).
[[nodiscard]] Result<std::shared_ptr<const Scorer>> MakeScorer(std::string_view name,
                                                               const Json& options = {});

/// `options` with the default of every option it leaves out: what goes on a cert.
[[nodiscard]] Json CompleteScorerOptions(std::string_view name, const Json& options);

/// All known names, sorted.
[[nodiscard]] std::vector<std::string> ScorerNames();

}  // namespace bi_test
