#include "cli/sweep_arguments.h"

#include <iostream>
#include <string>

#include "bi_test/sanitize.h"
#include "cli/output.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxLine = 4000;

void PrintLine(std::string_view subcommand, const std::string& line) {
  std::cerr << "bi-test " << subcommand << ": " << SanitizeText(line, kMaxLine) << '\n';
}

}  // namespace

session::SelectedSweep SelectSweep(std::string_view subcommand, const RunArguments& arguments,
                                   SweepUse use) {
  session::SweepRequest request;
  request.file = arguments.sweep;
  request.env = ProcessEnvironment();
  request.use = use;
  request.overrides.server_binary = arguments.server_binary;
  request.overrides.out_dir = arguments.out_dir;
  request.overrides.passes = arguments.passes;
  request.known_verdicts = arguments.known_verdicts;
  request.filter = {arguments.models, arguments.ctx, arguments.parallel};
  session::SelectedSweep selected = session::SelectSweep(request);
  if (selected.sweep != nullptr) {
    for (const std::string& warning : selected.sweep->warnings) {
      PrintLine(subcommand, "warning: " + warning);
    }
  }
  std::string text;
  for (const std::string& error : selected.errors) {
    PrintLine(subcommand, error);
    text += (text.empty() ? "" : "\n") + error;
  }
  if (!text.empty() && arguments.json) PrintJsonError("usage", text, arguments.sweep);
  return selected;
}

}  // namespace bi_test::cli
