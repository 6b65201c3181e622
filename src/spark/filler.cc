#include "spark/filler.h"

#include <algorithm>
#include <utility>

#include "base/split.h"
#include "base/trim.h"
#include "spark/filler_text.h"

namespace bi_test::spark {
namespace {

constexpr std::string_view kMaskLine = "# this line was left out";
constexpr int kMostRedraws = 1'000;

std::string SeparatorOf(FillerSource source, FillerVariant variant) {
  if (variant != FillerVariant::kCoherent) return "\n";
  return source == FillerSource::kCode ? "\n\n" : " ";
}

bool EndsSentence(char c) { return c == '.' || c == '!' || c == '?'; }

}  // namespace

std::vector<std::string> SplitSentences(std::string_view text) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view sentence = Trim(text.substr(begin, end - begin));
    if (!sentence.empty()) sentences.emplace_back(sentence);
    begin = end;
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (EndsSentence(text[i]) && IsSpace(text[i + 1])) add(i + 1);
  }
  add(text.size());
  return sentences;
}

std::vector<std::string> SplitCode(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  bool after_empty = false;
  const auto add = [&parts](std::string& done) {
    while (done.ends_with('\n')) done.pop_back();
    if (!done.empty()) parts.push_back(std::move(done));
    done.clear();
  };
  for (const std::string_view line : SplitLines(text)) {
    const bool empty = Trim(line).empty();
    if (!empty && after_empty && !IsSpace(line.front())) add(part);
    after_empty = empty;
    if (empty && part.empty()) continue;
    part.append(empty ? std::string_view() : line).append("\n");
  }
  add(part);
  return parts;
}

std::string CutSentence(std::string_view sentence, std::size_t bytes) {
  if (bytes == 0) return {};
  // One byte is for the full stop.
  std::size_t end = sentence.rfind(' ', bytes - 1);
  if (end == sentence.npos || end == 0) return {};
  while (end > 0 && !IsWordCharacter(sentence[end - 1])) --end;
  return end == 0 ? std::string() : std::string(sentence.substr(0, end)) + '.';
}

std::string CutCode(std::string_view code, std::size_t bytes) {
  std::string out;
  std::size_t kept = 0;
  bool whole = false;
  for (const std::string_view line : SplitLines(code)) {
    const std::size_t room = out.size() + line.size() + (out.empty() ? 0 : 1);
    if (room > bytes) break;
    if (!out.empty()) out += '\n';
    out += line;
    // A line that opens a block needs the next one; one that stands in a block ends well.
    const bool indented = !line.empty() && IsSpace(line.front());
    whole = indented && !line.ends_with(':');
    if (whole) kept = out.size();
  }
  out.resize(kept);
  return out;
}

FillerReservoir::FillerReservoir(FillerSource source, FillerVariant variant,
                                 std::string_view corpus, const TermCheck& terms, Random& random)
    : source_(source), variant_(variant), terms_(terms), random_(random) {
  all_.separator = SeparatorOf(source, variant);
  if (variant != FillerVariant::kCoherent || Trim(corpus).empty()) return;
  has_corpus_ = true;
  std::vector<std::string> units =
      source == FillerSource::kCode ? SplitCode(corpus) : SplitSentences(corpus);
  std::erase_if(units, [&terms](const std::string& unit) { return terms.Holds(unit); });
  corpus_ = std::move(units);
  if (!corpus_.empty()) next_ = random.Below(corpus_.size());
}

Result<std::string> FillerReservoir::NextUnit() {
  if (variant_ == FillerVariant::kWhitespace) return std::string();
  if (variant_ == FillerVariant::kMaskedRepeat) return std::string(kMaskLine);
  if (has_corpus_) {
    if (corpus_.empty()) {
      return Error{ErrorCode::kInvalidFile,
                   "every part of the corpus holds a word of the question or its answer: use a "
                   "longer text, or none",
                   "workset.corpus"};
    }
    const std::string& unit = corpus_[next_];
    next_ = (next_ + 1) % corpus_.size();
    return unit;
  }
  std::string unit = DrawFillerUnit(source_, random_);
  for (int i = 0; i < kMostRedraws && terms_.Holds(unit); ++i) {
    unit = DrawFillerUnit(source_, random_);
  }
  if (!terms_.Holds(unit)) return unit;
  return Error{ErrorCode::kUsage, "the built-in filler always holds a term of the question", {}};
}

Status FillerReservoir::GrowTo(std::size_t bytes) {
  while (size_ < bytes) {
    Result<std::string> unit = NextUnit();
    if (!unit.ok()) return unit.error();
    size_ += unit->size() + (all_.units.empty() ? 0 : all_.separator.size());
    all_.units.push_back(*std::move(unit));
  }
  return {};
}

Filler FillerReservoir::Cut(std::size_t bytes) const {
  Filler out;
  out.separator = all_.separator;
  std::size_t used = 0;
  for (const std::string& unit : all_.units) {
    const std::size_t before = out.units.empty() ? 0 : out.separator.size();
    if (used + before + unit.size() <= bytes) {
      used += before + unit.size();
      out.units.push_back(unit);
      continue;
    }
    if (variant_ != FillerVariant::kCoherent || used + before >= bytes) break;
    const std::size_t room = bytes - used - before;
    std::string part =
        source_ == FillerSource::kCode ? CutCode(unit, room) : CutSentence(unit, room);
    if (!part.empty()) out.units.push_back(std::move(part));
    break;
  }
  return out;
}

}  // namespace bi_test::spark
