#include "verdict/divergence_list.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "verdict/divergence.h"
#include "verdict/leak.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

/// Neighbours looked at when a donor is searched.
constexpr std::size_t kMaxNeighbours = 1024;
/// Differing answers for which a donor is searched; a cell with more of them is RED for plainer
/// reasons.
constexpr std::int64_t kMaxLeakSearches = 4096;

/// Scored fields, missing rows, faults, outputs.
[[nodiscard]] int RankOf(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::kField:
      return 0;
    case DifferenceKind::kMissing:
      return 1;
    case DifferenceKind::kFault:
      return 2;
    case DifferenceKind::kOutput:
      return 3;
  }
  return 3;
}

class Collector {
 public:
  Collector(const RecordIndex& index, const std::vector<Occupancy>& occupancies,
            const Findings& findings)
      : index_(index),
        occupancies_(occupancies),
        differences_(findings.passes.differences),
        comparer_(findings.comparer),
        leaks_(index) {}

  /// The differences of arm C, in the order of the passes.
  void AddPasses() {
    n_all_ = static_cast<std::int64_t>(differences_.size());
    const std::vector<bool> describe = Foremost();
    std::vector<std::vector<std::size_t>> by_pass(occupancies_.size());
    for (std::size_t i = 0; i < differences_.size(); ++i) {
      by_pass[static_cast<std::size_t>(differences_[i].pass)].push_back(i);
    }
    for (const std::vector<std::size_t>& pass : by_pass) {
      for (const std::size_t i : pass) AddDifference(differences_[i], describe[i]);
    }
  }

  /// The differences of a serial arm (`x`) with its control.
  void AddControl(Arm arm, int pass, const RowMap& x, const RowMap& y, const PairReport& report) {
    n_all_ += report.n_divergent + static_cast<std::int64_t>(report.token_divergence_ids.size());
    const auto add = [&](const std::vector<std::string>& ids, int rank) {
      for (std::size_t i = 0; i < ids.size() && i < kMaxDivergences; ++i) {
        const auto at =
            std::lower_bound(index_.ids.begin(), index_.ids.end(), std::string_view(ids[i]));
        const auto id = static_cast<std::uint32_t>(at - index_.ids.begin());
        Entry entry;
        entry.id = id;
        entry.divergence =
            DescribeDivergence(ids[i], arm, pass, FindRow(x, id), FindRow(y, id), comparer_);
        entry.rank = entry.divergence.transport ? 2 : rank;
        if (entry.divergence.field == "<missing>") entry.rank = 1;
        entries_.push_back(std::move(entry));
      }
    };
    add(report.divergent_ids, 0);
    add(report.token_divergence_ids, 3);
  }

  void Store(Judgement& judgement) {
    // Within a rank arm C comes first: it is what the cell is about.
    const auto arm_order = [](Arm arm) { return arm == Arm::kC ? 0 : arm == Arm::kA ? 1 : 2; };
    std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& x, const Entry& y) {
      const Divergence& a = x.divergence;
      const Divergence& b = y.divergence;
      return std::tuple(x.rank, arm_order(a.arm), x.id, a.pass) <
             std::tuple(y.rank, arm_order(b.arm), y.id, b.pass);
    });
    if (entries_.size() > kMaxDivergences) entries_.resize(kMaxDivergences);
    judgement.divergences.clear();
    for (Entry& entry : entries_) judgement.divergences.push_back(std::move(entry.divergence));
    judgement.n_divergences = n_all_;
    judgement.n_leaks = n_leaks_;
    judgement.divergences_by_width = std::move(by_width_);
  }

 private:
  struct Entry {
    int rank = 0;
    std::uint32_t id = 0;
    Divergence divergence;
  };

  /// The differences that there is room to describe, by rank.
  [[nodiscard]] std::vector<bool> Foremost() const {
    std::vector<bool> describe(differences_.size(), false);
    std::size_t left = kMaxDivergences;
    for (int rank = 0; rank <= 3 && left > 0; ++rank) {
      for (std::size_t i = 0; i < differences_.size() && left > 0; ++i) {
        if (RankOf(differences_[i].kind) != rank) continue;
        describe[i] = true;
        --left;
      }
    }
    return describe;
  }

  [[nodiscard]] std::vector<std::uint32_t> Neighbours(std::uint32_t id, const Trial& row,
                                                      std::size_t pass) const {
    const ServiceTime time = ServiceTimeOf(row);
    if (time.kind != ServiceTime::Kind::kMissing) {
      return occupancies_[pass].Companions(time.interval, id, kMaxNeighbours);
    }
    // Nobody knows when it was in service: any id of the pass may have been beside it.
    std::vector<std::uint32_t> out;
    for (const Row& other : index_.passes[pass]) {
      if (out.size() >= kMaxNeighbours) break;
      if (other.id != id) out.push_back(other.id);
    }
    return out;
  }

  void AddDifference(const PassDifference& difference, bool describe) {
    const auto pass = static_cast<std::size_t>(difference.pass);
    const Trial* serial = FindRow(index_.a, difference.id);
    const Trial* row = FindRow(index_.passes[pass], difference.id);
    const bool scored = difference.kind == DifferenceKind::kField;
    const std::optional<int> width =
        row == nullptr ? std::nullopt : ObservedWidth(*row, occupancies_[pass]);
    if (scored && width) ++by_width_[*width];

    std::optional<std::uint32_t> donor;
    std::vector<std::uint32_t> neighbours;
    const bool search = scored && n_searches_ < kMaxLeakSearches;
    if (row != nullptr && (describe || search)) neighbours = Neighbours(difference.id, *row, pass);
    const bool answered = scored || difference.kind == DifferenceKind::kOutput;
    if (row != nullptr && serial != nullptr && answered && (describe || search)) {
      ++n_searches_;
      donor = leaks_.FindDonor(*serial, *row, neighbours);
      if (donor) ++n_leaks_;
    }
    if (!describe) return;

    Entry entry;
    entry.rank = RankOf(difference.kind);
    entry.id = difference.id;
    entry.divergence = DescribeDivergence(index_.ids[difference.id], Arm::kC, difference.pass,
                                          serial, row, comparer_);
    entry.divergence.observed_width = width;
    if (donor) entry.divergence.leak_donor = std::string(index_.ids[*donor]);
    if (row != nullptr && ServiceTimeOf(*row).kind != ServiceTime::Kind::kMissing) {
      if (neighbours.size() > kMaxCompanions) neighbours.resize(kMaxCompanions);
      for (const std::uint32_t id : neighbours) {
        entry.divergence.companions.emplace_back(index_.ids[id]);
      }
    }
    entries_.push_back(std::move(entry));
  }

  const RecordIndex& index_;
  const std::vector<Occupancy>& occupancies_;
  const std::vector<PassDifference>& differences_;
  const RowComparer& comparer_;
  LeakDetector leaks_;
  std::vector<Entry> entries_;
  std::int64_t n_all_ = 0;
  std::int64_t n_leaks_ = 0;
  std::int64_t n_searches_ = 0;
  std::map<int, std::int64_t> by_width_;
};

}  // namespace

void ListDivergences(const RecordIndex& index, const std::vector<Occupancy>& occupancies,
                     Findings& findings) {
  Judgement& out = findings.judgement;
  Collector list(index, occupancies, findings);
  list.AddPasses();
  list.AddControl(Arm::kA, 1, index.a, index.a2, out.aa2);
  if (out.aa3) list.AddControl(Arm::kA, 2, index.a, index.a3, *out.aa3);
  list.AddControl(Arm::kB, 0, index.a, index.b, out.ab);
  if (out.bb2) list.AddControl(Arm::kB, 1, index.b, index.b2, *out.bb2);
  list.Store(out);
}

}  // namespace bi_test
