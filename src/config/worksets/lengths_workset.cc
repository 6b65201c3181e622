#include "config/worksets/lengths_workset.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/seeded_random.h"
#include "base/try.h"
#include "config/worksets/filler_text.h"
#include "config/worksets/workset.h"

namespace bi_test::config {
namespace {

constexpr std::uint64_t kSeed = 0x6c656e67746873;  // "lengths"
constexpr std::size_t kMostText = std::size_t{4} << 20;

/// At least `bytes` of notes, all their own for each row.
std::string Notes(std::size_t row, std::size_t bytes) {
  SeededRandom random(kSeed, row);
  std::string text;
  // The first word differs from row to row, or the shortest rows would be one prompt.
  while (text.size() < bytes) {
    const std::string_view trade = kFillerTrades[random.Below(kFillerTrades.size())];
    text +=
        FillerNote(random, trade,
                   std::to_string(11 + random.Below(88)) + " " + std::string(FillerGoods(random)));
  }
  return text;
}

Error NoTokenizer(int length) {
  return Error{ErrorCode::kServer,
               "the server's tokenizer gave no count, and prompts of " + std::to_string(length) +
                   " tokens cannot be made without; use another work-set",
               "workset"};
}

/// The longest beginning of `text` with at most `length` tokens. Longer beginnings never have fewer
/// tokens but for a merge at the cut, so the neighbourhood of the cut is looked at as well.
Result<std::string> Cut(const std::string& text, int length, const TokenCounter& count) {
  std::size_t low = 0;
  std::size_t high = text.size();
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    const std::optional<std::int64_t> tokens = count(text.substr(0, middle));
    if (!tokens) return NoTokenizer(length);
    if (*tokens <= length) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  constexpr std::size_t kNear = 12;
  for (std::size_t at = std::min(low + kNear, text.size()); at > 0 && at + kNear > low; --at) {
    const std::optional<std::int64_t> tokens = count(text.substr(0, at));
    if (!tokens) return NoTokenizer(length);
    if (*tokens == length) return text.substr(0, at);
  }
  return text.substr(0, low);
}

}  // namespace

std::vector<int> ProbeLengths(const std::vector<int>& batch_sizes, int longest) {
  std::set<int> lengths = {1, 2, 3};
  std::vector<int> edges = {32, 64, 128, 256, 512, 1024};
  edges.insert(edges.end(), batch_sizes.begin(), batch_sizes.end());
  for (const int edge : edges) {
    for (int length = edge - 2; length <= edge + 1; ++length) lengths.insert(length);
  }
  std::vector<int> out;
  for (const int length : lengths) {
    if (length >= 1 && length <= longest) out.push_back(length);
  }
  return out;
}

Result<Workset> MakeLengthsWorkset(const std::vector<int>& lengths, bool completion,
                                   const TokenCounter& count) {
  std::vector<WorksetRow> rows;
  std::set<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    // A token of a usual vocabulary has some four bytes of such text, one of single bytes has one.
    std::size_t bytes = 8 * static_cast<std::size_t>(lengths[i]) + 64;
    std::string text = Notes(i, bytes);
    while (true) {
      const std::optional<std::int64_t> tokens = count(text);
      if (!tokens) return NoTokenizer(lengths[i]);
      if (*tokens >= lengths[i] || text.size() > kMostText) break;
      bytes *= 2;
      text = Notes(i, bytes);
    }
    BI_TRY_SET(std::string cut, Cut(text, lengths[i], count));
    if (cut.empty() || !texts.insert(cut).second) continue;
    WorksetRow row;
    row.prompt = std::move(cut);
    row.completion = completion;
    row.family = "tokens_" + std::to_string(lengths[i]);
    rows.push_back(std::move(row));
  }
  return MakeWorkset(std::move(rows), "built-in lengths");
}

}  // namespace bi_test::config
