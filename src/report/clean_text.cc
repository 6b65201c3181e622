#include "report/clean_text.h"

#include <array>

#include "base/safe_text.h"
#include "bi_test/sanitize.h"

namespace bi_test::report {
namespace {

constexpr std::array<std::string_view, 8> kGtestMarkers = {
    "[  SKIPPED ]", "[  FAILED  ]", "[       OK ]", "[  PASSED  ]",
    "[ RUN      ]", "[ DISABLED ]", "[==========]", "[----------]"};

/// Two characters that must not stay neighbours, with the rest that makes them a command.
struct Command {
  std::string_view text;
  std::size_t keep;  ///< Bytes before the space that breaks it.
};
constexpr std::array<Command, 8> kCommands = {{{"[[ATTACHMENT|", 1},
                                               {"[[PROPERTY|", 1},
                                               {"<CTest", 1},
                                               {"</CTest", 1},
                                               {"<DartMeasurement", 1},
                                               {"##[", 2},
                                               {"##vso[", 2},
                                               {"##teamcity[", 2}}};

bool IsGtestMarker(std::string_view rest) {
  for (const std::string_view marker : kGtestMarkers) {
    if (rest.starts_with(marker)) return true;
  }
  return false;
}

std::size_t CommandPrefix(std::string_view rest) {
  for (const Command& command : kCommands) {
    if (rest.starts_with(command.text)) return command.keep;
  }
  return 0;
}

std::string Defuse(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  bool line_start = true;  // Only blanks since the last newline.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '[' && IsGtestMarker(rest)) {
      out += '(';
    } else if (const std::size_t keep = CommandPrefix(rest); keep != 0) {
      out.append(rest.substr(0, keep)).append(" ");
      i += keep - 1;
    } else if (line_start && rest.starts_with("::")) {
      out += ": ";
    } else {
      out += c;
    }
    line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
  }
  return out;
}

}  // namespace

std::string CleanText(std::string_view text, std::size_t max_bytes) {
  const std::string sanitized = SanitizeText(text, max_bytes);
  std::string clean = Defuse(sanitized);
  if (clean.size() <= max_bytes) return clean;
  // Breaking sequences made it longer; a shorter text grows by no more than that.
  const std::size_t growth = clean.size() - sanitized.size();
  return Defuse(SanitizeText(text, max_bytes - growth));
}

std::string CleanLine(std::string_view text, std::size_t max_bytes) {
  return CleanText(OneLine(text, max_bytes), max_bytes);
}

}  // namespace bi_test::report
