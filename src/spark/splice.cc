#include "spark/splice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/trim.h"
#include "base/utf8.h"

namespace bi_test::spark {
namespace {

// Joins parts and remembers where the first needle begins.
class Joiner {
 public:
  explicit Joiner(std::string separator) : separator_(std::move(separator)) {}

  void Add(std::string_view part) {
    if (!empty_) out_.text += separator_;
    empty_ = false;
    out_.text += part;
  }
  void AddNeedle(std::string_view needle, bool is_first) {
    Add(needle);
    if (is_first) out_.needle_begin = out_.text.size() - needle.size();
  }
  [[nodiscard]] Haystack Take() { return std::move(out_); }

 private:
  std::string separator_;
  Haystack out_;
  bool empty_ = true;
};

// Units before the needle: the number whose length comes nearest to position * total.
std::size_t PlaceOf(const std::vector<std::size_t>& length_before, int position) {
  const std::size_t last = length_before.size() - 1;
  if (position == 0) return 0;
  if (position == kOne || last == 0) return last;
  const std::uint64_t wanted =
      std::uint64_t{length_before.back()} * static_cast<std::uint64_t>(position);
  const auto distance = [&](std::size_t place) {
    const std::uint64_t here = std::uint64_t{length_before[place]} * kOne;
    return here > wanted ? here - wanted : wanted - here;
  };
  std::size_t best = 1;
  for (std::size_t place = 2; place <= last; ++place) {
    if (distance(place) < distance(best)) best = place;
  }
  return best;
}

Haystack SpliceLoneSentence(std::string_view sentence, const std::vector<std::string>& needles,
                            const std::vector<int>& positions) {
  Joiner joiner(" ");
  std::size_t begin = 0;
  const auto add_until = [&](std::size_t end) {
    const std::string_view piece = Trim(sentence.substr(begin, end - begin));
    if (!piece.empty()) joiner.Add(piece);
    begin = end;
  };
  for (std::size_t i = 0; i < needles.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::uint64_t{sentence.size()} *
                                             static_cast<std::uint64_t>(positions[i]) / kOne);
    add_until(at < sentence.size() ? std::max(begin, SequenceStart(sentence, at)) : at);
    joiner.AddNeedle(needles[i], i == 0);
  }
  add_until(sentence.size());
  return joiner.Take();
}

}  // namespace

Result<int> PositionMillionths(double position) {
  if (!std::isfinite(position) || position < 0.0 || position > 1.0) {
    return Error{ErrorCode::kUsage, "found a position that is no number from 0 to 1", "position"};
  }
  return static_cast<int>(std::lround(position * kOne));
}

std::vector<int> SpreadPositions(int position, std::size_t parts, int not_before) {
  if (parts < 2) return std::vector<int>(parts, std::max(position, not_before));
  const int half = std::min(position, kOne - position) / 5 * 3;
  const int steps = static_cast<int>(parts) - 1;
  std::vector<int> out;
  for (int i = 0; i <= steps; ++i) {
    const int at = position - half + static_cast<int>(std::int64_t{2} * half * i / steps);
    out.push_back(std::max(at, not_before));
  }
  return out;
}

Haystack Splice(const Filler& filler, const std::vector<std::string>& needles,
                const std::vector<int>& positions) {
  if (filler.units.size() == 1 && filler.separator == " ") {
    return SpliceLoneSentence(filler.units.front(), needles, positions);
  }
  std::vector<std::size_t> length_before = {0};
  for (const std::string& unit : filler.units) {
    length_before.push_back(length_before.back() + unit.size() + filler.separator.size());
  }
  std::vector<std::size_t> places;
  for (const int position : positions) places.push_back(PlaceOf(length_before, position));
  Joiner joiner(filler.separator);
  std::size_t next = 0;
  for (std::size_t unit = 0; unit <= filler.units.size(); ++unit) {
    for (; next < needles.size() && places[next] == unit; ++next) {
      joiner.AddNeedle(needles[next], next == 0);
    }
    if (unit < filler.units.size()) joiner.Add(filler.units[unit]);
  }
  return joiner.Take();
}

}  // namespace bi_test::spark
