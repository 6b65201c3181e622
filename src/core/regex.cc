#include "core/regex.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/ascii.h"
#include "core/regex_parser.h"
#include "core/utf8.h"

namespace bi_test {
namespace {

using Step = Regex::Step;
using Kind = Regex::Step::Kind;

constexpr std::size_t kMostSteps = 4000;
constexpr std::size_t kMostWork = std::size_t{1} << 27;  // Steps times bytes.
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// Turns the parts of a pattern into steps; gives up when they become too many.
class Emitter {
 public:
  Emitter(std::vector<Step>& steps, std::vector<Regex::Set>& sets) : steps_(steps), sets_(sets) {}

  bool Emit(const RegexNode& node) {
    if (steps_.size() > kMostSteps) return false;
    switch (node.kind) {
      case RegexNode::Kind::kEmpty:
        return true;
      case RegexNode::Kind::kSet:
        sets_.push_back(node.set);
        Add(Kind::kSet, static_cast<std::uint32_t>(sets_.size() - 1));
        return true;
      case RegexNode::Kind::kAssert:
        Add(node.assertion);
        return true;
      case RegexNode::Kind::kSequence:
        return std::ranges::all_of(node.parts,
                                   [this](const RegexNode& part) { return Emit(part); });
      case RegexNode::Kind::kChoice:
        return EmitChoice(node);
      case RegexNode::Kind::kGroup:
        return EmitGroup(node);
      case RegexNode::Kind::kRepeat:
        return EmitRepeat(node);
    }
    return false;
  }

  std::uint32_t Add(Kind kind, std::uint32_t first = 0) {
    steps_.push_back({kind, first, 0});
    return Last();
  }

 private:
  std::uint32_t Last() const { return static_cast<std::uint32_t>(steps_.size() - 1); }
  std::uint32_t Next() const { return static_cast<std::uint32_t>(steps_.size()); }

  /// Where a fork goes on: into what follows it now, or to `elsewhere`, the more likely one first.
  void Aim(std::uint32_t fork, std::uint32_t inside, std::uint32_t elsewhere, bool lazy) {
    steps_[fork].first = lazy ? elsewhere : inside;
    steps_[fork].second = lazy ? inside : elsewhere;
  }

  bool EmitChoice(const RegexNode& node) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool last = i + 1 == node.parts.size();
      const std::uint32_t fork = last ? 0 : Add(Kind::kSplit);
      const std::uint32_t inside = Next();
      if (!Emit(node.parts[i])) return false;
      if (last) break;
      jumps.push_back(Add(Kind::kJump));
      Aim(fork, inside, Next(), /*lazy=*/false);
    }
    for (const std::uint32_t jump : jumps) steps_[jump].first = Next();
    return true;
  }

  bool EmitGroup(const RegexNode& node) {
    // Only the first group's text is ever asked for.
    const bool saved = node.group == 1;
    if (saved) Add(Kind::kSave, 2);
    if (!Emit(node.parts.front())) return false;
    if (saved) Add(Kind::kSave, 3);
    return true;
  }

  bool EmitRepeat(const RegexNode& node) {
    const RegexNode& part = node.parts.front();
    for (int i = 0; i < node.min; ++i) {
      if (!Emit(part)) return false;
    }
    if (node.max < 0) {
      const std::uint32_t fork = Add(Kind::kSplit);
      if (!Emit(part)) return false;
      Add(Kind::kJump, fork);
      Aim(fork, fork + 1, Next(), node.lazy);
      return true;
    }
    std::vector<std::uint32_t> forks;
    for (int i = node.min; i < node.max; ++i) {
      forks.push_back(Add(Kind::kSplit));
      if (!Emit(part)) return false;
    }
    for (const std::uint32_t fork : forks) Aim(fork, fork + 1, Next(), node.lazy);
    return true;
  }

  std::vector<Step>& steps_;
  std::vector<Regex::Set>& sets_;
};

bool IsWordByte(std::string_view text, std::size_t at) {
  return at < text.size() && (IsLetter(text[at]) || IsDigit(text[at]) || text[at] == '_');
}

bool IsWordEdge(std::string_view text, std::size_t at) {
  return (at > 0 && IsWordByte(text, at - 1)) != IsWordByte(text, at);
}

bool InRanges(const Regex::Set& set, std::uint32_t code) {
  return std::ranges::any_of(set.ranges, [code](const auto& range) {
    return range.first <= code && code <= range.second;
  });
}

bool Takes(const Regex::Set& set, std::uint32_t code, bool ignore_case) {
  bool in = InRanges(set, code);
  if (ignore_case && !in && code < 0x80 && IsLetter(static_cast<char>(code))) {
    in = InRanges(set, code ^ 0x20U);  // The same letter in the other case.
  }
  return in != set.negated;
}

/// Start and end of the match, then of the first group.
using Saved = std::array<std::size_t, 4>;

struct Thread {
  std::uint32_t step = 0;
  Saved saved{};
};

/// Follows all alternatives through the text side by side, the preferred ones first.
class Search {
 public:
  Search(const std::vector<Step>& steps, const std::vector<Regex::Set>& sets, bool ignore_case,
         std::string_view text)
      : steps_(steps),
        sets_(sets),
        ignore_case_(ignore_case),
        text_(text),
        seen_(steps.size(), 0) {}

  std::optional<Saved> Run() {
    std::vector<Thread> now;
    std::vector<Thread> next;
    for (std::size_t at = 0;;) {
      // A match further left always wins, so that no new one is begun once there is one.
      if (!found_) {
        if (now.empty()) ++round_;
        Saved fresh;
        fresh.fill(kNowhere);
        fresh[0] = at;
        Follow({0, fresh}, at, now);
      }
      if (now.empty() && found_) break;
      const Utf8Step character = at < text_.size() ? NextUtf8(text_, at) : Utf8Step{};
      // Bytes that are not UTF-8 stand for no character of a pattern.
      const std::uint32_t code =
          character.valid ? character.code_point : 0xDC00U | (character.code_point & 0xFFU);
      const std::size_t behind = at + character.length;
      ++round_;
      next.clear();
      for (const Thread& thread : now) {
        const Step& step = steps_[thread.step];
        if (step.kind == Kind::kMatch) {
          found_ = thread.saved;
          (*found_)[1] = at;
          break;  // The others are less preferred.
        }
        if (at < text_.size() && Takes(sets_[step.first], code, ignore_case_)) {
          Follow({thread.step + 1, thread.saved}, behind, next);
        }
      }
      now.swap(next);
      if (at >= text_.size()) break;
      at = behind;
    }
    return found_;
  }

 private:
  /// Adds the steps reachable without a character, in order of preference.
  void Follow(const Thread& from, std::size_t at, std::vector<Thread>& out) {
    stack_.assign(1, from);
    while (!stack_.empty()) {
      Thread thread = stack_.back();
      stack_.pop_back();
      if (seen_[thread.step] == round_) continue;
      seen_[thread.step] = round_;
      const Step& step = steps_[thread.step];
      switch (step.kind) {
        case Kind::kSet:
        case Kind::kMatch:
          out.push_back(thread);
          break;
        case Kind::kSplit:
          stack_.push_back({step.second, thread.saved});
          stack_.push_back({step.first, thread.saved});
          break;
        case Kind::kJump:
          stack_.push_back({step.first, thread.saved});
          break;
        case Kind::kSave:
          thread.saved[step.first] = at;
          stack_.push_back({thread.step + 1, thread.saved});
          break;
        case Kind::kTextStart:
        case Kind::kTextEnd:
        case Kind::kLineStart:
        case Kind::kLineEnd:
        case Kind::kWordEdge:
        case Kind::kNoWordEdge:
          if (Holds(step.kind, at)) stack_.push_back({thread.step + 1, thread.saved});
          break;
      }
    }
  }

  bool Holds(Kind place, std::size_t at) const {
    switch (place) {
      case Kind::kTextStart:
        return at == 0;
      case Kind::kTextEnd:
        return at == text_.size();
      case Kind::kLineStart:
        return at == 0 || text_[at - 1] == '\n';
      case Kind::kLineEnd:
        return at == text_.size() || text_[at] == '\n';
      case Kind::kWordEdge:
        return IsWordEdge(text_, at);
      default:
        return !IsWordEdge(text_, at);
    }
  }

  const std::vector<Step>& steps_;
  const std::vector<Regex::Set>& sets_;
  const bool ignore_case_;
  const std::string_view text_;
  std::vector<std::size_t> seen_;  // The round in which a step was last reached.
  std::size_t round_ = 0;
  std::vector<Thread> stack_;
  std::optional<Saved> found_;
};

}  // namespace

Result<Regex> Regex::Compile(std::string_view pattern, bool ignore_case) {
  Result<ParsedRegex> parsed = ParseRegex(pattern);
  if (!parsed.ok()) return parsed.error();
  Regex regex;
  regex.ignore_case_ = ignore_case || parsed->ignore_case;
  regex.groups_ = parsed->groups;
  Emitter emitter(regex.steps_, regex.sets_);
  if (!emitter.Emit(parsed->root) || regex.steps_.size() > kMostSteps) {
    return Error{
        ErrorCode::kUsage, "found a pattern of more than 4000 steps: repetitions count", {}};
  }
  emitter.Add(Kind::kMatch);
  return regex;
}

Result<std::optional<Regex::Match>> Regex::Find(std::string_view text) const {
  if (text.size() > kMostWork / steps_.size()) {
    return Error{
        ErrorCode::kUsage,
        "found a text of " + std::to_string(text.size()) +
            " bytes, allowed with this pattern: " + std::to_string(kMostWork / steps_.size()),
        {}};
  }
  const std::optional<Saved> saved = Search(steps_, sets_, ignore_case_, text).Run();
  if (!saved) return std::optional<Match>();
  const auto& [begin, end, group_begin, group_end] = *saved;
  Match match{text.substr(begin, end - begin), std::nullopt};
  if (group_begin != kNowhere && group_end != kNowhere) {
    match.group = text.substr(group_begin, group_end - group_begin);
  }
  return std::optional<Match>(match);
}

}  // namespace bi_test
