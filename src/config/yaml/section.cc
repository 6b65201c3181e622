#include "config/yaml/section.h"

#include <algorithm>

#include "base/safe_text.h"
#include "base/utf8.h"
#include "config/name_match.h"
#include "config/yaml/scalar.h"

namespace bi_test::config {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kInPlainDigits = ", in plain decimal digits";

// Advice about a key that is spelt like one of another section, given as `section.key`.
std::string MeantElsewhere(std::string_view word, const std::vector<std::string>& elsewhere) {
  std::vector<std::string> names;
  for (const std::string& path : elsewhere) names.push_back(path.substr(path.find('.') + 1));
  const auto hit = std::ranges::find(names, NearestName(word, names));
  if (hit == names.end()) return {};
  return " (did you mean \"" + elsewhere[static_cast<std::size_t>(hit - names.begin())] + "\"?)";
}

bool HasDigit(std::string_view text) { return text.find_first_of("0123456789") != text.npos; }

}  // namespace

std::string Describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNothing:
      return "nothing";
    case YamlNode::Kind::kText:
      return Quoted(node.text);
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a mapping";
  }
  return "nothing";
}

void ScalarReader::Refuse(std::string_view allowed) const {
  problems_.Found(node_.line, key_, Describe(node_), allowed);
}

void ScalarReader::RefuseNumber(std::string allowed) const {
  if (node_.quoted) allowed += ", without quotes";
  Refuse(allowed);
}

std::optional<std::int64_t> ScalarReader::Integer(std::int64_t min, std::int64_t max) const {
  const std::optional<std::int64_t> value = IsPlain() ? ParseInteger(node_.text) : std::nullopt;
  if (value && *value >= min && *value <= max) return value;
  std::string allowed = "an integer from " + std::to_string(min) + " to " + std::to_string(max);
  if (IsPlain() && !value && HasDigit(node_.text)) allowed += kInPlainDigits;
  RefuseNumber(std::move(allowed));
  return std::nullopt;
}

std::optional<std::uint64_t> ScalarReader::Unsigned() const {
  const std::optional<std::uint64_t> value = IsPlain() ? ParseUnsigned(node_.text) : std::nullopt;
  if (value) return value;
  std::string allowed = "an integer from 0 to 18446744073709551615";
  if (IsPlain() && HasDigit(node_.text)) allowed += kInPlainDigits;
  RefuseNumber(std::move(allowed));
  return std::nullopt;
}

std::optional<double> ScalarReader::Real(double min, double max) const {
  const std::optional<double> value = IsPlain() ? ParseReal(node_.text) : std::nullopt;
  if (value && *value >= min && *value <= max) return *value + 0.0;
  RefuseNumber("a number from " + ShortText(min) + " to " + ShortText(max));
  return std::nullopt;
}

std::optional<bool> ScalarReader::Boolean() const {
  if (IsPlain() && node_.text == "true") return true;
  if (IsPlain() && node_.text == "false") return false;
  RefuseNumber("true or false");
  return std::nullopt;
}

std::optional<milliseconds> ScalarReader::Duration() const {
  const std::optional<milliseconds> value = IsPlain() ? ParseDuration(node_.text) : std::nullopt;
  if (value && *value >= milliseconds(1) && *value <= std::chrono::hours(168)) return value;
  RefuseNumber("a duration such as 500ms, 120s, 2m, 4h or whole seconds, from 1ms to 168h");
  return std::nullopt;
}

std::optional<std::string> ScalarReader::Text(std::string_view allowed, bool may_be_empty) const {
  const bool usable = node_.kind == YamlNode::Kind::kText &&
                      (may_be_empty || !node_.text.empty()) && !HasControlCharacter(node_.text);
  if (usable) return node_.text;
  Refuse(allowed);
  return std::nullopt;
}

std::optional<std::string> ScalarReader::Word(const std::vector<std::string>& words) const {
  std::optional<std::string> text = Text(Joined(words));
  if (!text || std::ranges::find(words, *text) != words.end()) return text;
  Refuse(Joined(words));
  return std::nullopt;
}

Section::Section(const YamlNode* node, std::string path, const std::vector<std::string>& keys,
                 FileProblems& problems, const std::vector<std::string>& elsewhere)
    : node_(node), path_(std::move(path)), problems_(problems) {
  if (node_ == nullptr) return;
  if (node_->kind != YamlNode::Kind::kMap) {
    problems_.Found(node_->line, path_, Describe(*node_),
                    "a mapping with the keys " + Joined(keys));
    return;
  }
  for (const YamlMember& member : node_->members) {
    if (std::ranges::find(keys, member.key) != keys.end()) continue;
    std::string advice = DidYouMean(member.key, keys);
    if (advice.empty()) advice = MeantElsewhere(member.key, elsewhere);
    std::string key(ClipUtf8(member.key, 80));
    if (HasControlCharacter(key)) key = Quoted(key);
    problems_.Found(member.line, PathOf(key), "an unknown key", Joined(keys) + advice);
  }
}

const YamlNode* Section::Find(std::string_view key) const {
  return node_ == nullptr ? nullptr : node_->Find(key);
}

std::string Section::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

int Section::LineOf(std::string_view key) const {
  if (node_ == nullptr) return 0;
  const auto hit = std::ranges::find(node_->members, key, &YamlMember::key);
  return hit == node_->members.end() ? node_->line : hit->line;
}

ScalarReader Section::Reader(std::string_view key) const {
  return ScalarReader(*Find(key), PathOf(key), problems_);
}

void Section::Require(std::string_view key, std::string_view allowed) const {
  if (node_ == nullptr || node_->kind != YamlNode::Kind::kMap || Find(key) != nullptr) return;
  problems_.Found(node_->line, PathOf(key), "nothing", allowed);
}

void Section::Read(std::string_view key, int& out, int min, int max) const {
  if (Find(key) == nullptr) return;
  if (const auto value = Reader(key).Integer(min, max)) out = static_cast<int>(*value);
}

void Section::Read(std::string_view key, double& out, double min, double max) const {
  if (Find(key) == nullptr) return;
  if (const auto value = Reader(key).Real(min, max)) out = *value;
}

void Section::Read(std::string_view key, bool& out) const {
  if (Find(key) == nullptr) return;
  if (const auto value = Reader(key).Boolean()) out = *value;
}

void Section::ReadSeed(std::string_view key, std::uint64_t& out) const {
  if (Find(key) == nullptr) return;
  if (const auto value = Reader(key).Unsigned()) out = *value;
}

void Section::Read(std::string_view key, milliseconds& out) const {
  if (Find(key) == nullptr) return;
  if (const auto value = Reader(key).Duration()) out = *value;
}

void Section::ReadText(std::string_view key, std::string_view allowed, std::string& out) const {
  if (Find(key) == nullptr) return;
  if (auto value = Reader(key).Text(allowed)) out = *std::move(value);
}

}  // namespace bi_test::config
