#include "config/worksets/filler_text.h"

namespace bi_test::config {
namespace {

constexpr std::array<std::string_view, 12> kGoods = {
    "sacks of rye",     "jars of honey", "bolts of linen",  "crates of tiles",
    "barrels of cider", "coils of rope", "baskets of eggs", "planks of oak",
    "sheets of glass",  "rolls of felt", "tubs of butter",  "boxes of nails"};
constexpr std::array<std::string_view, 8> kPlaces = {"north barn", "harbour office", "old mill",
                                                     "town hall",  "grain store",    "upper yard",
                                                     "boat house", "market square"};
constexpr std::array<std::string_view, 4> kGates = {"river", "hill", "garden", "bridge"};
constexpr std::array<std::string_view, 6> kHours = {"seven", "eight",  "nine",
                                                    "ten",   "eleven", "noon"};

template <std::size_t kCount>
std::string Pick(SeededRandom& random, const std::array<std::string_view, kCount>& words) {
  return std::string(words[random.Below(kCount)]);
}

}  // namespace

std::string_view FillerGoods(SeededRandom& random) { return kGoods[random.Below(kGoods.size())]; }

std::string FillerNote(SeededRandom& random, std::string_view trade, const std::string& load) {
  const std::string who(trade);
  const std::string hour = Pick(random, kHours);
  const std::string place = Pick(random, kPlaces);
  const std::string gate = Pick(random, kGates);
  switch (random.Below(3)) {
    case 0:
      return "At " + hour + " the " + who + " brought " + load + " to the " + place +
             " and left again by the " + gate + " gate. ";
    case 1:
      return "The " + who + " waited at the " + gate + " gate until " + hour +
             " and then carried " + load + " into the " + place + ". ";
    default:
      return "In the book of the " + place + " it says that the " + who + " came at " + hour +
             " with " + load + ", by the " + gate + " gate. ";
  }
}

}  // namespace bi_test::config
