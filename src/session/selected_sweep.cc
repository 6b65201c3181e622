#include "session/selected_sweep.h"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

#include "config/sweep/known_verdicts.h"
#include "report/clean_text.h"

namespace bi_test::session {
namespace {

constexpr std::size_t kMaxShown = 200;

std::filesystem::path Absolute(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute;
}

SelectedSweep Wrong(const std::string& text) {
  SelectedSweep out;
  out.errors = Lines(text);
  out.exit_code = kExitUsage;
  return out;
}

}  // namespace

void ApplyOverrides(const SweepOverrides& overrides, Sweep* sweep) {
  if (!overrides.server_binary.empty()) {
    sweep->server.binary = Absolute(overrides.server_binary);
    sweep->server.binary_as_written = overrides.server_binary.string();
  }
  if (overrides.passes) sweep->run.passes = *overrides.passes;
  if (overrides.run_timeout) {
    sweep->run.run_timeout =
        std::min(sweep->run.run_timeout, std::chrono::milliseconds(*overrides.run_timeout));
  }
  if (!overrides.out_dir.empty()) sweep->output.dir = Absolute(overrides.out_dir);
  if (!overrides.visible_devices.empty()) {
    sweep->server.env.emplace("CUDA_VISIBLE_DEVICES", overrides.visible_devices);
  }
}

SelectedSweep SelectSweep(const SweepRequest& request) {
  Result<Sweep> sweep = LoadSweep(request.file, request.env, request.use);
  if (!sweep.ok()) return Wrong(sweep.error().Text());
  const std::optional<int>& passes = request.overrides.passes;
  if (passes && (*passes < 1 || *passes > 1000)) {
    return Wrong(request.flag_prefix + "passes: found " + std::to_string(*passes) +
                 ", allowed: a whole number from 1 to 1000");
  }
  if (!request.known_verdicts.empty()) {
    Result<KnownVerdicts> known = config::LoadKnownVerdicts(request.known_verdicts);
    if (!known.ok()) return Wrong(known.error().Text());
    sweep->known_verdicts = *std::move(known);
  }
  ApplyOverrides(request.overrides, &*sweep);
  CellSelection selection = SelectCells(*sweep, request.filter, request.flag_prefix);
  SelectedSweep out;
  out.sweep = std::make_shared<const Sweep>(*std::move(sweep));
  if (!selection.errors.empty()) {
    out.errors = std::move(selection.errors);
    out.errors.emplace_back("no cell selected, nothing was run");
    out.exit_code = kExitNothingToDo;
  } else {
    out.cells = std::move(selection.cells);
  }
  return out;
}

std::string ListLine(const std::string& name, const SweepCell& cell) {
  return name + "  " + report::CleanLine(Describe(cell.cell), kMaxShown) + "  " +
         report::CleanLine(cell.location.file, kMaxShown) + ":" +
         std::to_string(cell.location.line) + "\n";
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

}  // namespace bi_test::session
