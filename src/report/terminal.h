#pragma once

#include <map>
#include <string>
#include <string_view>

#include "bi_test/verdict.h"

namespace bi_test::report {

/// Whether to colour a stream. A non-empty NO_COLOR says no; then FORCE_COLOR or CLICOLOR_FORCE
/// (set, and not `0`) say yes; else a terminal whose TERM is not `dumb` gets colour unless CLICOLOR
/// is `0`.
[[nodiscard]] bool UseColor(const std::map<std::string, std::string>& env, bool is_terminal);

/// Whether a live progress line is of use: on a terminal that is not `dumb`, outside CI.
[[nodiscard]] bool UseLiveProgress(const std::map<std::string, std::string>& env, bool is_terminal);

/// Paints words, or does nothing when off.
class Palette {
 public:
  explicit Palette(bool on) : on_(on) {}
  /// The one of a program's standard output.
  [[nodiscard]] static Palette ForStandardOutput(const std::map<std::string, std::string>& env);

  [[nodiscard]] std::string Paint(Verdict verdict, std::string_view text) const;
  /// For errors and cells not reached.
  [[nodiscard]] std::string PaintError(std::string_view text) const;
  [[nodiscard]] std::string PaintDim(std::string_view text) const;

 private:
  [[nodiscard]] std::string Wrap(std::string_view code, std::string_view text) const;
  bool on_;
};

}  // namespace bi_test::report
