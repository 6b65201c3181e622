#include <string>

#include "spark/family.h"

// Code with one fault. Each differs from its repair in one constant, operator or comparator, which
// is what the scorer looks at.
namespace bi_test::spark {
namespace {

struct Fault {
  std::string name;
  std::string what;
  std::string broken;
  std::string repaired;
};

std::string SumFrom(int first) {
  return "def total(items):\n    s = 0\n    for i in range(" + std::to_string(first) +
         ", len(items)):\n        s = s + items[i]\n    return s";
}

std::string Shift(char sign, const std::string& n) {
  return std::string("def shift(value):\n    return value ") + sign + " " + n;
}

std::string Above(const std::string& comparator, const std::string& n) {
  return "def above(value):\n    return value " + comparator + " " + n;
}

Fault DrawFault(Random& random) {
  const std::uint64_t kind = random.Below(3);
  const std::string n = std::to_string(random.Between(1, 99));
  if (kind == 0) return {"total", "total leaves out the first item", SumFrom(1), SumFrom(0)};
  if (kind == 1) {
    return {"shift", "shift takes " + n + " away where it should add it", Shift('-', n),
            Shift('+', n)};
  }
  return {"above", "above says no to the limit " + n + " itself, which should count", Above(">", n),
          Above(">=", n)};
}

}  // namespace

Question DrawRepair(Random& random, std::uint64_t) {
  const Fault fault = DrawFault(random);
  Question out;
  out.needles = {"# known bug: " + fault.what + ".\n" + fault.broken};
  out.question = "Write the function " + fault.name +
                 " without its known bug. Give the function only, and change nothing else.";
  out.cue = "Corrected function:";
  out.gold = fault.repaired;
  out.terms = {fault.name, "bug"};
  return out;
}

}  // namespace bi_test::spark
