#include "spark/filler_text.h"

#include <array>
#include <span>
#include <string_view>

#include "base/sha256.h"

namespace bi_test::spark {
namespace {

using Words = std::span<const std::string_view>;

// A frame is a sentence with `{x}` for a word of list x; each `{x}` is drawn anew.
struct WordList {
  char letter;
  Words words;
};

constexpr std::array<std::string_view, 14> kTimes = {
    "Before sunrise",       "Late in the morning",    "After the rain",
    "Towards evening",      "On a windy day",         "In early spring",
    "When the bell rang",   "Once the road was dry",  "During the long winter",
    "As the fog lifted",    "While the others slept", "At the turn of the season",
    "Soon after breakfast", "In the last warm week"};
constexpr std::array<std::string_view, 20> kWorkers = {
    "miller", "weaver",  "gardener", "shepherd", "carpenter", "potter", "tanner",
    "baker",  "fisher",  "mason",    "thatcher", "cooper",    "farmer", "ferryman",
    "brewer", "saddler", "glazier",  "cobbler",  "chandler",  "joiner"};
constexpr std::array<std::string_view, 16> kMoods = {
    "quiet", "patient",    "careful", "cheerful", "tired",  "stubborn", "curious",  "gentle",
    "proud", "thoughtful", "weary",   "young",    "clever", "restless", "friendly", "sleepy"};
constexpr std::array<std::string_view, 14> kDeeds = {
    "carried", "mended",   "cleaned",  "painted", "moved",    "washed",  "sorted",
    "lifted",  "polished", "repaired", "covered", "borrowed", "admired", "forgot"};
constexpr std::array<std::string_view, 18> kThings = {
    "wooden ladder",  "copper kettle",   "linen sail",  "heavy gate", "stone bench",
    "old lantern",    "woollen blanket", "iron wheel",  "clay jug",   "wicker basket",
    "leather saddle", "broken fence",    "narrow boat", "tall clock", "garden wall",
    "rusty plough",   "painted chest",   "oak table"};
constexpr std::array<std::string_view, 14> kSpots = {
    "beside the river",       "behind the barn",         "near the chapel",  "under the oak tree",
    "along the harbour wall", "at the edge of the wood", "above the valley", "inside the workshop",
    "below the bridge",       "in front of the inn",     "on the far hill",  "across the meadow",
    "by the garden path",     "next to the mill pond"};
constexpr std::array<std::string_view, 10> kReasons = {
    "because the wind had turned",     "although nobody had asked for it",
    "so that the children could pass", "since the old one was gone",
    "and thought no more of it",       "as had been the habit for years",
    "while a dog barked far away",     "and then went home for supper",
    "to the surprise of everyone",     "without saying a word"};

constexpr std::array<WordList, 7> kProseLists = {{{'t', kTimes},
                                                  {'w', kWorkers},
                                                  {'m', kMoods},
                                                  {'d', kDeeds},
                                                  {'g', kThings},
                                                  {'s', kSpots},
                                                  {'r', kReasons}}};
constexpr std::array<std::string_view, 6> kProseFrames = {
    "{t} the {m} {w} {d} the {g} {s}.",
    "The {w} {d} the {g} {s}, {r}.",
    "Nobody knew why the {m} {w} had left the {g} {s}.",
    "{t} it was the {w} who {d} the {g}, and the {m} {w} only watched.",
    "The {g} {s} belonged to the {w}, but the {m} {w} often {d} it.",
    "A {m} {w} and a {m} {w} talked about the {g} {s} until it grew dark."};

constexpr std::array<std::string_view, 14> kBodies = {
    "town council",   "school board",  "harbour office",    "library committee", "railway company",
    "water board",    "farmers union", "theatre trust",     "museum board",      "sports club",
    "hospital trust", "road office",   "housing committee", "chamber of trade"};
constexpr std::array<std::string_view, 12> kSteps = {
    "announced", "delayed",   "approved", "discussed", "rejected", "reviewed",
    "welcomed",  "postponed", "defended", "explained", "opened",   "presented"};
constexpr std::array<std::string_view, 12> kKinds = {
    "modest", "costly", "popular",   "ambitious", "careful",      "disputed",
    "simple", "bold",   "temporary", "detailed",  "long awaited", "cheaper"};
constexpr std::array<std::string_view, 16> kSubjects = {
    "bridge repair", "bus route",       "summer fair",    "park renewal",
    "ferry service", "street lighting", "reading room",   "market hall",
    "cycle path",    "flood wall",      "concert series", "tree planting week",
    "swimming bath", "night train",     "school kitchen", "footbridge"};
constexpr std::array<std::string_view, 10> kQuarters = {
    "in the lower town",       "near the old station", "along the coast road",
    "beside the canal",        "at the eastern gate",  "in the valley",
    "around the market place", "on the river island",  "behind the town hall",
    "in the upper villages"};
constexpr std::array<std::string_view, 9> kDays = {"on Monday",   "on Tuesday", "on Wednesday",
                                                   "on Thursday", "on Friday",  "on Saturday",
                                                   "on Sunday",   "this week",  "last night"};
constexpr std::array<std::string_view, 12> kPeople = {
    "residents", "shopkeepers", "teachers",   "drivers",   "parents",   "students",
    "fishers",   "visitors",    "volunteers", "engineers", "gardeners", "pensioners"};
constexpr std::array<std::string_view, 10> kViews = {
    "hoped for a quick decision",      "asked for more time",         "praised the work so far",
    "worried about the noise",         "called for a second meeting", "offered to help",
    "doubted that the money would do", "were glad to see it",         "wanted to hear both sides",
    "pointed to earlier promises"};

constexpr std::array<WordList, 8> kNewsLists = {{{'b', kBodies},
                                                 {'a', kSteps},
                                                 {'k', kKinds},
                                                 {'s', kSubjects},
                                                 {'q', kQuarters},
                                                 {'d', kDays},
                                                 {'p', kPeople},
                                                 {'v', kViews}}};
constexpr std::array<std::string_view, 5> kNewsFrames = {
    "The {b} {a} a {k} plan for the {s} {q} {d}.",
    "At the meeting of the {b} {d}, many {p} {v} as the {s} {q} was discussed.",
    "A {k} proposal for the {s} {q} was {a} by the {b}, while {p} {v}.",
    "Several {p} {v} after the {b} had {a} the {s} {q}.",
    "The {s} {q} stays closed to {p} until the {b} has reviewed a {k} offer."};

constexpr std::array<std::string_view, 16> kVerbs = {
    "trim", "merge", "shift_up", "collect", "rotate",    "select", "wrap",  "pad",
    "clip", "order", "split_up", "blend",   "round_off", "group",  "strip", "repeat"};
constexpr std::array<std::string_view, 18> kAdjectives = {
    "outer", "inner",  "narrow", "wide", "early", "late", "upper", "lower", "plain",
    "dense", "sparse", "short",  "tall", "warm",  "cold", "front", "rear",  "spare"};
constexpr std::array<std::string_view, 20> kNouns = {
    "margin", "border", "panel",   "corner", "shelf",  "button", "window",
    "frame",  "column", "layer",   "banner", "label",  "ribbon", "handle",
    "drawer", "hinge",  "curtain", "mirror", "carpet", "ledge"};
constexpr std::array<std::string_view, 10> kParameters = {
    "width", "height", "left", "right", "depth", "offset", "size", "gap", "angle", "weight"};
constexpr std::array<std::string_view, 90> kNumbers = {
    "2",  "3",  "4",  "5",  "6",  "8",  "9",  "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32",
    "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47",
    "48", "50", "51", "52", "53", "54", "55", "57", "58", "59", "60", "61", "62", "64", "65",
    "66", "67", "68", "69", "71", "72", "73", "74", "75", "76", "78", "79", "80", "81", "82",
    "83", "85", "86", "87", "88", "89", "90", "92", "93", "94", "95", "96", "97", "99", "100"};

constexpr std::array<WordList, 5> kCodeLists = {
    {{'v', kVerbs}, {'a', kAdjectives}, {'o', kNouns}, {'p', kParameters}, {'n', kNumbers}}};
// Every line after the first is a statement of its own.
constexpr std::array<std::string_view, 6> kCodeFrames = {
    "def {v}_{a}_{o}({p}, rest):\n    {o}_part = {p} + {n}\n    return {o}_part * {n} - rest",
    "def {v}_{a}_{o}({p}):\n    if {p} > {n}: return {p} - {n}\n    {a}_part = {p} // {n}\n"
    "    return {a}_part + {n}",
    "def {v}_{a}_{o}({p}):\n    parts = [{p}, {n}, {n}]\n    parts.append({n})\n"
    "    return sum(parts)",
    "def {v}_{a}_{o}({p}):\n    name = \"{a} {o}\"\n    text = name + \" and {a} {o}\"\n"
    "    return text[:{p}]",
    "def {v}_{a}_{o}({p}):\n    low = min({p}, {n})\n    high = max({p}, {n})\n"
    "    return (low, high)",
    "# keeps the {a} {o} in place\ndef {v}_{a}_{o}({p}):\n    rest = {p} % {n}\n"
    "    return {p} - rest"};

// In a function each name has to be the same throughout.
enum class Draw { kEachTime, kOnce };

std::string Fill(std::string_view frame, std::span<const WordList> lists, Draw draw,
                 Random& random) {
  std::string out;
  std::array<std::string_view, 26> drawn{};
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const bool slot = frame[i] == '{' && i + 2 < frame.size() && frame[i + 2] == '}';
    if (!slot) {
      out += frame[i];
      continue;
    }
    const char letter = frame[i + 1];
    std::string_view& word = drawn[static_cast<std::size_t>(letter - 'a')];
    // Numbers differ within a function, names do not.
    if (draw == Draw::kEachTime || word.empty() || letter == 'n') {
      for (const WordList& list : lists) {
        if (list.letter == letter) word = random.Pick(list.words);
      }
    }
    out += word;
    i += 2;
  }
  return out;
}

void Append(std::string& all, std::span<const WordList> lists, Words frames) {
  for (const WordList& list : lists) {
    all += list.letter;
    for (const std::string_view word : list.words) all.append(word).append("\n");
  }
  for (const std::string_view frame : frames) all.append(frame).append("\n");
}

}  // namespace

std::string DrawFillerUnit(FillerSource source, Random& random) {
  switch (source) {
    case FillerSource::kProse:
      return Fill(random.Pick(kProseFrames), kProseLists, Draw::kEachTime, random);
    case FillerSource::kNews:
      return Fill(random.Pick(kNewsFrames), kNewsLists, Draw::kEachTime, random);
    case FillerSource::kCode:
      return Fill(random.Pick(kCodeFrames), kCodeLists, Draw::kOnce, random);
  }
  return {};
}

std::string BuiltInFillerDigest() {
  std::string all;
  Append(all, kProseLists, kProseFrames);
  Append(all, kNewsLists, kNewsFrames);
  Append(all, kCodeLists, kCodeFrames);
  return Sha256Hex(all);
}

}  // namespace bi_test::spark
