#include "cli/workset_command.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/trim.h"
#include "bi_test/policy.h"
#include "bi_test/sanitize.h"
#include "bi_test/statistics.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "config/worksets/built_in_workset.h"
#include "config/worksets/items.h"
#include "config/worksets/workset.h"
#include "run/prepared_item.h"
#include "scorers/text_scorer.h"
#include "server/dialects/registry.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxLine = 4000;
constexpr std::size_t kMaxPrompt = 60;
constexpr std::size_t kMostRefusals = 20;

/// Every mistake on a line of its own: a work-set file may hold many.
int FailLines(const std::string& subcommand, const Error& error, bool json, ExitCode code) {
  if (json) PrintJsonError(ErrorCodeName(error.code), error.message, error.where);
  std::istringstream lines(error.Text());
  for (std::string line; std::getline(lines, line);) {
    std::cerr << "bi-test workset " << subcommand << ": " << SanitizeText(line, kMaxLine) << '\n';
  }
  return code;
}

/// What a server of that kind cannot be asked, in the form of the reader's own mistakes.
Status CheckKind(const Workset& workset, const std::string& source, const std::string& kind) {
  if (kind.empty()) return {};
  const Result<const server::Dialect*> dialect = server::FindDialect(kind);
  if (!dialect.ok()) {
    return Error{ErrorCode::kUsage, dialect.error().message, "--kind"};
  }
  std::string text;
  std::size_t count = 0;
  for (std::size_t row = 0; row < workset.rows.size(); ++row) {
    const Status status = (*dialect)->CheckRow(workset.rows[row]);
    if (status.ok() || ++count > kMostRefusals) continue;
    text += (text.empty() ? "" : "\n") + source + ": row " + std::to_string(row) + ": " +
            status.error().Text();
  }
  if (count == 0) return {};
  if (count > kMostRefusals) {
    text += "\n" + source + ": and " + std::to_string(count - kMostRefusals) + " more mistakes";
  }
  return Error{ErrorCode::kInvalidFile, std::move(text), {}};
}

Result<Workset> Load(const WorksetArguments& arguments) {
  if (arguments.file.empty() == arguments.builtin.empty()) {
    return Error{ErrorCode::kUsage,
                 std::string("found ") + (arguments.file.empty() ? "neither" : "both") +
                     ", allowed: one of FILE, --builtin NAME",
                 {}};
  }
  Result<Workset> workset = arguments.file.empty() ? config::BuiltInWorkset(arguments.builtin)
                                                   : config::LoadWorkset(arguments.file);
  if (!workset.ok()) return workset.error();
  const std::string source = arguments.file.empty() ? workset->name : arguments.file;
  if (Status status = CheckKind(*workset, source, arguments.kind); !status.ok()) {
    return status.error();
  }
  // Names that a run would give: two rows with one name are a mistake of the file, whatever the
  // model and the context.
  const Result<std::vector<config::Item>> items =
      config::ExpandItems(*workset, "m", 4096, arguments.reps);
  if (!items.ok()) return items.error();
  return workset;
}

ExitCode CodeOf(const Error& error) {
  return error.code == ErrorCode::kUsage ? kExitUsage : kExitError;
}

const char* KindOf(const WorksetRow& row) {
  if (row.completion) return "completion";
  return row.messages.empty() ? "chat" : "messages";
}

/// Bytes of all text that the model reads.
std::size_t TextBytes(const WorksetRow& row) {
  if (row.messages.empty()) return row.prompt.size() + row.system.value_or("").size();
  std::size_t bytes = 0;
  for (const ChatMessage& message : row.messages) bytes += message.content.size();
  return bytes;
}

std::string SamplingKeys(const WorksetRow& row) {
  std::string keys;
  if (const Json::Object* sampling = row.sampling.if_object()) {
    for (const auto& [key, value] : *sampling) keys += (keys.empty() ? "" : ",") + key;
  }
  return keys.empty() ? "-" : keys;
}

bool HasAnswer(const WorksetRow& row) { return !Trim(ExpectedText(row.expected_answer)).empty(); }

Json RowJson(const WorksetRow& row, std::size_t index) {
  Json out;
  out["row"] = index;
  out["kind"] = KindOf(row);
  out["family"] = row.family;
  out["fill"] = row.fill;
  out["prompt"] = row.prompt;
  out["system"] = row.system ? Json(*row.system) : Json();
  out["expected_answer"] = row.expected_answer;
  out["sampling"] = row.sampling;
  out["text_bytes"] = TextBytes(row);
  out["prompt_sha256"] = run::PromptSha256(row);
  if (row.messages.empty()) return out;
  Json::Array messages;
  for (const ChatMessage& message : row.messages) {
    messages.push_back(
        Json::Object{{"role", Json(message.role)}, {"content", Json(message.content)}});
  }
  out["messages"] = std::move(messages);
  return out;
}

std::string Padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

/// What a work-set consists of, and what a run of it could see.
struct Stats {
  std::map<std::string, std::int64_t> kinds, families, sampling_keys;
  std::int64_t n_rows = 0;
  std::int64_t n_items = 0;
  std::int64_t n_distinct_prompts = 0;
  std::int64_t n_without_answer = 0;
  std::size_t shortest = 0;
  std::size_t median = 0;
  std::size_t longest = 0;
  double mean = 0.0;
  std::int64_t n_comparisons = 0;
  std::optional<double> power_1_percent;
  std::optional<std::int64_t> comparisons_for_95;
  std::int64_t passes_for_95 = 0;
};

Stats Count(const Workset& workset, const WorksetArguments& arguments) {
  Stats stats;
  std::set<std::string> prompts;
  std::vector<std::size_t> bytes;
  for (const WorksetRow& row : workset.rows) {
    ++stats.kinds[KindOf(row)];
    ++stats.families[row.family];
    if (const Json::Object* sampling = row.sampling.if_object()) {
      for (const auto& [key, value] : *sampling) ++stats.sampling_keys[key];
    }
    prompts.insert(run::PromptSha256(row));
    bytes.push_back(TextBytes(row));
    stats.mean += static_cast<double>(bytes.back());
    if (!HasAnswer(row)) ++stats.n_without_answer;
  }
  std::ranges::sort(bytes);
  stats.n_rows = static_cast<std::int64_t>(workset.rows.size());
  stats.n_items = stats.n_rows * arguments.reps;
  stats.n_distinct_prompts = static_cast<std::int64_t>(prompts.size());
  stats.shortest = bytes.front();
  stats.median = bytes[(bytes.size() - 1) / 2];
  stats.longest = bytes.back();
  stats.mean /= static_cast<double>(stats.n_rows);
  stats.n_comparisons = stats.n_distinct_prompts * arguments.passes;
  stats.power_1_percent = PlannedPower(0.01, stats.n_comparisons);
  stats.comparisons_for_95 = ComparisonsForPower(0.01, 0.95);
  if (stats.comparisons_for_95) {
    stats.passes_for_95 =
        (*stats.comparisons_for_95 + stats.n_distinct_prompts - 1) / stats.n_distinct_prompts;
  }
  return stats;
}

Json CountsJson(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::Object{};
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

std::string CountsText(const std::map<std::string, std::int64_t>& counts) {
  constexpr std::size_t kMost = 20;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, count] : counts) {
    if (++shown > kMost) break;
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
  }
  if (counts.size() > kMost) text += ", and " + std::to_string(counts.size() - kMost) + " more";
  return text.empty() ? "none" : text;
}

Json StatsJson(const Workset& workset, const Stats& stats, const WorksetArguments& arguments) {
  const Policy policy;
  Json out;
  out["name"] = workset.name;
  out["sha256"] = workset.sha256;
  out["n_rows"] = stats.n_rows;
  out["reps"] = arguments.reps;
  out["n_items"] = stats.n_items;
  out["n_distinct_prompts"] = stats.n_distinct_prompts;
  out["n_without_expected_answer"] = stats.n_without_answer;
  out["kinds"] = CountsJson(stats.kinds);
  out["families"] = CountsJson(stats.families);
  out["sampling"] = CountsJson(stats.sampling_keys);
  out["text_bytes"]["min"] = stats.shortest;
  out["text_bytes"]["median"] = stats.median;
  out["text_bytes"]["mean"] = stats.mean;
  out["text_bytes"]["max"] = stats.longest;
  out["largest_n"] = stats.n_items;
  out["enough_for_green"] = stats.n_distinct_prompts >= policy.min_effective_prompts;
  out["enough_for_promotion"] = stats.n_distinct_prompts >= policy.min_promotion_prompts;
  out["passes"] = arguments.passes;
  out["n_comparisons"] = stats.n_comparisons;
  out["planned_power_1_percent"] = stats.power_1_percent ? Json(*stats.power_1_percent) : Json();
  out["comparisons_for_95"] = stats.comparisons_for_95 ? Json(*stats.comparisons_for_95) : Json();
  out["passes_for_95"] = stats.passes_for_95;
  return out;
}

void PrintStats(const Workset& workset, const Stats& stats, const WorksetArguments& arguments) {
  const Policy policy;
  const auto line = [](const char* label, const std::string& text) {
    std::cout << "  " << Padded(label, 11) << SanitizeText(text, kMaxLine) << '\n';
  };
  const auto enough = [&](int needed) {
    return stats.n_distinct_prompts >= needed
               ? std::string("enough")
               : "too few, " + std::to_string(needed) + " are needed";
  };
  std::cout << SanitizeText(workset.name, kMaxLine) << "  sha256 " << workset.sha256 << '\n';
  line("rows", std::to_string(stats.n_rows) + " (" + CountsText(stats.kinds) + "), " +
                   std::to_string(stats.n_without_answer) + " without an expected answer");
  line("families", CountsText(stats.families));
  line("sampling", CountsText(stats.sampling_keys));
  line("bytes", std::to_string(stats.shortest) + " to " + std::to_string(stats.longest) +
                    ", median " + std::to_string(stats.median) + ", mean " +
                    FixedText(stats.mean, 1));
  line("items", std::to_string(stats.n_items) + " (" + std::to_string(arguments.reps) +
                    (arguments.reps == 1 ? " repetition" : " repetitions") +
                    "): the largest N they fill");
  line("prompts", std::to_string(stats.n_distinct_prompts) + " distinct: for GREEN " +
                      enough(policy.min_effective_prompts) + ", for promotion " +
                      enough(policy.min_promotion_prompts));
  line("sees", "a 1 % flip with probability " +
                   (stats.power_1_percent ? FixedText(*stats.power_1_percent, 3) : "?") + " in " +
                   std::to_string(arguments.passes) +
                   (arguments.passes == 1 ? " pass (" : " passes (") +
                   std::to_string(stats.n_comparisons) + " comparisons); with 0.95 in " +
                   std::to_string(stats.passes_for_95));
}

}  // namespace

int WorksetCheckCommand(const WorksetArguments& arguments) {
  const Result<Workset> workset = Load(arguments);
  if (!workset.ok()) {
    return FailLines("check", workset.error(), arguments.json, CodeOf(workset.error()));
  }
  if (arguments.json) {
    Json out;
    out["name"] = workset->name;
    out["n_rows"] = workset->rows.size();
    out["sha256"] = workset->sha256;
    out["ok"] = true;
    PrintJson(out);
  } else {
    std::cout << SanitizeText(workset->name, kMaxLine) << ": " << workset->rows.size()
              << (workset->rows.size() == 1 ? " row" : " rows") << ", no mistakes; sha256 "
              << workset->sha256 << '\n';
  }
  return kExitOk;
}

int WorksetShowCommand(const WorksetArguments& arguments) {
  const Result<Workset> workset = Load(arguments);
  if (!workset.ok()) {
    return FailLines("show", workset.error(), arguments.json, CodeOf(workset.error()));
  }
  const std::vector<WorksetRow>& rows = workset->rows;
  if (arguments.row && *arguments.row >= rows.size()) {
    return FailLines("show",
                     Error{ErrorCode::kUsage,
                           "found " + std::to_string(*arguments.row) + ", allowed: 0 to " +
                               std::to_string(rows.size() - 1),
                           "--row"},
                     arguments.json, kExitUsage);
  }
  if (arguments.row) {
    PrintJson(RowJson(rows[*arguments.row], *arguments.row));
    return kExitOk;
  }
  if (arguments.json) {
    Json out;
    out["name"] = workset->name;
    out["sha256"] = workset->sha256;
    Json::Array list;
    for (std::size_t i = 0; i < rows.size(); ++i) list.push_back(RowJson(rows[i], i));
    out["rows"] = std::move(list);
    PrintJson(out);
    return kExitOk;
  }
  std::cout << "row     kind        family            bytes  answer  sampling  prompt\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WorksetRow& row = rows[i];
    std::cout << Padded(std::to_string(i), 8) << Padded(KindOf(row), 12)
              << Padded(SanitizeText(row.family, 64), 16) << "  "
              << Padded(std::to_string(TextBytes(row)), 7)
              << (HasAnswer(row) ? "yes     " : "no      ") << Padded(SamplingKeys(row), 8) << "  "
              << SanitizeText(row.prompt, kMaxPrompt) << '\n';
  }
  return kExitOk;
}

int WorksetStatsCommand(const WorksetArguments& arguments) {
  for (const auto& [name, value] :
       {std::pair{"--passes", arguments.passes}, std::pair{"--reps", arguments.reps}}) {
    if (value >= 1 && value <= 1000) continue;
    return FailLines(
        "stats",
        Error{ErrorCode::kUsage, "found " + std::to_string(value) + ", allowed: 1 to 1000", name},
        arguments.json, kExitUsage);
  }
  const Result<Workset> workset = Load(arguments);
  if (!workset.ok()) {
    return FailLines("stats", workset.error(), arguments.json, CodeOf(workset.error()));
  }
  const Stats stats = Count(*workset, arguments);
  if (arguments.json) {
    PrintJson(StatsJson(*workset, stats, arguments));
  } else {
    PrintStats(*workset, stats, arguments);
  }
  return kExitOk;
}

}  // namespace bi_test::cli
