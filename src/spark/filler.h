#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/spark.h"
#include "spark/family.h"
#include "spark/random.h"
#include "spark/term_check.h"

namespace bi_test::spark {

/// Text around the needle, as the units between which a needle may stand: sentences, functions at
/// the left margin, or lines.
struct Filler {
  std::vector<std::string> units;
  std::string separator;  ///< Between units, and around a needle.
};

/// An endless supply of filler for one item. The units that were handed out stay the same when more
/// are asked for.
class FillerReservoir {
 public:
  /// `corpus`: text of the user, or empty for the built-in one. Corpus text is read from a random
  /// unit on, and again from its beginning; units that hold a term are left out.
  FillerReservoir(FillerSource source, FillerVariant variant, std::string_view corpus,
                  const TermCheck& terms, Random& random);

  /// Draws until the text has at least that many bytes. An error when it cannot: every unit of the
  /// corpus holds a term.
  [[nodiscard]] Status GrowTo(std::size_t bytes);
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The first `bytes` bytes, or a little less: the last unit is cut at a word (prose) or a line
  /// (code), so that no half word and no half function stands in it.
  [[nodiscard]] Filler Cut(std::size_t bytes) const;

 private:
  [[nodiscard]] Result<std::string> NextUnit();

  FillerSource source_;
  FillerVariant variant_;
  const TermCheck& terms_;
  Random& random_;
  std::vector<std::string> corpus_;  ///< Its usable units.
  bool has_corpus_ = false;
  std::size_t next_ = 0;
  Filler all_;
  std::size_t size_ = 0;
};

/// The sentences of a text: it is split at white space after `.`, `!` or `?`.
[[nodiscard]] std::vector<std::string> SplitSentences(std::string_view text);

/// The top-level parts of code: it is split at empty lines before a line that is not indented.
[[nodiscard]] std::vector<std::string> SplitCode(std::string_view text);

/// A unit cut to at most `bytes`: prose at a word, with a full stop; code at a line, at least two
/// of them after any comment. Empty when nothing sensible is left.
[[nodiscard]] std::string CutSentence(std::string_view sentence, std::size_t bytes);
[[nodiscard]] std::string CutCode(std::string_view code, std::size_t bytes);

}  // namespace bi_test::spark
