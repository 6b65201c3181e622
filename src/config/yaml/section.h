#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/yaml/file_problems.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {

/// What stands at a node, for `found ...`: a text in quotes, `nothing`, `a list`, `a mapping`.
[[nodiscard]] std::string Describe(const YamlNode& node);

/// Strict readers of single scalars. A value of the wrong kind, spelling or range adds a problem
/// under `key` and gives nothing. Numbers, booleans and durations must not be in quotes; text may
/// be, and plain text stays what was written (`NO`, `on`, `1.10`). No value, `~` and `null` are
/// `nothing`, never a value.
class ScalarReader {
 public:
  ScalarReader(const YamlNode& node, std::string key, FileProblems& problems)
      : node_(node), key_(std::move(key)), problems_(problems) {}

  [[nodiscard]] std::optional<std::int64_t> Integer(std::int64_t min, std::int64_t max) const;
  [[nodiscard]] std::optional<std::uint64_t> Unsigned() const;
  [[nodiscard]] std::optional<double> Real(double min, double max) const;
  [[nodiscard]] std::optional<bool> Boolean() const;
  /// 1 ms to 168 h.
  [[nodiscard]] std::optional<std::chrono::milliseconds> Duration() const;
  /// Not empty unless in quotes and `may_be_empty`; no control characters.
  [[nodiscard]] std::optional<std::string> Text(std::string_view allowed,
                                                bool may_be_empty = false) const;

  /// One of these words.
  [[nodiscard]] std::optional<std::string> Word(const std::vector<std::string>& words) const;

  void Refuse(std::string_view allowed) const;

 private:
  [[nodiscard]] bool IsPlain() const {
    return node_.kind == YamlNode::Kind::kText && !node_.quoted;
  }
  void RefuseNumber(std::string allowed) const;

  const YamlNode& node_;
  std::string key_;
  FileProblems& problems_;
};

/// One mapping of a sweep file. Keys that are not in `keys` are problems from the start, with the
/// nearest known key as advice; a node that is no mapping is one, too, and reads as empty.
class Section {
 public:
  /// `node` may be null: the section is not there. `path`: `run`, `models[2]`; empty for the whole
  /// file. `elsewhere`: keys of other sections, written `section.key`, for advice about a key in
  /// the wrong place.
  Section(const YamlNode* node, std::string path, const std::vector<std::string>& keys,
          FileProblems& problems, const std::vector<std::string>& elsewhere = {});

  /// The value of a key, or null when it is not there.
  [[nodiscard]] const YamlNode* Find(std::string_view key) const;
  [[nodiscard]] std::string PathOf(std::string_view key) const;
  /// Line of a key, or of the section when the key is not there.
  [[nodiscard]] int LineOf(std::string_view key) const;
  [[nodiscard]] ScalarReader Reader(std::string_view key) const;

  /// Adds a problem when the key is missing.
  void Require(std::string_view key, std::string_view allowed) const;

  // Each leaves `out` as it is when the key is missing or wrong.
  void Read(std::string_view key, int& out, int min, int max) const;
  void Read(std::string_view key, double& out, double min, double max) const;
  void Read(std::string_view key, bool& out) const;
  void ReadSeed(std::string_view key, std::uint64_t& out) const;
  void Read(std::string_view key, std::chrono::milliseconds& out) const;
  void ReadText(std::string_view key, std::string_view allowed, std::string& out) const;

  [[nodiscard]] FileProblems& problems() const { return problems_; }

 private:
  const YamlNode* node_;
  std::string path_;
  FileProblems& problems_;
};

}  // namespace bi_test::config
