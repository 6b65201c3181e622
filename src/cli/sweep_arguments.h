#pragma once

#include <string_view>

#include "bi_test/sweep.h"
#include "cli/commands.h"
#include "session/selected_sweep.h"

namespace bi_test::cli {

/// The cells that a command line asks for. Mistakes and warnings are then on standard error (and
/// with `json` the JSON of an error on standard output).
[[nodiscard]] session::SelectedSweep SelectSweep(std::string_view subcommand,
                                                 const RunArguments& arguments, SweepUse use);

}  // namespace bi_test::cli
