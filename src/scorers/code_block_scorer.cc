#include "base/ascii.h"
#include "base/split.h"
#include "scorers/built_in_scorers.h"
#include "scorers/code_blocks.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

/// Code without what an editor would not show: blanks at line ends, blank lines at both ends.
std::string PlainCode(std::string_view code) {
  std::string out;
  for (std::string_view line : SplitLines(code)) {
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() || !out.empty()) out.append(line).append(1, '\n');
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class CodeBlockScorer final : public TextScorer {
 public:
  explicit CodeBlockScorer(const Json& options)
      : TextScorer("code_block", "1"),
        language_(LowerText(TextOption(options, "language"))),
        last_(TextOption(options, "which") == "last") {}

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    std::vector<CodeBlock> blocks = FindCodeBlocks(response);
    if (language_ != "any") {
      std::erase_if(blocks,
                    [&](const CodeBlock& block) { return LowerText(block.language) != language_; });
    }
    if (blocks.empty()) return std::nullopt;
    return std::string((last_ ? blocks.back() : blocks.front()).code);
  }
  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view,
                             const Json& expected_answer, const ScorerItem&) const override {
    if (!extracted) return 0.0;
    // A gold answer may stand in a fence itself.
    const std::string expected = ExpectedText(expected_answer);
    const bool fenced = expected.starts_with("```") || expected.starts_with("~~~");
    const std::vector<CodeBlock> blocks =
        FindCodeBlocks(fenced ? std::string_view(expected) : std::string_view());
    const std::string_view wanted =
        blocks.empty() ? std::string_view(expected) : blocks.front().code;
    const std::string code = PlainCode(*extracted);
    return !code.empty() && code == PlainCode(wanted) ? 1.0 : 0.0;
  }

 private:
  const std::string language_;
  const bool last_;
};

}  // namespace

BuiltInScorer CodeBlockScorerKind() {
  return {"code_block",
          {Text("language", "any"), Word("which", {"first", "last"})},
          [](const Json& options) { return MakeShared<CodeBlockScorer>(options); }};
}

}  // namespace bi_test
