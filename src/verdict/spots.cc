#include "verdict/spots.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "verdict/divergence.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

/// Neighbours looked at when a donor is searched.
constexpr std::size_t kMaxNeighbours = 1024;
/// Differing answers for which a donor is searched; a cell with more of them is RED for plainer
/// reasons.
constexpr std::int64_t kMaxLeakSearches = 4096;

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

}  // namespace

SpotCollector::SpotCollector(const RecordIndex& index, const PassUnion& passes,
                             const RowComparer& comparer)
    : index_(index),
      passes_(passes),
      comparer_(comparer),
      by_pass_(index.passes.size()),
      leaks_(index) {
  const std::vector<PassDifference>& differences = passes.differences;
  n_all_ = static_cast<std::int64_t>(differences.size());
  describe_.assign(differences.size(), false);
  std::size_t left = kMaxDivergences;
  for (int rank = 0; rank <= 3 && left > 0; ++rank) {
    for (std::size_t i = 0; i < differences.size() && left > 0; ++i) {
      if (RankOf(differences[i].kind) != rank) continue;
      describe_[i] = true;
      --left;
    }
  }
  for (std::uint32_t i = 0; i < differences.size(); ++i) {
    by_pass_[static_cast<std::size_t>(differences[i].pass)].push_back(i);
  }
}

void SpotCollector::AddPass(int pass, const ServiceView& view) {
  for (const std::uint32_t i : by_pass_[static_cast<std::size_t>(pass)]) {
    AddDifference(passes_.differences[i], describe_[i], view);
  }
}

std::vector<std::uint32_t> SpotCollector::Neighbours(const PassDifference& difference,
                                                     const Trial& row,
                                                     const ServiceView& view) const {
  const ServiceTime time = ServiceTimeOf(row);
  if (time.kind != ServiceTime::Kind::kMissing) {
    return view.Companions(time.interval, difference.id, kMaxNeighbours);
  }
  // Nobody knows when it was in service: any id of the pass may have been beside it.
  std::vector<std::uint32_t> out;
  for (const Row& other : index_.passes[static_cast<std::size_t>(difference.pass)]) {
    if (out.size() >= kMaxNeighbours) break;
    if (other.id != difference.id) out.push_back(other.id);
  }
  return out;
}

void SpotCollector::AddDifference(const PassDifference& difference, bool describe,
                                  const ServiceView& view) {
  const Trial* serial = FindRow(index_.a, difference.id);
  const Trial* row =
      FindRow(index_.passes[static_cast<std::size_t>(difference.pass)], difference.id);
  const bool scored = difference.kind == DifferenceKind::kField;
  const std::optional<int> width = row == nullptr ? std::nullopt : ObservedWidth(*row, view);
  if (scored && width) ++by_width_[*width];

  std::optional<std::uint32_t> donor;
  std::vector<std::uint32_t> neighbours;
  const bool search = scored && n_searches_ < kMaxLeakSearches;
  if (row != nullptr && (describe || search)) neighbours = Neighbours(difference, *row, view);
  const bool answered = scored || difference.kind == DifferenceKind::kOutput;
  if (row != nullptr && serial != nullptr && answered && (describe || search)) {
    ++n_searches_;
    donor = leaks_.FindDonor(*serial, *row, neighbours);
    if (donor) ++n_leaks_;
  }
  if (!describe) return;

  Spot spot;
  spot.rank = RankOf(difference.kind);
  spot.id = difference.id;
  spot.divergence = DescribeDivergence(index_.ids[difference.id], Arm::kC, difference.pass, serial,
                                       row, comparer_);
  spot.divergence.observed_width = width;
  if (donor) spot.divergence.leak_donor = std::string(index_.ids[*donor]);
  const bool timed = row != nullptr && ServiceTimeOf(*row).kind != ServiceTime::Kind::kMissing;
  if (timed) {
    if (neighbours.size() > kMaxCompanions) neighbours.resize(kMaxCompanions);
    for (const std::uint32_t id : neighbours) {
      spot.divergence.companions.emplace_back(index_.ids[id]);
    }
  }
  spots_.push_back(std::move(spot));
}

void SpotCollector::AddControl(Arm arm, int pass, const RowMap& x, const RowMap& y,
                               const PairReport& report) {
  n_all_ += report.n_divergent + static_cast<std::int64_t>(report.token_divergence_ids.size());
  const auto add = [&](const std::vector<std::string>& ids, int rank) {
    for (std::size_t i = 0; i < ids.size() && i < kMaxDivergences; ++i) {
      const auto at =
          std::lower_bound(index_.ids.begin(), index_.ids.end(), std::string_view(ids[i]));
      const auto id = static_cast<std::uint32_t>(at - index_.ids.begin());
      Spot spot;
      spot.id = id;
      spot.divergence =
          DescribeDivergence(ids[i], arm, pass, FindRow(x, id), FindRow(y, id), comparer_);
      spot.rank = spot.divergence.transport ? 2 : rank;
      if (spot.divergence.field == "<missing>") spot.rank = 1;
      spots_.push_back(std::move(spot));
    }
  };
  add(report.divergent_ids, 0);
  add(report.token_divergence_ids, 3);
}

void SpotCollector::Store(Judgement& judgement) {
  // Within a rank arm C comes first: it is what the cell is about.
  const auto arm_order = [](Arm arm) { return arm == Arm::kC ? 0 : arm == Arm::kA ? 1 : 2; };
  std::stable_sort(spots_.begin(), spots_.end(), [&](const Spot& x, const Spot& y) {
    const Divergence& a = x.divergence;
    const Divergence& b = y.divergence;
    return std::tuple(x.rank, arm_order(a.arm), x.id, a.pass) <
           std::tuple(y.rank, arm_order(b.arm), y.id, b.pass);
  });
  if (spots_.size() > kMaxDivergences) spots_.resize(kMaxDivergences);
  judgement.divergences.clear();
  for (Spot& spot : spots_) judgement.divergences.push_back(std::move(spot.divergence));
  judgement.n_divergences = n_all_;
  judgement.n_leaks = n_leaks_;
  judgement.divergences_by_width = std::move(by_width_);
}

}  // namespace bi_test
