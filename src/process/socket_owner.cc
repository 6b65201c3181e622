#include "process/socket_owner.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <set>

#include "base/split.h"
#include "files/pseudo_file.h"

namespace bi_test::process {
namespace {

constexpr std::size_t kMaxTable = std::size_t{256} << 20;
constexpr std::string_view kListening = "0A";

// The inode of `socket:[123]`, which is what a socket descriptor links to.
std::optional<std::uint64_t> SocketOf(const std::string& descriptor) {
  std::array<char, 64> target;
  const ssize_t size = ::readlink(descriptor.c_str(), target.data(), target.size());
  if (size <= 0) return std::nullopt;
  std::string_view text(target.data(), static_cast<std::size_t>(size));
  constexpr std::string_view kPrefix = "socket:[";
  if (!text.starts_with(kPrefix) || !text.ends_with(']')) return std::nullopt;
  text = text.substr(kPrefix.size(), text.size() - kPrefix.size() - 1);
  std::uint64_t inode = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), inode);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return inode;
}

std::set<std::uint64_t> SocketsOf(int pid) {
  std::set<std::uint64_t> sockets;
  const std::string path = "/proc/" + std::to_string(pid) + "/fd";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), &::closedir);
  if (directory == nullptr) return sockets;
  while (const dirent* item = ::readdir(directory.get())) {
    if (item->d_name[0] == '.') continue;
    if (const auto inode = SocketOf(path + "/" + item->d_name)) sockets.insert(*inode);
  }
  return sockets;
}

}  // namespace

std::vector<std::uint64_t> ParseListeners(std::string_view table, std::uint16_t port) {
  std::vector<std::uint64_t> sockets;
  for (const std::string_view line : SplitLines(table)) {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ...
    const std::vector<std::string_view> fields = SplitFields(line);
    if (fields.size() < 10 || fields[3] != kListening) continue;
    const std::size_t colon = fields[1].rfind(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view hex = fields[1].substr(colon + 1);
    unsigned number = 0;
    std::uint64_t inode = 0;
    const auto port_end = std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
    const auto inode_end =
        std::from_chars(fields[9].data(), fields[9].data() + fields[9].size(), inode);
    if (port_end.ec != std::errc() || inode_end.ec != std::errc() || number != port) continue;
    sockets.push_back(inode);
  }
  return sockets;
}

PortListeners FindListeners(std::uint16_t port) {
  PortListeners listeners;
  for (const char* file : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const std::optional<std::string> table = files::ReadPseudoFile(file, kMaxTable);
    if (!table) continue;  // A machine without IPv6 has only the first.
    listeners.known = true;
    for (const std::uint64_t socket : ParseListeners(*table, port)) {
      listeners.sockets.push_back(socket);
    }
  }
  return listeners;
}

std::vector<ProcessEntry> HoldersOf(const std::vector<std::uint64_t>& sockets,
                                    const std::vector<ProcessEntry>& candidates) {
  std::vector<ProcessEntry> holders;
  for (const ProcessEntry& entry : candidates) {
    const std::set<std::uint64_t> open = SocketsOf(entry.pid);
    const bool holds = std::any_of(sockets.begin(), sockets.end(),
                                   [&](std::uint64_t socket) { return open.contains(socket); });
    if (holds) holders.push_back(entry);
  }
  return holders;
}

PortOwner FindPortOwner(std::uint16_t port, int root, std::string_view mark) {
  const PortListeners listeners = FindListeners(port);
  if (!listeners.known) return {};
  PortOwner owner;
  if (listeners.sockets.empty()) {
    owner.kind = PortOwner::Kind::kNobody;
    return owner;
  }

  std::vector<ProcessEntry> ours = ProcessTree(root);
  owner.kind = PortOwner::Kind::kOurs;
  for (const std::uint64_t socket : listeners.sockets) {
    std::vector<ProcessEntry> holders = HoldersOf({socket}, ours);
    if (holders.empty()) {
      // A helper that left group and parent is found by the mark, which costs a look at everybody.
      holders = HoldersOf({socket}, ProcessesMarked(mark));
    }
    if (holders.empty()) {
      const std::vector<ProcessEntry> strangers = HoldersOf({socket}, ListProcesses());
      if (strangers.empty() && SocketsOf(root).empty()) return {};  // Descriptors are hidden here.
      return {PortOwner::Kind::kForeign, 0, Describe(strangers)};
    }
    owner.pid = holders.front().pid;
  }
  return owner;
}

}  // namespace bi_test::process
