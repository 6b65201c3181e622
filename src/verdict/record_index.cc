#include "verdict/record_index.h"

#include <algorithm>
#include <numeric>

#include "bi_test/sanitize.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxProblems = 8;

/// Numbers texts in the order of first sight: a hash table with linear probing, because a node per
/// id would cost more than the ids.
class IdTable {
 public:
  explicit IdTable(std::size_t n_texts) {
    std::size_t capacity = 16;
    while (capacity < 2 * n_texts) capacity *= 2;
    slots_.assign(capacity, kEmpty);
  }

  [[nodiscard]] std::uint32_t Number(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == kEmpty) {
        slots_[at] = static_cast<std::uint32_t>(texts_.size());
        texts_.push_back(text);
        return slots_[at];
      }
      if (texts_[slots_[at]] == text) return slots_[at];
    }
  }

  [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX;
  std::vector<std::uint32_t> slots_;
  std::vector<std::string_view> texts_;
};

/// Sorts a permutation of the texts. Ids of one work-set share a long prefix, so the eight bytes
/// after it decide most comparisons without touching the texts.
[[nodiscard]] std::vector<std::uint32_t> SortedOrder(const std::vector<std::string_view>& texts) {
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  if (texts.empty()) return order;
  std::size_t prefix = texts.front().size();
  for (const std::string_view text : texts) {
    const std::size_t limit = std::min(prefix, text.size());
    prefix = static_cast<std::size_t>(
        std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(limit),
                      texts.front().begin())
            .first -
        text.begin());
  }
  struct Keyed {
    std::uint64_t key;
    std::uint32_t number;
  };
  std::vector<Keyed> keyed(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t at = prefix + k;
      key =
          (key << 8U) | (at < texts[i].size()
                             ? static_cast<std::uint64_t>(static_cast<unsigned char>(texts[i][at]))
                             : 0U);
    }
    keyed[i] = {key, i};
  }
  std::sort(keyed.begin(), keyed.end(), [&texts](const Keyed& x, const Keyed& y) {
    if (x.key != y.key) return x.key < y.key;
    return texts[x.number] < texts[y.number];
  });
  std::transform(keyed.begin(), keyed.end(), order.begin(),
                 [](const Keyed& k) { return k.number; });
  return order;
}

[[nodiscard]] RowMap* GroupOf(RecordIndex& index, const Trial& trial) {
  switch (trial.arm) {
    case Arm::kA:
      if (trial.pass == 0) return &index.a;
      if (trial.pass == 1) return &index.a2;
      return trial.pass == 2 ? &index.a3 : nullptr;
    case Arm::kB:
      if (trial.pass == 0) return &index.b;
      return trial.pass == 1 ? &index.b2 : nullptr;
    case Arm::kC:
      if (trial.pass < 0 || trial.pass >= kMaxPasses) return nullptr;
      if (static_cast<std::size_t>(trial.pass) >= index.passes.size()) {
        index.passes.resize(static_cast<std::size_t>(trial.pass) + 1);
      }
      return &index.passes[static_cast<std::size_t>(trial.pass)];
  }
  return nullptr;
}

/// A text that tells two rows of one id apart, so that the choice between them does not depend on
/// the order of trials.
[[nodiscard]] std::string Fingerprint(const Trial& trial) {
  Json out;
  for (const Json* value : {&trial.score, &trial.passed, &trial.extracted_answer,
                            &trial.expected_answer, &trial.prompt_tokens_measured,
                            &trial.failure_mode, &trial.content, &trial.reasoning_content,
                            &trial.tool_calls, &trial.finish_reason, &trial.completion_tokens}) {
    out["v" + std::to_string(out.is_object() ? out.if_object()->size() : 0)] = *value;
  }
  out["row"] = trial.malformed_row ? *trial.malformed_row : Json();
  out["at"] = trial.dispatch_ts ? Json(*trial.dispatch_ts) : Json();
  return CompactText(out);
}

void AddProblem(RecordIndex& index, std::string text) {
  if (index.problems.size() < kMaxProblems) index.problems.push_back(std::move(text));
}

[[nodiscard]] std::string Place(const Trial& trial) {
  return std::string("arm ") + ArmName(trial.arm) + " pass " + std::to_string(trial.pass) +
         " test_id \"" + SanitizeText(trial.test_id, 120) + '"';
}

void Append(RecordIndex& index, std::uint32_t rank, const Trial& trial) {
  RowMap* group = GroupOf(index, trial);
  if (group == nullptr) {
    AddProblem(index, Place(trial) + ": no such arm and pass");
    return;
  }
  if (group->empty() || group->back().id != rank) {
    group->push_back({rank, &trial});
    return;
  }
  AddProblem(index, Place(trial) + ": occurs twice");
  if (Fingerprint(trial) < Fingerprint(*group->back().trial)) group->back().trial = &trial;
}

}  // namespace

RecordIndex BuildIndex(const Record& record) {
  const std::vector<Trial>& trials = record.trials;
  IdTable table(trials.size());
  std::vector<std::uint32_t> number_of(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) number_of[i] = table.Number(trials[i].test_id);

  const std::vector<std::uint32_t> order = SortedOrder(table.texts());
  std::vector<std::uint32_t> rank(order.size());
  RecordIndex index;
  index.ids.reserve(order.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) {
    rank[order[r]] = r;
    index.ids.push_back(table.texts()[order[r]]);
  }

  // Counting sort by id; every arm then receives its rows in order.
  std::vector<std::uint32_t> first(order.size() + 1, 0);
  for (const std::uint32_t number : number_of) ++first[rank[number] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> by_id(trials.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < trials.size(); ++i) by_id[next[rank[number_of[i]]]++] = i;
  for (std::uint32_t r = 0; r < order.size(); ++r) {
    for (std::uint32_t at = first[r]; at < first[r + 1]; ++at) {
      Append(index, r, trials[by_id[at]]);
    }
  }
  std::sort(index.problems.begin(), index.problems.end());
  return index;
}

const Trial* FindRow(const RowMap& rows, std::uint32_t id) {
  const auto it =
      std::lower_bound(rows.begin(), rows.end(), id,
                       [](const Row& row, std::uint32_t wanted) { return row.id < wanted; });
  return it != rows.end() && it->id == id ? it->trial : nullptr;
}

}  // namespace bi_test
