#pragma once

#include <optional>
#include <string>

#include "support/stub/engine.h"
#include "support/stub/script.h"

namespace bi_test::stub {

/// A page of the stub.
struct Page {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

/// What a GET of `path` gives on a server of the script's kind, vLLM, SGLang or plain; nothing for
/// a path that such a server has not. `engine` has the true numbers.
[[nodiscard]] std::optional<Page> OtherKindsPage(const Script& script, const std::string& path,
                                                 Engine& engine);

}  // namespace bi_test::stub
