#include "run/made_workset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "config/worksets/lengths_workset.h"
#include "config/worksets/workset.h"
#include "process/interrupt.h"
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
constexpr int kTemplateRoom = 64;  // as the check of every item takes it (token_counts.h)

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

std::optional<Error> Stopped(const RunClock& clock) {
  if (const int signal = process::InterruptSignal(); signal != 0) {
    return Error{ErrorCode::kInterrupted, "interrupted by signal " + std::to_string(signal), {}};
  }
  if (clock.deadline <= Clock::now()) {
    return Error{ErrorCode::kDeadline,
                 "the deadline of the whole run passed while the work-set was being made",
                 {}};
  }
  return std::nullopt;
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
  const auto count = [&](const std::string& text) -> std::optional<std::int64_t> {
    if (Stopped(clock)) return std::nullopt;
    return CountTokens(dialect, identity, text, clock);
  };
  Result<Workset> workset =
      config::MakeLengthsWorkset(Lengths(sweep, cell), HasCompletions(dialect), count);
  if (std::optional<Error> stopped = Stopped(clock)) return *std::move(stopped);
  return workset;
}

Result<Workset> FittingRows(const Workset& pool, const Sweep& sweep, const Cell& cell,
                            const server::Dialect& dialect, const server::ServerIdentity& identity,
                            const RunClock& clock) {
  if (dialect.tokenize_path().empty()) return pool;
  std::vector<WorksetRow> rows;
  for (const WorksetRow& row : pool.rows) {
    if (std::optional<Error> stopped = Stopped(clock)) return *std::move(stopped);
    std::string all = row.prompt;
    if (row.system) all += *row.system;
    for (const ChatMessage& message : row.messages) all += message.content;
    const std::optional<std::int64_t> tokens = CountTokens(dialect, identity, all, clock);
    // Twice the room: the exact check of each item comes later and is an error.
    if (!tokens || *tokens + sweep.run.max_tokens + 2 * kTemplateRoom <= cell.ctx) {
      rows.push_back(row);
    }
  }
  return config::MakeWorkset(std::move(rows), pool.name);
}

Result<Workset> EstimateMadeWorkset(const Sweep& sweep, const SweepCell& cell) {
  if (sweep.made->kind == MadeWorkset::Kind::kLengths) {
    constexpr std::size_t kBytesPerToken = 4;
    return config::MakeLengthsWorkset(
        Lengths(sweep, cell), false, [](const std::string& text) -> std::optional<std::int64_t> {
          return static_cast<std::int64_t>((text.size() + kBytesPerToken - 1) / kBytesPerToken);
        });
  }
  std::vector<WorksetRow> rows = sweep.made->pool.rows;
  if (rows.size() > static_cast<std::size_t>(sweep.made->size)) {
    rows.resize(static_cast<std::size_t>(sweep.made->size));
  }
  return config::MakeWorkset(std::move(rows), sweep.workset.name);
}

}  // namespace bi_test::run
