#include "scorers/code_blocks.h"

#include <cstddef>
#include <optional>

#include "base/trim.h"

namespace bi_test {
namespace {

constexpr std::size_t kMostBlocks = 1000;

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::string_view rest;  // Of the line, trimmed.
};

/// The fence that a line is, if it is one.
std::optional<Fence> ReadFence(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && at < 3 && line[at] == ' ') ++at;
  if (at >= line.size() || (line[at] != '`' && line[at] != '~')) return std::nullopt;
  Fence fence;
  fence.mark = line[at];
  const std::size_t begin = at;
  while (at < line.size() && line[at] == fence.mark) ++at;
  fence.length = at - begin;
  fence.rest = Trim(line.substr(at));
  // `code` within a line of prose.
  if (fence.length < 3 || (fence.mark == '`' && fence.rest.find('`') != fence.rest.npos)) {
    return std::nullopt;
  }
  return fence;
}

}  // namespace

std::vector<CodeBlock> FindCodeBlocks(std::string_view text) {
  std::vector<CodeBlock> blocks;
  std::optional<Fence> open;
  std::size_t code_begin = 0;
  const auto close = [&](std::size_t end) {
    if (end > code_begin && text[end - 1] == '\n') --end;
    if (end > code_begin && text[end - 1] == '\r') --end;
    blocks.push_back({open->rest.substr(0, open->rest.find_first_of(" \t{,")),
                      text.substr(code_begin, end - code_begin)});
    open.reset();
  };
  for (std::size_t at = 0; at < text.size() && blocks.size() < kMostBlocks;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::optional<Fence> fence = ReadFence(text.substr(at, end - at));
    if (fence && !open) {
      open = fence;
      code_begin = std::min(end + 1, text.size());
    } else if (fence && fence->mark == open->mark && fence->length >= open->length &&
               fence->rest.empty()) {
      close(at);
    }
    at = end + 1;
  }
  if (open && blocks.size() < kMostBlocks) close(text.size());
  return blocks;
}

}  // namespace bi_test
