#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::server {

/// One model as a server lists it at /v1/models.
struct ListedModel {
  std::string id;
  std::string root;                     ///< Where it was loaded from; empty when not told.
  std::optional<std::int64_t> context;  ///< Longest request in tokens, by any of its usual names.
};

/// The models of a /v1/models page: `data`, or `models` where there is no `data`. Empty for
/// anything that is no such list.
[[nodiscard]] std::vector<ListedModel> ParseModelList(std::string_view page);

}  // namespace bi_test::server
