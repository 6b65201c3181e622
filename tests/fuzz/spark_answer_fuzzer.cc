// Any bytes as the answer of a model: every rule gives a score from 0 to 1, a label, and an answer
// that does not change when it is read a second time; a program is the same as itself, with a
// comment and without.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bi_test/scorer.h"
#include "spark/answer_rules.h"
#include "spark/code_score.h"
#include "spark/failure_label.h"
#include "spark/family.h"
#include "spark/filler.h"
#include "spark/spark_scorer.h"

namespace {

using namespace bi_test;         // NOLINT
using namespace bi_test::spark;  // NOLINT

void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto scorer = MakeSparkScorer();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Family& family : Families()) {
    Random random(1);
    const Question question = family.draw(random, 1);
    ScorerItem item;
    item.family = family.name;
    const ScoredReply reply = ScoreReply(*scorer, text, 3, question.gold, item);
    Check(reply.score >= 0.0 && reply.score <= 1.0 && reply.failure_mode != "scorer_error");
    Check(reply.scored == IsScoredLabel(reply.failure_mode));
    Check(reply == ScoreReply(*scorer, text, 3, question.gold, item));
  }

  const std::string code = ExtractCode(text);
  Check(ScoreCode(code, code) == 1.0);
  Check(ScoreCode("# note\n" + code + "\n", code) == 1.0);

  // A corpus of any bytes.
  const TermCheck terms({"a"});
  for (const FillerSource source : {FillerSource::kProse, FillerSource::kCode}) {
    Random random(2);
    FillerReservoir reservoir(source, FillerVariant::kCoherent, text, terms, random);
    if (!reservoir.GrowTo(500).ok()) continue;
    for (const std::size_t bytes : {0u, 1u, 77u, 500u}) (void)reservoir.Cut(bytes);
  }
  return 0;
}
