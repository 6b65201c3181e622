#pragma once

#include <memory>

#include "server/dialect.h"

/// The kinds of server that bi_test brings along, one file each. What each is asked and what a
/// verdict about it rests on: docs/dialects.md.
namespace bi_test::server {

/// llama-server of llama.cpp. Flags, endpoints and texts as measured with build 11669; endpoints
/// that older builds lack are tolerated where the verdict does not rest on them.
[[nodiscard]] std::unique_ptr<const Dialect> MakeLlamaCppDialect();

/// `vllm serve` of vLLM (engine V1). Flags, pages and fields as its documentation and sources have
/// them; no run of a real one was possible where this was made.
[[nodiscard]] std::unique_ptr<const Dialect> MakeVllmDialect();

/// The server of SGLang, known from documentation and sources like that of vLLM.
[[nodiscard]] std::unique_ptr<const Dialect> MakeSglangDialect();

/// Any other server of chats in OpenAI's form. Its flags are a template that the sweep file gives;
/// it has no page that shows how many requests it serves at once, so that a cell is at best
/// UNVERIFIED: a RED still counts.
[[nodiscard]] std::unique_ptr<const Dialect> MakeOpenAiDialect();

}  // namespace bi_test::server
