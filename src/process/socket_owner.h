#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "process/process_table.h"

namespace bi_test::process {

/// Who listens on a port of this machine.
struct PortListeners {
  /// The socket table could be read. When false the rest says nothing.
  bool known = false;
  /// Socket ids (inodes) that listen on that port on any local address.
  std::vector<std::uint64_t> sockets;
};

/// Parses a socket table as /proc/net/tcp and tcp6 show it: the listening sockets of `port`. Lines
/// of unknown shape are skipped.
[[nodiscard]] std::vector<std::uint64_t> ParseListeners(std::string_view table, std::uint16_t port);

[[nodiscard]] PortListeners FindListeners(std::uint16_t port);

/// Those of `candidates` that have one of the sockets open. Processes whose descriptors we may not
/// see are left out.
[[nodiscard]] std::vector<ProcessEntry> HoldersOf(const std::vector<std::uint64_t>& sockets,
                                                  const std::vector<ProcessEntry>& candidates);

/// Answer to: is it our server that listens on that port?
struct PortOwner {
  enum class Kind {
    kUnknown,  ///< It cannot be found out on this system.
    kNobody,   ///< Nothing listens.
    kOurs,     ///< Every listening socket belongs to our process tree.
    kForeign,  ///< At least one listening socket belongs to somebody else.
  };
  Kind kind = Kind::kUnknown;
  int pid = 0;          ///< The process of ours that holds it (kOurs).
  std::string holders;  ///< For people: the strangers that hold it, empty when not visible.
};

/// `root` is the pid (and group) of our child, `mark` its environment mark (process_table.h).
[[nodiscard]] PortOwner FindPortOwner(std::uint16_t port, int root, std::string_view mark);

}  // namespace bi_test::process
