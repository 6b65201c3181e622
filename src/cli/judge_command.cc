#include <iostream>

#include "bi_test/driver.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace bi_test::cli {

int JudgeCommand(const std::filesystem::path& trace, bool json) {
  const Result<CellRun> run = JudgeTrace(trace);
  if (!run.ok()) return Fail("judge", run.error(), json, kExitError);
  std::cout << CertText(run->cert) << '\n';
  return UnmetPromotionPoints(run->cert, run->cell).empty() ? kExitOk : kExitNo;
}

}  // namespace bi_test::cli
