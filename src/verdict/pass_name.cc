#include "verdict/pass_name.h"

#include <cstdint>

namespace bi_test {

std::string PassName(int pass) { return "c" + std::to_string(std::int64_t{pass} + 1); }

std::string ArmPassName(Arm arm, int pass) {
  if (arm == Arm::kC) return PassName(pass);
  return pass == 0 ? ArmName(arm) : ArmName(arm) + std::to_string(std::int64_t{pass} + 1);
}

}  // namespace bi_test
