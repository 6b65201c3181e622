#include "verdict/pass_union.h"

#include <set>

#include "verdict/drift.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Counts the distinct outputs of one id. Failed requests said nothing and do not count.
class OutputCounter {
 public:
  void Add(const Trial& trial) {
    if (!trial.malformed_row && !IsFault(trial)) seen_.insert(Key(trial));
  }
  [[nodiscard]] int count() const { return static_cast<int>(seen_.size()); }

 private:
  [[nodiscard]] static std::string Key(const Trial& trial) {
    Json key = Json::Array{trial.content, trial.reasoning_content, trial.tool_calls,
                           trial.content.is_null() ? trial.response_first_200 : Json()};
    if (trial.token_ids) {
      key.if_array()->emplace_back(Json::Array(trial.token_ids->begin(), trial.token_ids->end()));
    }
    return CompactText(key);
  }
  std::set<std::string> seen_;
};

/// Walks all passes in step with the ids.
class UnionBuilder {
 public:
  UnionBuilder(const RecordIndex& index, const RowComparer& comparer)
      : index_(index), comparer_(comparer), cursors_(index.passes.size(), 0) {
    const std::size_t n = index.passes.size();
    out_.divergent.assign(n, 0);
    out_.token_only.assign(n, 0);
    out_.missing.assign(n, 0);
    rows_.assign(n, nullptr);
  }

  [[nodiscard]] PassUnion Build() {
    auto a = index_.a.begin();
    for (std::uint32_t id = 0; id < index_.ids.size(); ++id) {
      const Trial* serial = nullptr;
      if (a != index_.a.end() && a->id == id) serial = (a++)->trial;
      const std::size_t present = TakeRows(id);
      if (serial == nullptr && present == 0) continue;
      if (serial == nullptr) {
        AddUnknownId(id);
      } else {
        AddId(id, *serial, present);
      }
    }
    return std::move(out_);
  }

 private:
  std::size_t TakeRows(std::uint32_t id) {
    std::size_t present = 0;
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      const RowMap& pass = index_.passes[p];
      const bool here = cursors_[p] < pass.size() && pass[cursors_[p]].id == id;
      rows_[p] = here ? pass[cursors_[p]++].trial : nullptr;
      if (here) ++present;
    }
    return present;
  }

  void Note(std::uint32_t id, std::size_t pass, DifferenceKind kind) {
    if (kind == DifferenceKind::kOutput) {
      ++out_.token_only[pass];
    } else {
      ++out_.divergent[pass];
    }
    out_.differences.push_back({id, static_cast<int>(pass), kind});
  }

  /// An id that A does not have: every row of it is a difference.
  void AddUnknownId(std::uint32_t id) {
    const Trial* first = nullptr;
    const Trial* first_differing = nullptr;
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      if (rows_[p] == nullptr) continue;
      Note(id, p, DifferenceKind::kMissing);
      if (first == nullptr) first = rows_[p];
      if (first_differing == nullptr && comparer_.Compare(empty_, *rows_[p]).divergent()) {
        first_differing = rows_[p];
      }
    }
    out_.rows.push_back({id, first_differing != nullptr ? first_differing : first});
  }

  void AddId(std::uint32_t id, const Trial& serial, std::size_t present) {
    const Trial* field = nullptr;
    const Trial* output = nullptr;
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      if (rows_[p] == nullptr) {
        ++out_.missing[p];
        Note(id, p, DifferenceKind::kMissing);
        continue;
      }
      const RowComparison comparison = comparer_.Compare(serial, *rows_[p]);
      if (comparison.divergent()) {
        const bool fault = IsFault(serial) || IsFault(*rows_[p]);
        Note(id, p, fault ? DifferenceKind::kFault : DifferenceKind::kField);
        if (field == nullptr) field = rows_[p];
      } else if (!comparison.token_identical) {
        Note(id, p, DifferenceKind::kOutput);
        if (output == nullptr) output = rows_[p];
      }
    }
    if (field != nullptr || output != nullptr) CountOutputs(id, serial);
    if (present < rows_.size() || rows_.empty()) return;
    if (field == nullptr) field = output;
    out_.rows.push_back({id, field != nullptr ? field : FarthestByLogprob(serial)});
  }

  /// Of rows that say the same, the first of those whose log-probabilities are farthest from the
  /// serial ones: a drift in one pass only must not hide behind the others.
  [[nodiscard]] const Trial* FarthestByLogprob(const Trial& serial) const {
    const Trial* farthest = rows_.front();
    double most = DriftBetween(serial, *farthest);
    for (std::size_t p = 1; p < rows_.size(); ++p) {
      const double drift = DriftBetween(serial, *rows_[p]);
      if (drift <= most) continue;
      most = drift;
      farthest = rows_[p];
    }
    return farthest;
  }

  void CountOutputs(std::uint32_t id, const Trial& serial) {
    OutputCounter counter;
    counter.Add(serial);
    for (const Trial* row : rows_) {
      if (row != nullptr) counter.Add(*row);
    }
    if (counter.count() > 1) out_.distinct_outputs.emplace(index_.ids[id], counter.count());
  }

  const RecordIndex& index_;
  const RowComparer& comparer_;
  const Trial empty_{};
  std::vector<std::size_t> cursors_;
  std::vector<const Trial*> rows_;
  PassUnion out_;
};

}  // namespace

PassUnion BuildUnion(const RecordIndex& index, const RowComparer& comparer) {
  return UnionBuilder(index, comparer).Build();
}

}  // namespace bi_test
