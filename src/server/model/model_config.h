#pragma once

#include <filesystem>
#include <string_view>

#include "bi_test/result.h"
#include "server/model/gguf_header.h"

namespace bi_test::server {

/// The facts of a GGUF header from the `config.json` of a model folder: layers, heads, key and
/// value lengths, trained context, experts; those of the language part where a model has several.
/// What it does not say, or says as no sensible number, is 0. At most 16 MiB.
[[nodiscard]] Result<GgufHeader> ReadModelConfig(const std::filesystem::path& folder);

/// The same of the file's text.
[[nodiscard]] Result<GgufHeader> ParseModelConfig(std::string_view text);

}  // namespace bi_test::server
