#include "verdict/pair_report.h"

#include <algorithm>

#include "verdict/buckets.h"
#include "verdict/drift.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Calls `only_x(row)`, `only_y(row)` or `both(row, row)` for each id of two maps, ids ascending.
template <typename OnlyX, typename OnlyY, typename Both>
void Merge(const RowMap& x, const RowMap& y, OnlyX only_x, OnlyY only_y, Both both) {
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->id < j->id)) {
      only_x(*i++);
    } else if (i == x.end() || j->id < i->id) {
      only_y(*j++);
    } else {
      both(*i++, *j++);
    }
  }
}

/// Counts by a text made from a value. Neighbouring ids mostly share the value, so the last one is
/// kept.
template <typename Count, std::string (*Text)(const Json&)>
class Bucketer {
 public:
  explicit Bucketer(std::map<std::string, Count>& counts) : counts_(counts) {}

  Count& operator()(const Json& value) {
    if (count_ == nullptr || !(value == last_)) {
      last_ = value;
      count_ = &counts_[Text(value)];
    }
    return *count_;
  }

 private:
  std::map<std::string, Count>& counts_;
  Json last_;
  Count* count_ = nullptr;
};

class PairBuilder {
 public:
  PairBuilder(const std::vector<std::string_view>& ids, const RowComparer& comparer,
              const Policy& policy, const PairKind& kind)
      : ids_(ids), comparer_(comparer), drift_(policy, kind.drift_gate) {
    report_.pair = kind.label;
  }

  void AddMissing(const Row& row, std::vector<std::string>& side) {
    const std::string id(ids_[row.id]);
    side.push_back(id);
    report_.divergent_ids.push_back(id);
    BucketCount& bucket = family_(row.trial->family);
    ++bucket.n;
    ++bucket.divergent;
    ++fill_(row.trial->fill_ratio);
    ++n_all_;
  }

  void AddShared(const Row& x, const Row& y) {
    const Trial& a = *x.trial;
    const Trial& b = *y.trial;
    const RowComparison comparison = comparer_.Compare(a, b);
    BucketCount& family = family_(a.family.is_null() ? b.family : a.family);
    std::int64_t& fill = fill_(a.fill_ratio.is_null() ? b.fill_ratio : a.fill_ratio);
    ++family.n;
    ++n_all_;
    ++report_.n_compared;
    if (comparison.truncated_content) ++report_.n_truncated_content;
    drift_.Add(ids_[x.id], a, b);
    if (comparison.divergent()) {
      ++family.divergent;
      ++fill;
      report_.divergent_ids.emplace_back(ids_[x.id]);
      AddFields(x.id, a, b, comparison);
    } else if (!comparison.token_identical) {
      report_.token_divergence_ids.emplace_back(ids_[x.id]);
      if (comparison.framing_only) report_.framing_ids.emplace_back(ids_[x.id]);
      if (comparison.finish_reason_only) report_.finish_reason_ids.emplace_back(ids_[x.id]);
    }
  }

  PairReport& report() { return report_; }

  [[nodiscard]] PairReport Take() {
    report_.n_divergent = static_cast<std::int64_t>(report_.divergent_ids.size());
    if (n_all_ > 0) {
      report_.divergence_rate =
          static_cast<double>(report_.n_divergent) / static_cast<double>(n_all_);
    }
    report_.logit_drift = drift_.Take();
    return std::move(report_);
  }

 private:
  void AddFields(std::uint32_t id, const Trial& a, const Trial& b,
                 const RowComparison& comparison) {
    FieldDifference difference;
    difference.test_id = std::string(ids_[id]);
    difference.token_identical = comparison.token_identical;
    if (report_.per_id.size() < kMaxFieldDifferences) {
      difference.x_content_sha = ContentSha(a);
      difference.y_content_sha = ContentSha(b);
      difference.x_output_sha = OutputSha(a);
      difference.y_output_sha = OutputSha(b);
    }
    if (comparison.malformed) {
      AddEntry(difference, "<row>", RowJson(a), RowJson(b));
      return;
    }
    for (std::size_t i = 0; i < comparer_.field_names().size(); ++i) {
      if ((comparison.fields & (1U << i)) == 0) continue;
      AddEntry(difference, comparer_.field_names()[i], comparer_.FieldValue(a, i),
               comparer_.FieldValue(b, i));
    }
  }

  void AddEntry(FieldDifference difference, const std::string& field, Json x, Json y) {
    ++report_.n_per_id;
    if (report_.per_id.size() >= kMaxFieldDifferences) return;
    difference.field = field;
    difference.x = std::move(x);
    difference.y = std::move(y);
    report_.per_id.push_back(std::move(difference));
  }

  const std::vector<std::string_view>& ids_;
  const RowComparer& comparer_;
  PairReport report_;
  DriftCollector drift_;
  Bucketer<BucketCount, FamilyText> family_{report_.by_family};
  Bucketer<std::int64_t, FillText> fill_{report_.by_fill};
  std::int64_t n_all_ = 0;
};

}  // namespace

PairReport BuildPairReport(const RowMap& x, const RowMap& y,
                           const std::vector<std::string_view>& ids, const RowComparer& comparer,
                           const Policy& policy, const PairKind& kind) {
  PairBuilder builder(ids, comparer, policy, kind);
  Merge(
      x, y,
      [&](const Row& row) {
        if (!kind.y_is_sample) builder.AddMissing(row, builder.report().only_x);
      },
      [&](const Row& row) { builder.AddMissing(row, builder.report().only_y); },
      [&](const Row& a, const Row& b) { builder.AddShared(a, b); });
  return builder.Take();
}

bool OnlyFaultsDiffer(const RowMap& x, const RowMap& y, const RowComparer& comparer,
                      bool y_is_sample) {
  bool any = false;
  bool only_faults = true;
  Merge(
      x, y, [&](const Row&) { only_faults = only_faults && y_is_sample; },
      [&](const Row&) { only_faults = false; },
      [&](const Row& a, const Row& b) {
        if (!comparer.Compare(*a.trial, *b.trial).divergent()) return;
        any = true;
        only_faults = only_faults && (IsFault(*a.trial) || IsFault(*b.trial));
      });
  return any && only_faults;
}

}  // namespace bi_test
