#pragma once

#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test {

/// One `EARLIER_RED:` line for each attempt of `earlier` (an array of objects as on a cert) that
/// was RED with the same `subject`: a later clean run does not erase it. An attempt whose status or
/// subject is not told counts as such a RED; a RED of the infrastructure says nothing about outputs
/// and does not. `earlier` of another kind gives nothing.
[[nodiscard]] std::vector<std::string> EarlierReds(const Json& earlier, const Json& subject);

}  // namespace bi_test
