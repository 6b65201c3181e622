#include <string>

#include "base/sha256.h"
#include "spark/family.h"

// Questions whose answer is a number that stands nowhere in the text: every value is given by a
// formula, no result is printed.
namespace bi_test::spark {

Question DrawFourSteps(Random& random, std::uint64_t) {
  const int start = random.Between(1, 50);
  const int more = random.Between(1, 20);
  const int less = random.Between(1, 10);
  const std::string gold = std::to_string(2 * (start + more) - less);
  Question out;
  out.needles = {"First note: X1 = " + std::to_string(start) + ".",
                 "Second note: X2 = X1 + " + std::to_string(more) + ".", "Third note: X3 = 2 * X2.",
                 "Fourth note: X4 = X3 - " + std::to_string(less) + "."};
  out.question = "What is the value of X4?";
  out.cue = "X4 =";
  out.gold = gold;
  out.terms = {gold, "X1", "X2", "X3", "X4", "note"};
  return out;
}

Question DrawThreeSteps(Random& random, std::uint64_t) {
  const int first = random.Between(2, 20);
  const int times = random.Between(2, 9);
  const std::string gold = std::to_string(first * times + first);
  Question out;
  out.needles = {"The north store holds " + std::to_string(first) + " crates.",
                 "The south store holds " + std::to_string(times) +
                     " times as many crates as the north store.",
                 "The east store holds as many crates as the south store and the north store "
                 "together."};
  out.question = "How many crates does the east store hold?";
  out.cue = "Crates:";
  out.gold = gold;
  out.terms = {gold, "store", "crates"};
  return out;
}

Question DrawFunctionValue(Random& random, std::uint64_t seed) {
  const int factor = random.Between(7, 99);
  const std::string gold = std::to_string(7 * factor);
  const std::string name = "scale_" + Sha256Hex(std::to_string(seed)).substr(0, 6);
  Question out;
  out.needles = {"def " + name + "(amount):\n    return amount * " + std::to_string(factor)};
  out.question = "What is the value of " + name + "(7)?";
  out.cue = "Value:";
  out.gold = gold;
  out.terms = {gold, name};
  return out;
}

}  // namespace bi_test::spark
