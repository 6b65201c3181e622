#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/seeded_random.h"

namespace bi_test::config {

// Plain text that fills the prompts of the built-in work-sets: notes about deliveries on a market
// day. Chosen by the generator alone, so that the same seed gives the same bytes everywhere.

/// Who may come in a note. Steps of five through the list meet every trade once.
inline constexpr std::array<std::string_view, 24> kFillerTrades = {
    "miller",   "baker",     "cooper", "weaver", "mason",  "glazier",    "tanner",   "saddler",
    "potter",   "carpenter", "brewer", "tailor", "smith",  "chandler",   "dyer",     "farrier",
    "thatcher", "cobbler",   "fuller", "joiner", "hatter", "bookbinder", "gardener", "shepherd"};

/// What may be delivered, in the plural.
[[nodiscard]] std::string_view FillerGoods(SeededRandom& random);

/// One sentence, with a blank behind it: who brought which load, when, and where to.
[[nodiscard]] std::string FillerNote(SeededRandom& random, std::string_view trade,
                                     const std::string& load);

}  // namespace bi_test::config
