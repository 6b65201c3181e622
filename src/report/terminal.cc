#include "report/terminal.h"

#include <unistd.h>

namespace bi_test::report {
namespace {

using Env = std::map<std::string, std::string>;

std::string_view Value(const Env& env, const std::string& name) {
  const auto found = env.find(name);
  return found == env.end() ? std::string_view() : std::string_view(found->second);
}

/// Set and not `0`. An empty value counts as not set.
bool IsOn(const Env& env, const std::string& name) {
  const std::string_view value = Value(env, name);
  return !value.empty() && value != "0";
}

std::string_view CodeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return "32";
    case Verdict::kRed:
      return "31";
    case Verdict::kAmber:
      return "33";
    case Verdict::kUnverified:
      return "35";
  }
  return "0";
}

}  // namespace

bool UseColor(const Env& env, bool is_terminal) {
  if (!Value(env, "NO_COLOR").empty()) return false;
  if (IsOn(env, "FORCE_COLOR") || IsOn(env, "CLICOLOR_FORCE")) return true;
  return is_terminal && Value(env, "TERM") != "dumb" && Value(env, "CLICOLOR") != "0";
}

bool UseLiveProgress(const Env& env, bool is_terminal) {
  return is_terminal && Value(env, "TERM") != "dumb" && Value(env, "CI").empty() &&
         Value(env, "TF_BUILD").empty() && Value(env, "BUILD_URL").empty();
}

Palette Palette::ForStandardOutput(const Env& env) {
  return Palette(UseColor(env, ::isatty(STDOUT_FILENO) == 1));
}

std::string Palette::Paint(Verdict verdict, std::string_view text) const {
  return Wrap(CodeOf(verdict), text);
}

std::string Palette::PaintError(std::string_view text) const { return Wrap("1;31", text); }

std::string Palette::PaintDim(std::string_view text) const { return Wrap("2", text); }

std::string Palette::Wrap(std::string_view code, std::string_view text) const {
  if (!on_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace bi_test::report
