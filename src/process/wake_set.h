#pragma once

#include <chrono>

#include "files/file_descriptor.h"

namespace bi_test::process {

/// One descriptor that is readable while any of several descriptors is. Not thread safe.
class WakeSet {
 public:
  WakeSet();
  /// Adds one; a negative number is left out. It must outlive the set or stay closed for good.
  void Add(int fd);
  /// -1 when the system has none to give; then nothing wakes early.
  [[nodiscard]] int fd() const { return epoll_.get(); }
  /// Waits until one is readable or until then. True when one is.
  bool WaitUntil(std::chrono::steady_clock::time_point until) const;

 private:
  files::FileDescriptor epoll_;
};

}  // namespace bi_test::process
