#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "run/scorer_reply.h"
#include "scorers/regex.h"

// Any line of a program that scores gives a reply or a fault; a reply is one that a trial can hold.
// The first line of the input is what a model said, the second a pattern, the rest the program's
// line: the built-in scorers get any text as well.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using bi_test::Json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t first = text.find('\n');
  const std::string_view response = text.substr(0, first);
  std::string_view rest = first == text.npos ? text : text.substr(first + 1);
  const std::size_t second = rest.find('\n');
  const std::string_view pattern = rest.substr(0, second);
  const std::string_view line = second == rest.npos ? rest : rest.substr(second + 1);

  const Json gold = std::string(pattern);
  const bi_test::ScorerItem item;
  const bi_test::run::ScoringTask task{response, 3, gold, item};
  if (bi_test::run::ScorerQuestion(task, 1).find('\n') != std::string::npos) std::abort();
  const bi_test::run::ScorerLine read = bi_test::run::ReadScorerLine(line, 1, task);
  if (read.reply.has_value() != read.fault.empty()) std::abort();
  if (read.reply) {
    if (!(read.reply->score >= 0.0 && read.reply->score <= 1.0)) std::abort();
    if (read.reply->failure_mode.empty()) std::abort();
  }

  for (const std::string& name : bi_test::ScorerNames()) {
    const bi_test::Scorer* scorer = bi_test::FindScorer(name);
    if (scorer == nullptr) continue;
    const bi_test::ScoredReply reply = bi_test::ScoreReply(*scorer, response, 3, gold, item);
    if (reply.failure_mode == "scorer_error") std::abort();
  }
  if (const auto regex = bi_test::Regex::Compile(pattern, size % 2 == 0); regex.ok()) {
    const auto match = regex->Find(response);
    if (match.ok() && *match) {
      const std::string_view whole = (*match)->whole;
      if (whole.data() < response.data() ||
          whole.data() + whole.size() > response.data() + response.size()) {
        std::abort();
      }
    }
  }
  return 0;
}
