#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/record.h"

namespace bi_test::testing {

/// Shape of a made-up record.
struct RecordShape {
  int n_ids = 8;
  int dispatch_n = 4;
  int passes = 2;
  bool distinct_prompts = true;
};

/// One scored row: all six invariants, a whole output and timings; nothing random.
[[nodiscard]] Trial MakeTrial(Arm arm, int pass, int item, double start, double end);

/// A record that is GREEN: arms A, A2, B and all passes of C agree, every pass is at width N, the
/// header holds all that promotion asks for. Ids are `w00`, `w01`, ...
[[nodiscard]] Record CleanRecord(const RecordShape& shape = {});

/// The record that edge cases start from: ids t0..t3, N = 4, one pass, every interval [0, 1].
[[nodiscard]] Record ContractRecord();

/// The trial of that place; aborts when there is none, which is a mistake of the test.
[[nodiscard]] Trial& At(Record& record, Arm arm, int pass, std::string_view id);

/// Removes all trials for which `matches` holds.
template <typename Predicate>
void RemoveTrials(Record& record, Predicate matches) {
  std::erase_if(record.trials, matches);
}

}  // namespace bi_test::testing
