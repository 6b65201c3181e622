#include "cli/output.h"

#include <iostream>

#include "bi_test/sanitize.h"
#include "cert/cert_limits.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxError = 4000;

}  // namespace

void PrintJson(const Json& document) { std::cout << PrettyText(Portable(document)) << '\n'; }

void PrintJsonError(std::string_view code, std::string_view message, std::string_view where) {
  Json out;
  out["error"]["code"] = code;
  out["error"]["message"] = SanitizeText(message, kMaxError);
  out["error"]["where"] = SanitizeText(where, kMaxError);
  PrintJson(out);
}

int Fail(std::string_view subcommand, const Error& error, bool json, ExitCode exit_code) {
  if (json) PrintJsonError(ErrorCodeName(error.code), error.message, error.where);
  std::cerr << "bi-test " << subcommand << ": " << SanitizeText(error.Text(), kMaxError) << '\n';
  return exit_code;
}

}  // namespace bi_test::cli
