#include "process/port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "files/file_descriptor.h"

namespace bi_test::process {
namespace {

constexpr std::size_t kMaxAttempts = 128;  // Far below the usual limit of descriptors.

Error PortError(const char* what) {
  return Error{ErrorCode::kServer, std::string(what) + ": " + std::strerror(errno), "port"};
}

}  // namespace

Result<std::uint16_t> ChoosePort(const std::vector<int>& reserved) {
  // Refused ports stay bound until the end, so that the kernel offers another one each time.
  std::vector<files::FileDescriptor> held;
  for (std::size_t attempt = 0; attempt <= reserved.size() && attempt < kMaxAttempts; ++attempt) {
    files::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.valid()) return PortError("cannot make a socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      return PortError("the kernel gives no free port on 127.0.0.1");
    }
    const std::uint16_t port = ntohs(address.sin_port);
    if (std::find(reserved.begin(), reserved.end(), port) == reserved.end()) return port;
    held.push_back(std::move(socket));
  }
  return Error{ErrorCode::kRefused,
               "every port the kernel offers is reserved; shorten guard.reserved_ports", "port"};
}

}  // namespace bi_test::process
