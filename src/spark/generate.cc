#include "spark/generate.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "spark/content_seed.h"
#include "spark/corner.h"
#include "spark/family.h"
#include "spark/filler.h"
#include "spark/filler_text.h"
#include "spark/placement.h"
#include "spark/splice.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

// Room for the chat template, where the server does not say more.
constexpr std::int64_t kTemplateRoom = 64;
constexpr int kMostMoves = 6;
// A cert copies at most 32 KiB from the header of a trace.
constexpr std::size_t kMostStampedRows = 200;

std::string_view NameOf(WindowSource source) {
  switch (source) {
    case WindowSource::kNone:
      return "none";
    case WindowSource::kOption:
      return "option";
    case WindowSource::kProbe:
      return "probe";
  }
  return "none";
}

std::string_view CorpusOf(const SparkCorpus& corpus, FillerSource source) {
  switch (source) {
    case FillerSource::kProse:
      return corpus.prose;
    case FillerSource::kNews:
      return corpus.news;
    case FillerSource::kCode:
      return corpus.code;
  }
  return {};
}

std::string FillerDigest(const SparkCorpus& corpus) {
  if (corpus == SparkCorpus{}) return BuiltInFillerDigest();
  return Sha256Hex(BuiltInFillerDigest() + Sha256Hex(corpus.prose) + Sha256Hex(corpus.news) +
                   Sha256Hex(corpus.code));
}

Result<std::vector<const Family*>> ChosenFamilies(const std::vector<std::string>& names) {
  std::vector<const Family*> out;
  for (const std::string& name : names) {
    if (FindFamily(name) != nullptr) continue;
    return Error{ErrorCode::kUsage, "found no family \"" + name + "\"", "workset.families"};
  }
  for (const Family& family : Families()) {
    if (names.empty() || std::ranges::find(names, family.name) != names.end()) {
      out.push_back(&family);
    }
  }
  return out;
}

/// What one try with one way of counting needs.
struct Shop {
  const GenerateInput& input;
  const TokenCounter& count;
  std::int64_t template_tokens = 0;
  std::int64_t cap = 0;
  std::int64_t window = 0;
};

enum class RowFault { kUncountable, kOutsideWindow, kError };

/// Makes one row.
class RowMaker {
 public:
  RowMaker(const Shop& shop, const Family& family, int fill_hundredths, int rep)
      : shop_(shop),
        seed_(ContentSeed({shop.input.model, shop.input.ctx, std::string(family.name),
                           shop.input.config.position_millionths, fill_hundredths, rep})),
        random_(seed_),
        question_(family.draw(random_, seed_)),
        terms_(question_.terms),
        reservoir_(family.filler, shop.input.config.filler,
                   CorpusOf(shop.input.config.corpus, family.filler), terms_, random_) {
    row_.family = family.name;
    row_.fill_hundredths = fill_hundredths;
    row_.rep = rep;
    row_.seed = seed_;
    row_.system = SystemMessage();
    row_.gold = question_.gold;
  }

  /// Nothing when it worked; the row is then in `row()`.
  std::optional<RowFault> Make() {
    const SparkConfig& config = shop_.input.config;
    position_ = config.needle == NeedleStrategy::kJitter
                    ? Jittered(config.position_millionths, seed_)
                    : config.position_millionths;
    if (auto fault = Fit()) return fault;
    if (config.needle == NeedleStrategy::kAdaptive) {
      if (auto fault = MoveIntoWindow()) return fault;
    }
    const Haystack haystack = Hay(fitted_.filler_bytes);
    row_.prompt = haystack.text + Tail();
    row_.tokens = fitted_.tokens;
    row_.capped = fitted_.capped;
    row_.position_millionths = Positions().front();
    return std::nullopt;
  }

  [[nodiscard]] Row& row() { return row_; }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  [[nodiscard]] std::string Tail() const {
    return "\n\n" + question_.question + "\n" + question_.cue;
  }

  [[nodiscard]] std::vector<int> Positions() const {
    return SpreadPositions(position_, question_.needles.size(), not_before_);
  }

  [[nodiscard]] Haystack Hay(std::size_t filler_bytes) const {
    return Splice(reservoir_.Cut(filler_bytes), question_.needles, Positions());
  }

  std::optional<RowFault> Fit() {
    const Budget budget{NominalTokens(shop_.input.ctx, row_.fill_hundredths), shop_.cap};
    const auto build = [this](std::size_t bytes) -> Result<std::string> {
      if (Status status = reservoir_.GrowTo(bytes); !status.ok()) return status.error();
      return Hay(bytes).text + Tail();
    };
    const std::optional<FitFailure> failure = FitPrompt(budget, build, shop_.count, fitted_);
    if (!failure) return std::nullopt;
    switch (failure->fault) {
      case FitFault::kUncountable:
        return RowFault::kUncountable;
      case FitFault::kBuilder:
        error_ = failure->error;
        return RowFault::kError;
      case FitFault::kTooLong:
        break;
    }
    error_ = Error{
        ErrorCode::kUsage,
        "the question of family " + row_.family + " alone has " + std::to_string(failure->tokens) +
            " tokens, more than the " + std::to_string(budget.target()) + " of fill " +
            FractionText(row_.fill_hundredths, 2) + " at ctx " + std::to_string(shop_.input.ctx) +
            ": use a larger ctx, another corner, or leave the family out",
        "workset"};
    return RowFault::kError;
  }

  std::optional<std::int64_t> Count(std::string_view text) const { return shop_.count(text); }

  std::optional<RowFault> MoveIntoWindow() {
    if (shop_.window <= 0) return std::nullopt;
    std::string needles;
    for (const std::string& needle : question_.needles) needles += needle + '\n';
    const auto needle_tokens = Count(needles);
    const auto tail_tokens = Count(Tail());
    const auto hay_tokens = Count(Hay(fitted_.filler_bytes).text);
    if (!needle_tokens || !tail_tokens || !hay_tokens) return RowFault::kUncountable;
    const PromptSizes sizes{*needle_tokens, *hay_tokens, *tail_tokens + shop_.template_tokens};
    const std::optional<int> earliest = EarliestInWindow(shop_.window, sizes);
    if (!earliest) return RowFault::kOutsideWindow;
    if (*earliest == 0) return std::nullopt;
    not_before_ = *earliest;
    // Needles stand between whole sentences: look whether the nearest such place is near enough.
    for (int move = 0; move <= kMostMoves; ++move) {
      if (auto fault = Fit()) return fault;
      const Haystack haystack = Hay(fitted_.filler_bytes);
      const auto reach = Count(std::string_view(haystack.text).substr(haystack.needle_begin));
      if (!reach) return RowFault::kUncountable;
      if (*reach + sizes.tail <= shop_.window) return std::nullopt;
      not_before_ = move + 1 == kMostMoves ? kOne : not_before_ + (kOne - not_before_ + 3) / 4;
    }
    return RowFault::kOutsideWindow;
  }

  const Shop& shop_;
  std::uint64_t seed_;
  Random random_;
  Question question_;
  TermCheck terms_;
  FillerReservoir reservoir_;
  int position_ = 0;
  int not_before_ = 0;
  FittedPrompt fitted_;
  Row row_;
  Error error_;
};

Json RowStamp(const Row& row) {
  Json out;
  out["family"] = row.family;
  out["fill"] = FractionText(row.fill_hundredths, 2);
  out["rep"] = row.rep;
  // A text: readers of JSON lose the low bits of such numbers.
  out["seed"] = std::to_string(row.seed);
  out["position"] = FractionText(row.position_millionths, 6);
  out["tokens"] = row.tokens;
  out["capped"] = row.capped;
  return out;
}

/// Smallest and largest share of the context that the prompts of each fill really take.
Json FillStamp(const std::vector<Row>& rows, int ctx, bool measured) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> extremes;
  for (const Row& row : rows) {
    const auto [it, is_new] =
        extremes.try_emplace(row.fill_hundredths, std::pair{row.tokens, row.tokens});
    it->second.first = std::min(it->second.first, row.tokens);
    it->second.second = std::max(it->second.second, row.tokens);
  }
  Json::Array out;
  for (const auto& [fill, tokens] : extremes) {
    Json entry;
    entry["nominal"] = FractionText(fill, 2);
    entry["smallest"] = measured ? Json(static_cast<double>(tokens.first) / ctx) : Json();
    entry["largest"] = measured ? Json(static_cast<double>(tokens.second) / ctx) : Json();
    out.push_back(std::move(entry));
  }
  return out;
}

/// One try. Nothing: the counter gave up.
class Maker {
 public:
  Maker(const GenerateInput& input, const TokenCounter& count, bool measured)
      : input_(input), measured_(measured), shop_{input, count} {}

  std::optional<Result<Generated>> Make() {
    const Corner* corner = FindCorner(input_.config.corner);
    if (corner == nullptr) {
      return Error{ErrorCode::kUsage, "found no corner \"" + input_.config.corner + "\"",
                   "workset.corner"};
    }
    const Result<std::vector<const Family*>> families = ChosenFamilies(input_.config.families);
    if (!families.ok()) return families.error();
    if (!SetRoom()) return std::nullopt;
    if (shop_.cap < 1) {
      return Error{ErrorCode::kUsage,
                   "max_tokens " + std::to_string(input_.max_tokens) + " and " +
                       std::to_string(shop_.template_tokens) +
                       " tokens of the chat template leave no room for a prompt in a slot of " +
                       std::to_string(input_.ctx) + ": use a larger ctx or a smaller max_tokens",
                   "workset"};
    }
    SetWindow();
    for (const Family* family : *families) {
      for (const int fill : corner->fill_hundredths) {
        for (int rep = 0; rep < input_.reps; ++rep) {
          RowMaker row(shop_, *family, fill, rep);
          const std::optional<RowFault> fault = row.Make();
          if (!fault) {
            out_.rows.push_back(std::move(row.row()));
          } else if (*fault == RowFault::kUncountable) {
            return std::nullopt;
          } else if (*fault == RowFault::kError) {
            return row.error();
          } else {
            // All repetitions or none: the items of a row stay together.
            std::erase_if(out_.rows, [&](const Row& made) {
              return made.family == family->name && made.fill_hundredths == fill;
            });
            dropped_.push_back(std::string(family->name) + " at fill " + FractionText(fill, 2));
            break;
          }
        }
      }
    }
    if (out_.rows.empty()) {
      return Error{
          ErrorCode::kUsage,
          "the sliding window of " + std::to_string(shop_.window) +
              " tokens holds no question with its facts: set window to 0 to place the facts "
              "without regard to it",
          "workset.window"};
    }
    Stamp();
    return std::move(out_);
  }

 private:
  bool SetRoom() {
    // Never less than what a run wants to be left: it refuses a prompt otherwise.
    const std::optional<std::int64_t> system = shop_.count(SystemMessage());
    if (!system) return false;
    shop_.template_tokens = kTemplateRoom + *system;
    if (measured_ && input_.template_tokens) {
      shop_.template_tokens = std::max(shop_.template_tokens, *input_.template_tokens);
    }
    shop_.cap = input_.ctx - input_.max_tokens - shop_.template_tokens;
    return true;
  }

  void SetWindow() {
    if (input_.config.window) {
      window_source_ = WindowSource::kOption;
      shop_.window = *input_.config.window;
    } else if (input_.probed_window > 0) {
      window_source_ = WindowSource::kProbe;
      shop_.window = input_.probed_window;
    }
  }

  void Stamp() {
    const SparkConfig& config = input_.config;
    Json& stamp = out_.stamp;
    stamp["profile"] = "spark";
    stamp["content_version"] = kContentVersion;
    stamp["corner"] = config.corner;
    stamp["calibration"] = measured_ ? "measured" : "estimate";
    stamp["cap_tokens"] = shop_.cap;
    stamp["template_tokens"] = shop_.template_tokens;
    stamp["filler"] = std::string(spark::NameOf(config.filler));
    stamp["filler_sha256"] = FillerDigest(config.corpus);
    stamp["needle"]["strategy"] = std::string(spark::NameOf(config.needle));
    stamp["needle"]["position"] = FractionText(config.position_millionths, 6);
    stamp["needle"]["window"] = shop_.window;
    stamp["needle"]["window_source"] = std::string(NameOf(window_source_));
    stamp["needle"]["needle_outside_window"] = Json(Json::Array(dropped_.begin(), dropped_.end()));
    stamp["fills"] = FillStamp(out_.rows, input_.ctx, measured_);
    Json::Array rows;
    for (const Row& row : out_.rows) {
      if (rows.size() == kMostStampedRows) break;
      rows.push_back(RowStamp(row));
    }
    stamp["rows_left_out"] = out_.rows.size() - rows.size();
    stamp["rows"] = std::move(rows);
  }

  const GenerateInput& input_;
  bool measured_;
  Shop shop_;
  WindowSource window_source_ = WindowSource::kNone;
  std::vector<std::string> dropped_;
  Generated out_;
};

}  // namespace

Result<Generated> Generate(const GenerateInput& input) {
  if (input.count) {
    if (auto made = Maker(input, input.count, /*measured=*/true).Make()) return *std::move(made);
  }
  const TokenCounter estimate = [](std::string_view text) {
    return std::optional(EstimatedTokens(text));
  };
  auto made = Maker(input, estimate, /*measured=*/false).Make();
  return *std::move(made);  // An estimate is never missing.
}

}  // namespace bi_test::spark
