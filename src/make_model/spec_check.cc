#include "make_model/spec_check.h"

#include <cstdint>
#include <utility>

#include "make_model/tensor_plan.h"
#include "make_model/tokenizer_vocab.h"

namespace bi_test::make_model {
namespace {

struct Range {
  const char* flag;
  int value;
  int min;
  int max;
};

// The upper bounds keep every product of two or three sizes far below 2^63 and stay within what
// llama.cpp can run: 512 layers, 512 experts, and no more experts per token than its graph has room
// for whatever the number of layers.
std::vector<Range> Ranges(const ModelSpec& spec) {
  std::vector<Range> ranges = {
      {"--dim", spec.dim, 32, 16384},
      {"--hidden", spec.hidden, 32, 65536},
      {"--layers", spec.layers, 1, 512},
      {"--heads", spec.heads, 1, 256},
      {"--kv-heads", spec.kv_heads, 1, 256},
      {"--ctx", spec.ctx, 256, 1 << 20},
      {"--vocab", spec.vocab, kMinVocab, kMaxVocab},
  };
  if (spec.arch == Arch::kMoe) {
    ranges.push_back({"--experts", spec.experts, 2, 512});
    ranges.push_back({"--experts-used", spec.experts_used, 1, 8});
  }
  return ranges;
}

std::string Found(const char* flag, int value) {
  return std::string(flag) + " is " + std::to_string(value);
}

void CheckShape(const ModelSpec& spec, std::vector<std::string>& errors) {
  if (spec.dim % spec.heads != 0) {
    errors.push_back(Found("--dim", spec.dim) + "; allowed are multiples of --heads (" +
                     std::to_string(spec.heads) + ")");
  } else if (const int head_size = spec.dim / spec.heads; head_size % 2 != 0 || head_size > 512) {
    errors.push_back(Found("--dim", spec.dim) + " with --heads " + std::to_string(spec.heads) +
                     ", a head size of " + std::to_string(head_size) +
                     "; allowed are even head sizes from 2 to 512");
  }
  if (spec.heads % spec.kv_heads != 0) {
    errors.push_back(Found("--kv-heads", spec.kv_heads) + "; allowed are divisors of --heads (" +
                     std::to_string(spec.heads) + ")");
  }
  if (spec.arch == Arch::kMoe && spec.experts_used > spec.experts) {
    errors.push_back(Found("--experts-used", spec.experts_used) + "; allowed are 1 to --experts (" +
                     std::to_string(spec.experts) + ")");
  }
}

void CheckRows(const ModelSpec& spec, std::vector<std::string>& errors) {
  if (spec.type != TensorType::kQ8_0 && spec.type != TensorType::kQ4_0) return;
  for (const auto& [flag, value] : {std::pair{"--dim", spec.dim}, {"--hidden", spec.hidden}}) {
    if (value % kQuantBlock == 0) continue;
    errors.push_back(Found(flag, value) + "; allowed are multiples of " +
                     std::to_string(kQuantBlock) + " with --type " + std::string(Name(spec.type)));
  }
}

}  // namespace

std::vector<std::string> Validate(const ModelSpec& spec) {
  std::vector<std::string> errors;
  for (const Range& range : Ranges(spec)) {
    if (range.value >= range.min && range.value <= range.max) continue;
    errors.push_back(Found(range.flag, range.value) + "; allowed are " + std::to_string(range.min) +
                     " to " + std::to_string(range.max));
  }
  if (!errors.empty()) return errors;  // the checks below divide and multiply
  CheckShape(spec, errors);
  CheckRows(spec, errors);
  if (!errors.empty()) return errors;
  if (const std::uint64_t bytes = TensorBytes(spec); bytes > kMaxTensorBytes) {
    errors.push_back(
        "the tensors would take " + std::to_string(bytes) + " bytes; allowed are at most " +
        std::to_string(kMaxTensorBytes) +
        " (lower --dim, --hidden, --layers, --vocab or --experts, or take a smaller --type)");
  }
  return errors;
}

}  // namespace bi_test::make_model
