#pragma once

#include <cstddef>

namespace bi_test {

/// How much of one JSON text is read, and what is let pass. Beyond the limits reading fails, it
/// never truncates. All sizes that a reader of JSON allows stand in this file.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  int max_depth = 64;
  /// For texts of servers and models: bytes inside strings that are not UTF-8 are kept as they are,
  /// and a surrogate escape without its partner becomes its three-byte form. Else both are errors.
  bool tolerate_broken_text = false;
};

/// Files of our own (certs, refusals, attempts) and pages of a server.
inline constexpr JsonLimits kDocumentLimits{};
/// One line of a trace. A cert holds values of a trace, some of them a few levels deeper.
inline constexpr JsonLimits kTraceLineLimits{std::size_t{64} << 20, 64, true};
/// One event of a reply, or a whole reply that is not streamed.
inline constexpr JsonLimits kReplyLimits{std::size_t{16} << 20, 64, true};
/// A work-set file: a row stands deeper in the request, the trace and the cert than here.
inline constexpr JsonLimits kWorksetLimits{std::size_t{64} << 20, 48, false};
/// JSON that a model wrote into its answer.
inline constexpr JsonLimits kAnswerLimits{std::size_t{256} << 10, 64, true};
/// One line of a program that scores: it may send back what a model said.
inline constexpr JsonLimits kScorerLineLimits{std::size_t{1} << 20, 16, true};

}  // namespace bi_test
