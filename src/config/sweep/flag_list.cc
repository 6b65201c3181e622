#include "config/sweep/flag_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace bi_test::config {
namespace {

// Short names of llama.cpp and second long names; what is not here stands for itself.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kOtherNames = {{
    {"-ngl", "gpu-layers"},
    {"--n-gpu-layers", "gpu-layers"},
    {"-fa", "flash-attn"},
    {"-b", "batch-size"},
    {"-ub", "ubatch-size"},
    {"-ctk", "cache-type-k"},
    {"-ctv", "cache-type-v"},
    {"-t", "threads"},
    {"-tb", "threads-batch"},
    {"-c", "ctx-size"},
    {"-np", "parallel"},
    {"-m", "model"},
    {"-sm", "split-mode"},
    {"-ts", "tensor-split"},
    {"-mg", "main-gpu"},
    {"-ot", "override-tensor"},
}};

constexpr std::array<std::string_view, 6> kReserved = {"host",     "port",     "model",
                                                       "ctx-size", "parallel", "slots"};

bool IsFlag(std::string_view argument) {
  // `-1` is a value, and so is a lone hyphen.
  return argument.size() > 1 && argument[0] == '-' && !IsDigit(argument[1]) && argument[1] != '.';
}

// Its long name without `--` and `no-`; empty for a value.
std::string FlagMeaning(std::string_view argument) {
  if (!IsFlag(argument)) return {};
  std::string name(argument.substr(0, argument.find('=')));
  if (name.starts_with("--")) std::ranges::replace(name, '_', '-');
  for (const auto& [other, meaning] : kOtherNames) {
    if (name == other) return std::string(meaning);
  }
  name.erase(0, name.starts_with("--") ? 2 : 1);
  if (name.starts_with("no-")) name.erase(0, 3);
  return name;
}

}  // namespace

std::vector<std::string> MergedFlags(const std::vector<std::string>& base,
                                     const std::vector<std::string>& later) {
  const auto is_set_later = [&later](const std::string& meaning) {
    return std::ranges::any_of(later, [&meaning](const std::string& argument) {
      return FlagMeaning(argument) == meaning;
    });
  };
  std::vector<std::string> out;
  bool replaced = false;
  for (const std::string& argument : base) {
    if (const std::string meaning = FlagMeaning(argument); !meaning.empty()) {
      replaced = is_set_later(meaning);
    }
    if (!replaced) out.push_back(argument);
  }
  out.insert(out.end(), later.begin(), later.end());
  return out;
}

std::optional<std::string> LastFlagValue(const std::vector<std::string>& flags,
                                         std::string_view name) {
  for (std::size_t i = flags.size(); i-- > 0;) {
    if (FlagMeaning(flags[i]) != name) continue;
    if (const std::size_t equals = flags[i].find('='); equals != std::string::npos) {
      return flags[i].substr(equals + 1);
    }
    if (i + 1 < flags.size() && !IsFlag(flags[i + 1])) return flags[i + 1];
    return std::nullopt;
  }
  return std::nullopt;
}

bool IsReservedFlag(std::string_view argument) {
  return std::ranges::find(kReserved, FlagMeaning(argument)) != kReserved.end();
}

}  // namespace bi_test::config
