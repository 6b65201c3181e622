#pragma once

#include <string_view>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "cli/commands.h"

namespace bi_test::cli {

/// Prints a document on standard output: any strict JSON reader takes it, whatever names and texts
/// it holds.
void PrintJson(const Json& document);

/// Reports trouble of a subcommand: its text on standard error and, with `json`, on standard output
/// `{"error": {"code": ..., "message": ..., "where": ...}}`. Gives `exit_code` back.
[[nodiscard]] int Fail(std::string_view subcommand, const Error& error, bool json,
                       ExitCode exit_code);

/// The JSON object of an error, with the code as text.
void PrintJsonError(std::string_view code, std::string_view message, std::string_view where);

}  // namespace bi_test::cli
