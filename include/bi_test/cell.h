#pragma once

#include <iosfwd>
#include <string>

namespace bi_test {

/// What one verdict is about: a model, the context of one slot, and the number of requests that are
/// in flight at once. The KV cache type is part of the identity, but not of the file name.
struct Cell {
  std::string model;   ///< Id of the model in the sweep file; never a path.
  int ctx = 0;         ///< Context of one slot, tokens, >= 1.
  int dispatch_n = 0;  ///< N, requests in flight in arm C, >= 2 (`parallel` in a sweep file).
  std::string kv_label = "f16";  ///< KV cache type label.

  friend bool operator==(const Cell&, const Cell&) = default;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// `model ctx=C N=N`, for people.
[[nodiscard]] std::string Describe(const Cell& cell);

/// The stem of a cell's files, `{model}__ctx{ctx}__N{N}`: the model percent-encoded outside
/// `A-Za-z0-9._-` (and a leading dot), at most 200 bytes. Empty for a cell that may not be written
/// (empty model, ctx < 1, N < 2).
///
///     FileStem({.model = "phi-4", .ctx = 8192, .dispatch_n = 4}) == "phi-4__ctx8192__N4"
[[nodiscard]] std::string FileStem(const Cell& cell);

/// As `Describe`, with the KV cache type.
std::ostream& operator<<(std::ostream& out, const Cell& cell);

}  // namespace bi_test
