#include "cli/selected_sweep.h"

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "bi_test/sanitize.h"
#include "cli/output.h"
#include "config/sweep/cell_selection.h"
#include "config/sweep/known_verdicts.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxLine = 4000;

void PrintLines(std::string_view subcommand, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::cerr << "bi-test " << subcommand << ": " << SanitizeText(line, kMaxLine) << '\n';
  }
}

void ApplyArguments(const RunArguments& arguments, Sweep& sweep) {
  std::error_code code;
  if (!arguments.server_binary.empty()) {
    sweep.server.binary = std::filesystem::absolute(arguments.server_binary, code);
    sweep.server.binary_as_written = arguments.server_binary;
  }
  if (arguments.passes) sweep.run.passes = *arguments.passes;
  if (!arguments.out_dir.empty()) {
    sweep.output.dir = std::filesystem::absolute(arguments.out_dir, code);
  }
}

}  // namespace

std::optional<SelectedSweep> SelectSweep(std::string_view subcommand, const RunArguments& arguments,
                                         SweepUse use) {
  const auto fail = [&](const std::string& text) {
    PrintLines(subcommand, text);
    if (arguments.json) PrintJsonError("usage", text, arguments.sweep);
    return std::nullopt;
  };
  Result<Sweep> sweep = LoadSweep(arguments.sweep, ProcessEnvironment(), use);
  if (!sweep.ok()) return fail(sweep.error().Text());
  if (arguments.passes && (*arguments.passes < 1 || *arguments.passes > 1000)) {
    return fail("--passes: found " + std::to_string(*arguments.passes) +
                ", allowed: a whole number from 1 to 1000");
  }
  if (!arguments.known_verdicts.empty()) {
    Result<KnownVerdicts> known = config::LoadKnownVerdicts(arguments.known_verdicts);
    if (!known.ok()) return fail(known.error().Text());
    sweep->known_verdicts = *std::move(known);
  }
  for (const std::string& warning : sweep->warnings) PrintLines(subcommand, "warning: " + warning);
  ApplyArguments(arguments, *sweep);
  config::CellSelection selection = config::SelectCells(
      *sweep, config::CellFilter{arguments.models, arguments.ctx, arguments.parallel}, "--");
  if (!selection.errors.empty()) {
    std::string text;
    for (const std::string& error : selection.errors) text += error + "\n";
    return fail(text + "no cell selected, nothing was run");
  }
  return SelectedSweep{std::move(*sweep), std::move(selection.cells)};
}

}  // namespace bi_test::cli
