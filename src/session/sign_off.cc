#include "session/sign_off.h"

namespace bi_test::session {

SignOffLookup FindSignOff(const std::vector<SignOff>& sign_offs, const SweepCell& cell,
                          std::string_view today) {
  const std::string path = cell.cell.model + '/' + std::to_string(cell.cell.ctx) + '/' +
                           std::to_string(cell.cell.dispatch_n);
  SignOffLookup found;
  for (const SignOff& sign_off : sign_offs) {
    if (sign_off.cell != cell.test_name && sign_off.cell != path) continue;
    // Dates of this fixed width order as text.
    const SignOff*& best = sign_off.expires >= today ? found.valid : found.expired;
    if (best == nullptr || sign_off.expires > best->expires) best = &sign_off;
  }
  return found;
}

std::string DescribeSignOff(const SignOff& sign_off) {
  return "signed off by " + sign_off.by + " until " + sign_off.expires + ": " + sign_off.reason;
}

}  // namespace bi_test::session
