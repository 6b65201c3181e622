#include "run/lengths_workset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "config/worksets/lengths_workset.h"
#include "run/token_counts.h"

namespace bi_test::run {
namespace {

/// Of the servers that bi_test knows; each kind ignores the names of the others.
constexpr std::array<std::string_view, 7> kBatchFlags = {"-b",
                                                         "--batch-size",
                                                         "-ub",
                                                         "--ubatch-size",
                                                         "--max-num-batched-tokens",
                                                         "--chunked-prefill-size",
                                                         "--page-size"};

std::vector<std::string> Flags(const Sweep& sweep, const SweepCell& cell) {
  std::vector<std::string> flags = sweep.server.flags;
  const std::vector<std::string>& own = sweep.models[cell.model_index].flags;
  flags.insert(flags.end(), own.begin(), own.end());
  return flags;
}

std::vector<int> Lengths(const Sweep& sweep, const SweepCell& cell) {
  return config::ProbeLengths(BatchSizes(Flags(sweep, cell)),
                              cell.cell.ctx - sweep.run.max_tokens - kTemplateRoom);
}

bool HasCompletions(const server::Dialect& dialect) {
  WorksetRow row;
  row.prompt = "a";
  row.completion = true;
  return dialect.CheckRow(row).ok();
}

}  // namespace

std::vector<int> BatchSizes(const std::vector<std::string>& flags) {
  std::vector<int> sizes;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string_view flag = flags[i];
    const std::size_t equals = flag.find('=');
    if (std::ranges::find(kBatchFlags, flag.substr(0, equals)) == kBatchFlags.end()) continue;
    std::string_view value;
    if (equals != std::string_view::npos) {
      value = flag.substr(equals + 1);
    } else if (i + 1 < flags.size()) {
      value = flags[i + 1];
    }
    int size = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), size);
    constexpr int kLargest = std::numeric_limits<int>::max() / 2;
    if (failure == std::errc() && end == value.data() + value.size() && size >= 3 &&
        size <= kLargest) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

Result<Workset> MakeLengths(const Sweep& sweep, const SweepCell& cell,
                            const server::Dialect& dialect, const server::ServerIdentity& identity,
                            const RunClock& clock) {
  if (dialect.tokenize_path().empty()) {
    return Error{ErrorCode::kUsage,
                 "servers of kind " + std::string(dialect.kind()) +
                     " have no tokenizer to ask, and `builtin: lengths` needs one; use another "
                     "work-set",
                 sweep.file};
  }
  const auto may_go_on = [&clock] { return clock.MayGoOn("the work-set was being made"); };
  const auto count = [&](const std::string& text) -> std::optional<std::int64_t> {
    if (!may_go_on().ok()) return std::nullopt;
    return CountTokens(dialect, identity, text, clock);
  };
  Result<Workset> workset =
      config::MakeLengthsWorkset(Lengths(sweep, cell), HasCompletions(dialect), count);
  BI_TRY(may_go_on());
  return workset;
}

Result<Workset> EstimateLengths(const Sweep& sweep, const SweepCell& cell) {
  constexpr std::size_t kBytesPerToken = 4;
  const auto count = [](const std::string& text) -> std::optional<std::int64_t> {
    return static_cast<std::int64_t>((text.size() + kBytesPerToken - 1) / kBytesPerToken);
  };
  return config::MakeLengthsWorkset(Lengths(sweep, cell), false, count);
}

}  // namespace bi_test::run
