#include <iostream>

#include "bi_test/driver.h"
#include "cli/commands.h"

namespace bi_test::cli {

int JudgeCommand(const std::filesystem::path& trace) {
  const Result<CellRun> run = JudgeTrace(trace);
  if (!run.ok()) {
    std::cerr << "bi-test judge: " << run.error().Text() << '\n';
    return kError;
  }
  std::cout << CertText(run->cert) << '\n';
  return UnmetPromotionPoints(run->cert, run->cell).empty() ? kOk : kNotPromotable;
}

}  // namespace bi_test::cli
