#include "bi_test/verdict.h"

#include <ostream>

namespace bi_test {

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return "GREEN";
    case Verdict::kRed:
      return "RED";
    case Verdict::kAmber:
      return "AMBER";
    case Verdict::kUnverified:
      return "UNVERIFIED";
  }
  return "UNVERIFIED";
}

const char* VerdictStatus(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return "green";
    case Verdict::kRed:
      return "failed";
    case Verdict::kAmber:
      return "green_with_caveat";
    case Verdict::kUnverified:
      return "green_unverified";
  }
  return "green_unverified";
}

std::ostream& operator<<(std::ostream& out, Verdict verdict) { return out << VerdictName(verdict); }

}  // namespace bi_test
