#pragma once

#include <string>
#include <string_view>

namespace bi_test::testing_support {

/// Validates the text of a cert against docs/cert.schema.json. Empty when it fits, else the keyword
/// that failed and where, such as `type at #/ctx`; `not JSON` when it is none.
[[nodiscard]] std::string CertSchemaFault(std::string_view cert);

}  // namespace bi_test::testing_support
