#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/trial.h"

namespace bi_test {

/// Bounds of `Judgement::divergences` and of `Divergence::companions`, so that a record in which
/// all differs stays cheap.
inline constexpr std::size_t kMaxDivergences = 256;
inline constexpr std::size_t kMaxCompanions = 64;

/// Where the output of one request parts from that of arm A (x is arm A, y the other). Offsets and
/// indices count from 0. Texts are raw model text: `SanitizeText` before they are shown. A plain
/// value; `Judge` fills it, readers may share it between threads.
struct Divergence {
  std::string test_id;
  Arm arm = Arm::kC;
  int pass = 0;
  /// `score`, `extracted_answer`, ... or `content`, `token_ids`, `finish_reason`, `logprobs`.
  std::string field;
  std::optional<std::int64_t> token_index;        ///< First differing token id.
  std::optional<std::int64_t> byte_offset;        ///< First differing byte of the content.
  std::optional<std::int64_t> code_point_offset;  ///< The same, counted in characters.
  std::string x_around, y_around;                 ///< Both texts around it, clipped.
  std::optional<double> margin;                   ///< Top-1 minus top-2 there in arm A, nats.
  bool not_explained_by_rounding = false;         ///< The margin is above 0.25 nats.
  std::string leak_donor;                         ///< Id whose answer this is, empty when none.
  std::optional<std::int64_t> slot;               ///< Of the server, where it said so.
  std::vector<std::string> companions;            ///< Ids in service at the same time; at most
                                                  ///< `kMaxCompanions`.
  std::optional<int> observed_width;              ///< Mean requests in service meanwhile, rounded.
  std::optional<std::int64_t> x_token, y_token;   ///< The token ids at `token_index`.
  bool transport = false;                         ///< A transport, deadline or server fault.
  std::string cause;  ///< What the fault was, empty when there was none.
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

}  // namespace bi_test
