#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/seeded_random.h"
#include "config/worksets/built_in_workset.h"
#include "config/worksets/filler_text.h"
#include "config/worksets/workset.h"

namespace bi_test::config {
namespace {

// Rounding shows where unlike requests meet in a batch, so the rows differ in length by a factor of
// sixty and the lengths are interleaved: neighbours in the file are never of one family.

struct Question {
  std::string_view prompt;
  std::string_view answer;
};

constexpr std::size_t kRowsPerFamily = 8;

constexpr std::array<Question, kRowsPerFamily> kTiny = {{
    {"Capital of Peru? One word.", "Lima"},
    {"What is 17 plus 26? Number only.", "43"},
    {"Spell \"cat\" backwards, nothing else.", "tac"},
    {"The opposite of hot? One word.", "cold"},
    {"What colour is fresh snow? One word.", "white"},
    {"How many days has a week? Digits only.", "7"},
    {"Which letter follows M? One letter.", "N"},
    {"What is 9 times 8? Number only.", "72"},
}};

constexpr std::array<Question, kRowsPerFamily> kShort = {{
    {"A train leaves at 8:10 and needs 45 minutes to the coast. At what time does it arrive? Give "
     "the time "
     "in the form H:MM and nothing else.",
     "8:55"},
    {"There are three boxes with four pens each, and two pens lie on the table. How many pens are "
     "there in "
     "all? Answer with digits.",
     "14"},
    {"Put these words in the order of the alphabet and write only the last one: pear, apple, "
     "quince, cherry, "
     "medlar, plum.",
     "quince"},
    {"A rectangle is 12 metres long and 5 metres wide. What is its area in square metres? Write "
     "the number "
     "and no unit.",
     "60"},
    {"Which of these is not a fruit: lemon, carrot, grape, melon? Write that one word in lower "
     "case, without "
     "a full stop.",
     "carrot"},
    {"Read this list from left to right and give the number that is missing: 2, 4, 8, 16, 64, 128. "
     "Write only "
     "the number.",
     "32"},
    {"If today is Wednesday, which day of the week was it the day before yesterday? Answer with "
     "the name of "
     "the day only.",
     "Monday"},
    {"Join the first letters of these words into one new word, in lower case: river, orange, "
     "stone, "
     "elephant. Write the word only.",
     "rose"},
}};

// Each trade is in a passage once, so its question has one answer.
WorksetRow Passage(std::uint64_t index, std::string family, std::size_t notes) {
  SeededRandom random(20, index);
  const std::size_t first_trade = random.Below(kFillerTrades.size());
  const std::size_t asked = random.Below(notes);
  WorksetRow row;
  row.family = std::move(family);
  row.prompt = "Notes of one market day. ";
  std::string question;
  for (std::size_t i = 0; i < notes; ++i) {
    const std::string_view trade = kFillerTrades[(first_trade + 5 * i) % kFillerTrades.size()];
    const std::string goods(FillerGoods(random));
    const std::string count = std::to_string(11 + random.Below(88));
    row.prompt += FillerNote(random, trade, count + " " + goods);
    if (i != asked) continue;
    question = "How many " + goods + " did the " + std::string(trade) + " bring that day?";
    row.expected_answer = count;
  }
  row.prompt += "End of the notes. " + question + " Answer with the number only.";
  return row;
}

WorksetRow Plain(const Question& question, std::string family) {
  WorksetRow row;
  row.prompt = question.prompt;
  row.expected_answer = question.answer;
  row.family = std::move(family);
  return row;
}

std::vector<WorksetRow> SmokeRows() {
  std::vector<WorksetRow> rows;
  for (std::size_t i = 0; i < kRowsPerFamily; ++i) {
    rows.push_back(Plain(kTiny[i], "tiny"));
    rows.push_back(Passage(3 * i, "long", 8));
    rows.push_back(Plain(kShort[i], "short"));
    rows.push_back(Passage(3 * i + 1, "very_long", 13));
    rows.push_back(Passage(3 * i + 2, "medium", 3));
  }
  return rows;
}

}  // namespace

Workset PassageWorkset() {
  constexpr std::uint64_t kFirst = 1'000;  // apart from those of the smoke set
  std::vector<WorksetRow> rows;
  for (std::uint64_t i = 0; i < 120; ++i) {
    const std::size_t notes = 1 + (i * 7) % 17;
    rows.push_back(Passage(kFirst + i, "notes_" + std::to_string(notes), notes));
  }
  return MakeWorkset(std::move(rows), "built-in passages");
}

Workset SmokeWorkset() { return MakeWorkset(SmokeRows(), "built-in smoke"); }

}  // namespace bi_test::config
