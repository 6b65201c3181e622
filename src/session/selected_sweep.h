#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/exit_code.h"
#include "bi_test/sweep.h"
#include "session/cell_selection.h"

namespace bi_test::session {

/// What a command line puts over what the sweep file says. Empty: nothing.
struct SweepOverrides {
  std::filesystem::path server_binary;
  std::filesystem::path out_dir;
  std::optional<int> passes;
  std::optional<std::chrono::seconds> run_timeout;  ///< Shortens, never extends.
  std::string visible_devices;  ///< CUDA_VISIBLE_DEVICES, unless the sweep file sets it.
};

/// Doing it twice changes nothing more.
void ApplyOverrides(const SweepOverrides& overrides, Sweep* sweep);

/// Which cells of which sweep file are wanted.
struct SweepRequest {
  std::filesystem::path file;
  std::map<std::string, std::string> env;
  SweepUse use = SweepUse::kRun;
  SweepOverrides overrides;
  std::filesystem::path known_verdicts;  ///< Instead of the file that the sweep names; or empty.
  CellFilter filter;
  std::string flag_prefix = "--";  ///< How messages name flags.
};

/// A sweep with the command line put over it, and the cells that were asked for.
struct SelectedSweep {
  std::shared_ptr<const Sweep> sweep;  ///< Null when the file could not be read.
  std::vector<SweepCell> cells;
  std::vector<std::string> errors;  ///< Every mistake, one line each; empty when all is well.
  ExitCode exit_code = kExitOk;     ///< What a program ends with that meets `errors`.
};

/// Reads the sweep file and selects its cells. Warnings are in the sweep.
[[nodiscard]] SelectedSweep SelectSweep(const SweepRequest& request);

/// One line of a list of cells: its name, what it is, where it stands.
[[nodiscard]] std::string ListLine(const std::string& name, const SweepCell& cell);

/// The lines of a text.
[[nodiscard]] std::vector<std::string> Lines(const std::string& text);

}  // namespace bi_test::session
