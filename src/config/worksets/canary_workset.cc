#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/seeded_random.h"
#include "config/worksets/built_in_workset.h"
#include "config/worksets/filler_text.h"
#include "config/worksets/workset.h"

namespace bi_test::config {
namespace {

constexpr std::uint64_t kSeed = 0x63616e617279;  // "canary"
constexpr std::size_t kRows = 40;
/// Notes before the question; neighbours in the file differ in length.
constexpr std::array<std::size_t, 5> kNotes = {0, 11, 2, 7, 4};
constexpr std::array<std::string_view, 5> kFamilies = {"bare", "long", "short", "medium_long",
                                                       "medium"};

/// Four capitals that can be spoken and four digits, such as `KOLU-4817`. No digit but these is in
/// a prompt, and no two words share their capitals, so that a piece of one is told apart, too.
std::string CodeWord(SeededRandom& random, std::set<std::string>& used) {
  constexpr std::string_view kConsonants = "BDFGKLMNPRSTVZ";
  constexpr std::string_view kVowels = "AEIOU";
  std::string letters;
  do {
    letters.clear();
    for (int i = 0; i < 2; ++i) {
      letters += kConsonants[random.Below(kConsonants.size())];
      letters += kVowels[random.Below(kVowels.size())];
    }
  } while (!used.insert(letters).second);
  std::string digits;
  for (int i = 0; i < 4; ++i) digits += static_cast<char>('0' + random.Below(10));
  return letters + "-" + digits;
}

}  // namespace

Workset CanaryWorkset() {
  SeededRandom random(kSeed, 0);
  std::set<std::string> used;
  std::vector<WorksetRow> rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::string word = CodeWord(random, used);
    const std::size_t notes = kNotes[i % kNotes.size()];
    WorksetRow row;
    row.family = std::string(kFamilies[i % kNotes.size()]);
    row.expected_answer = word;
    row.prompt = "Your code word is " + word + ". Keep it in mind. ";
    const std::size_t first = random.Below(kFillerTrades.size());
    for (std::size_t note = 0; note < notes; ++note) {
      const std::string_view trade = kFillerTrades[(first + 5 * note) % kFillerTrades.size()];
      row.prompt += FillerNote(random, trade, "some " + std::string(FillerGoods(random)));
    }
    row.prompt += "Write your code word " + word + " three times, then stop.";
    rows.push_back(std::move(row));
  }
  return MakeWorkset(std::move(rows), "built-in canary");
}

}  // namespace bi_test::config
