#include "server/dialects/flag_template.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "server/dialects/user_flags.h"

namespace bi_test::server {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

struct Needed {
  const char* placeholder;
  const char* other;  ///< Serves as well; may be null.
  const char* what;
};
constexpr Needed kNeeded[] = {
    {"port", nullptr, "its port"},
    {"model", nullptr, "the model of the cell"},
    {"parallel", nullptr, "the number of requests at once"},
    {"ctx", "total_ctx", "the context of the cell"},
};

// The name in braces at the head of `text`; nothing when it is no placeholder, such as JSON.
std::optional<std::string_view> PlaceholderAt(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 1);
  if (end == text.npos || end == 1 || text[end] != '}') return std::nullopt;
  return text.substr(1, end - 1);
}

std::string KnownNames(const Values& values) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "{" : ", {") + name + "}";
  return names;
}

struct Filled {
  std::string text;
  std::set<std::string, std::less<>> used;
};

Result<Filled> Fill(const UserFlag& flag, const Values& values) {
  Filled filled;
  std::string_view rest = flag.text;
  while (!rest.empty()) {
    const std::optional<std::string_view> name = PlaceholderAt(rest);
    if (!name) {
      filled.text += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const auto value = values.find(*name);
    if (value == values.end()) {
      return FlagRefused(flag, "found the placeholder {" + std::string(*name) + "}, known are " +
                                   KnownNames(values));
    }
    filled.text += value->second;
    filled.used.insert(value->first);
    rest.remove_prefix(name->size() + 2);
  }
  return filled;
}

bool IsEveryInterface(std::string_view text) {
  const std::size_t equals = text.starts_with('-') ? text.find('=') : text.npos;
  const std::string_view value = equals == text.npos ? text : text.substr(equals + 1);
  return value == "0.0.0.0" || value == "::" || value == "[::]" || value == "*";
}

}  // namespace

Result<std::vector<std::string>> FillFlagTemplate(const LaunchSpec& spec, const Values& values) {
  BI_TRY_SET(const std::vector<UserFlag> flags, AllowedFlags(spec, {}, FlagStyle::kExact));
  std::vector<std::string> arguments;
  std::set<std::string, std::less<>> used;
  std::map<std::string, std::string, std::less<>> ours;  // Flag, and the placeholder of its value.
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const UserFlag& flag = flags[i];
    if (IsEveryInterface(flag.text)) {
      return FlagRefused(flag, "servers under test listen on loopback only; write {host}");
    }
    if (const auto first = ours.find(flag.name); !flag.name.empty() && first != ours.end()) {
      return FlagRefused(flag, "it is given a second time; the first takes {" + first->second +
                                   "}: remove this one");
    }
    BI_TRY_SET(const Filled filled, Fill(flag, values));
    if (!filled.used.empty()) {
      const std::string& placeholder = *filled.used.begin();
      if (!flag.name.empty()) {
        ours[flag.name] = placeholder;
      } else if (i > 0 && !flags[i - 1].name.empty()) {
        ours[flags[i - 1].name] = placeholder;
      }
      used.insert(filled.used.begin(), filled.used.end());
    }
    arguments.push_back(filled.text);
  }
  for (const Needed& needed : kNeeded) {
    if (used.contains(needed.placeholder)) continue;
    if (needed.other != nullptr && used.contains(needed.other)) continue;
    const std::string name = "{" + std::string(needed.placeholder) + "}";
    const std::string other =
        needed.other == nullptr ? std::string() : " or {" + std::string(needed.other) + "}";
    return Error{
        ErrorCode::kRefused,
        "found no " + name + other + "; a server of kind openai learns " + needed.what +
            " only through its flags: write it where the server takes it, for instance `--" +
            needed.placeholder + " " + name + "`",
        "server.flags"};
  }
  return arguments;
}

}  // namespace bi_test::server
