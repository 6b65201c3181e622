#include "process/process_end.h"

#include <csignal>
#include <cstring>

namespace bi_test::process {

std::string SignalName(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? std::string("SIG") + abbreviation
                                 : "SIG" + std::to_string(signal);
}

std::string ProcessEnd::Text() const {
  if (!known) return "ended, status unknown";
  if (signal != 0) {
    return "killed by signal " + std::to_string(signal) + " (" + SignalName(signal) + ")";
  }
  return "exited " + std::to_string(exit_code);
}

}  // namespace bi_test::process
