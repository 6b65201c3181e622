#include "server/dialects/user_flags.h"

#include <algorithm>
#include <utility>

#include "base/safe_text.h"

namespace bi_test::server {
namespace {

constexpr std::size_t kShortestAbbreviation = 4;  // `--` and two letters.

std::vector<UserFlag> Collect(const LaunchSpec& spec, FlagStyle style) {
  std::vector<UserFlag> flags;
  const auto add = [&](const std::string& text, std::string where) {
    std::string name = NormalFlag(text);
    if (style == FlagStyle::kAbbreviated) name = name.substr(0, name.find('.'));
    flags.push_back({text, std::move(where), std::move(name)});
  };
  for (std::size_t i = 0; i < spec.server->flags.size(); ++i) {
    add(spec.server->flags[i], "server.flags[" + std::to_string(i) + "]");
  }
  for (std::size_t i = 0; i < spec.model->flags.size(); ++i) {
    add(spec.model->flags[i], "models." + spec.model->id + ".flags[" + std::to_string(i) + "]");
  }
  return flags;
}

bool StandsFor(std::string_view written, std::string_view name, FlagStyle style) {
  if (written == name) return true;
  return style == FlagStyle::kAbbreviated && written.size() >= kShortestAbbreviation &&
         written.starts_with("--") && name.starts_with(written);
}

}  // namespace

std::string NormalFlag(std::string_view flag) {
  if (!flag.starts_with('-')) return {};
  std::string name(flag.substr(0, flag.find('=')));
  if (name.starts_with("--")) std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Result<std::vector<UserFlag>> AllowedFlags(const LaunchSpec& spec,
                                           const std::vector<ForbiddenFlags>& forbidden,
                                           FlagStyle style) {
  std::vector<UserFlag> flags = Collect(spec, style);
  for (const UserFlag& flag : flags) {
    if (flag.text.empty()) return FlagRefused(flag, "an empty flag; remove it");
    if (flag.text.find('\0') != std::string::npos) return FlagRefused(flag, "it holds a zero byte");
    if (flag.name.empty()) continue;
    for (const ForbiddenFlags& group : forbidden) {
      for (const std::string_view name : group.names) {
        if (!StandsFor(flag.name, name, style)) continue;
        const std::string meant =
            flag.name == name ? "" : "it can stand for " + std::string(name) + ", and ";
        return FlagRefused(flag, meant + group.why + "; remove the flag");
      }
    }
  }
  return flags;
}

Error FlagRefused(const UserFlag& flag, const std::string& message) {
  std::string text = "`";
  text.append(Printable(flag.text)).append("`: ").append(message);
  return Error{ErrorCode::kRefused, std::move(text), flag.where};
}

std::optional<std::string> FlagValue(const std::vector<UserFlag>& flags, std::size_t index) {
  const std::string& text = flags[index].text;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    return text.substr(equals + 1);
  }
  if (index + 1 < flags.size()) return flags[index + 1].text;
  return std::nullopt;
}

bool HasFlag(const std::vector<UserFlag>& flags, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(flags, [&](const UserFlag& flag) {
    return std::ranges::find(names, flag.name) != names.end();
  });
}

std::vector<std::string> WithUserFlags(std::vector<std::string> ours,
                                       const std::vector<UserFlag>& flags) {
  for (const UserFlag& flag : flags) ours.push_back(flag.text);
  return ours;
}

}  // namespace bi_test::server
