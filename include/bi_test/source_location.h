#pragma once

#include <string>

namespace bi_test {

/// Where something was written in a sweep file, for messages, RegisterTest and JUnit.
struct SourceLocation {
  std::string file;  ///< As it was named; empty when there was none.
  int line = 0;      ///< From 1; 0 when not known.
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

}  // namespace bi_test
