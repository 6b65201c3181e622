#include "bi_test/trial.h"

#include <ostream>

#include "bi_test/sanitize.h"

namespace bi_test {

const char* ArmName(Arm arm) {
  switch (arm) {
    case Arm::kA:
      return "A";
    case Arm::kB:
      return "B";
    case Arm::kC:
      return "C";
  }
  return "A";
}

std::ostream& operator<<(std::ostream& out, const Trial& trial) {
  out << "arm " << ArmName(trial.arm) << " pass " << trial.pass << " id \""
      << SanitizeText(trial.test_id, 200) << '"';
  if (trial.malformed_row)
    return out << " row=" << SanitizeText(CompactText(*trial.malformed_row), 200);
  return out << " failure_mode=" << SanitizeText(CompactText(trial.failure_mode), 80)
             << " score=" << SanitizeText(CompactText(trial.score), 80)
             << " extracted_answer=" << SanitizeText(CompactText(trial.extracted_answer), 200);
}

}  // namespace bi_test
