#include "process/random_key.h"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "base/hex.h"

namespace bi_test::process {

Result<std::string> RandomHex(std::size_t bytes) {
  std::string text;
  while (text.size() < 2 * bytes) {
    unsigned char byte = 0;
    const ssize_t got = ::getrandom(&byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1) {
      return Error{ErrorCode::kIo,
                   std::string("the kernel gives no random bytes: ") + std::strerror(errno),
                   "getrandom"};
    }
    AppendHex(text, byte, 2);
  }
  return text;
}

}  // namespace bi_test::process
