#pragma once

#include <string>
#include <string_view>

#include "support/stub/rules.h"

namespace bi_test::stub {

/// Sends all of it; false when the client has gone.
bool SendAll(int client, std::string_view bytes);

/// Plays the acts of a rule on a connection. The caller closes it, unless this ends the program.
void Play(const std::vector<Act>& acts, int client, const std::string& prompt, int slot);

}  // namespace bi_test::stub
