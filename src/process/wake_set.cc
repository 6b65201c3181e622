#include "process/wake_set.h"

#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace bi_test::process {

WakeSet::WakeSet() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

void WakeSet::Add(int fd) {
  if (fd < 0 || !epoll_.valid()) return;
  epoll_event event{};
  event.events = EPOLLIN;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

bool WakeSet::WaitUntil(std::chrono::steady_clock::time_point until) const {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now())
            .count();
    pollfd wait{epoll_.get(), POLLIN, 0};
    const int timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    const int ready = ::poll(&wait, 1, timeout);
    if (ready > 0) return true;
    if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

}  // namespace bi_test::process
