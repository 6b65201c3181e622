#pragma once

#include <string>

#include "bi_test/result.h"
#include "make_model/byte_sink.h"
#include "make_model/model_spec.h"
#include "make_model/tokenizer_vocab.h"

namespace bi_test::make_model {

/// Sends a complete GGUF version 3 file of architecture `llama` (dense and MoE) to `sink`: header,
/// keys, tokenizer, chat template, tensors at multiples of 32 bytes. Fails only if `sink` does.
/// REQUIRES: Validate(spec) is empty.
[[nodiscard]] Status WriteGguf(const ModelSpec& spec, ByteSink& sink);

/// The Jinja chat template of a model: one line "role: content" per message, then "assistant:".
/// That of a wide model goes on with an English word picked by the length of the last message,
/// because such a model looks at the last token only and would answer all messages alike.
[[nodiscard]] std::string ChatTemplate(Margin margin, const Vocab& vocab);

}  // namespace bi_test::make_model
