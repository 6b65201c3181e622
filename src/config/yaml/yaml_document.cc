#include "config/yaml/yaml_document.h"
#include "base/safe_text.h"
#include "base/utf8.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace bi_test::config {
namespace {

// Ends the parse from within an event; never leaves this file.
struct Stop {};

int LineOf(const YAML::Mark& mark) { return mark.line + 1; }

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const YamlLimits& limits, FileProblems& problems)
      : text_(text), limits_(limits), problems_(problems) {}

  [[nodiscard]] bool has_document() const { return documents_ > 0; }
  [[nodiscard]] YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) Refuse(LineOf(mark), "a second document", "one YAML document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseAnchor(mark, anchor);
    YamlNode node;
    const bool is_value = !frames_.empty() && frames_.back().pending;
    const bool is_entry = !frames_.empty() && frames_.back().is_block_list;
    node.line = is_value   ? frames_.back().pending->line
                : is_entry ? LineBefore(mark)
                           : LineOf(mark);
    Put(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Refuse(LineOf(mark), "an alias (*)", "the value itself, written out");
  }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    Refuse(LineOf(mark), "the anchor " + Quoted("&" + name), "the value without an anchor");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseAnchor(mark, anchor);
    RefuseTag(mark, tag);
    YamlNode node;
    node.kind = YamlNode::Kind::kText;
    node.line = LineOf(mark);
    node.text = value;
    node.quoted = tag == "!";
    Put(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    Open(mark, tag, anchor, YamlNode::Kind::kList);
    frames_.back().is_block_list = style == YAML::EmitterStyle::Block;
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { Close(); }

 private:
  // A list or mapping whose end has not been seen.
  struct Frame {
    YamlNode node;
    bool is_block_list = false;
    std::optional<YamlMember> pending;     // a key that waits for its value
    std::map<std::string, int> key_lines;  // of a mapping
  };

  [[noreturn]] void Refuse(int line, std::string_view found, std::string_view allowed) {
    problems_.Found(line, Path(), found, allowed);
    throw Stop{};
  }

  void RefuseAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) Refuse(LineOf(mark), "an anchor (&)", "the value without an anchor");
  }

  // yaml-cpp marks a list entry that is not there with the place of whatever follows it. The entry
  // itself is on the last line before that place which holds more than blanks and a comment.
  [[nodiscard]] int LineBefore(const YAML::Mark& mark) const {
    int line = LineOf(mark);
    auto end = std::min(text_.size(), static_cast<std::size_t>(std::max(mark.pos, 0)));
    while (line > 1) {
      const std::size_t begin = end == 0 ? 0 : text_.rfind('\n', end - 1) + 1;
      const std::size_t first = text_.substr(begin, end - begin).find_first_not_of(" \t");
      if (first != text_.npos && text_[begin + first] != '#') break;
      if (begin == 0) break;
      end = begin - 1;
      --line;
    }
    return line;
  }

  // yaml-cpp reports "?" for plain scalars, "!" for quoted ones and "" or "?" for collections.
  void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    Refuse(LineOf(mark), "the tag " + Quoted(tag), "the value without a tag");
  }

  // Where the next node belongs, for messages.
  [[nodiscard]] std::string Path() const {
    std::string path;
    for (const Frame& frame : frames_) {
      if (frame.node.kind == YamlNode::Kind::kList) {
        path.append("[").append(std::to_string(frame.node.items.size())).append("]");
      } else if (frame.pending) {
        path.append(path.empty() ? "" : ".").append(frame.pending->key);
      }
    }
    return std::string(ClipUtf8(path, 200));
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    RefuseAnchor(mark, anchor);
    RefuseTag(mark, tag);
    if (static_cast<int>(frames_.size()) >= limits_.max_depth) {
      Refuse(LineOf(mark), "more than " + std::to_string(limits_.max_depth) + " levels",
             "at most that many levels");
    }
    if (AwaitsKey()) RefuseKey(LineOf(mark));
    Frame frame;
    frame.node.kind = kind;
    frame.node.line = LineOf(mark);
    frames_.push_back(std::move(frame));
  }

  void Close() {
    YamlNode node = std::move(frames_.back().node);
    frames_.pop_back();
    Put(std::move(node));
  }

  [[nodiscard]] bool AwaitsKey() const {
    return !frames_.empty() && frames_.back().node.kind == YamlNode::Kind::kMap &&
           !frames_.back().pending;
  }

  [[noreturn]] void RefuseKey(int line) {
    Refuse(line, "a key that is not text",
           "text before the colon, in quotes if it is null or ~, and every bracket closed");
  }

  void Put(YamlNode node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.kind == YamlNode::Kind::kList) {
      frame.node.items.push_back(std::move(node));
    } else if (AwaitsKey()) {
      TakeKey(frame, std::move(node));
    } else {
      frame.pending->value = std::move(node);
      frame.node.members.push_back(*std::move(frame.pending));
      frame.pending.reset();
    }
  }

  void TakeKey(Frame& frame, YamlNode key) {
    if (key.kind != YamlNode::Kind::kText) RefuseKey(key.line);
    const auto [first, is_new] = frame.key_lines.try_emplace(key.text, key.line);
    frame.pending = YamlMember{key.text, key.line, {}};
    if (!is_new) {
      problems_.Found(key.line, Path(), "the key a second time",
                      "each key once, the first is on line " + std::to_string(first->second));
    }
  }

  std::string_view text_;
  const YamlLimits& limits_;
  FileProblems& problems_;
  YamlNode root_;
  std::vector<Frame> frames_;
  int documents_ = 0;
};

// 1-based line of an offset.
int LineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

// One kind of line end, so that a CR never hides in a plain scalar.
std::string WithLineFeeds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

std::optional<std::size_t> FirstControlCharacter(std::string_view text) {
  const auto hit = std::ranges::find_if(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
  });
  if (hit == text.end()) return std::nullopt;
  return static_cast<std::size_t>(hit - text.begin());
}

/// Whether a tab stands among the blanks before the first word of a line, 1 being the first.
bool IndentedWithTab(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return text.substr(0, text.find_first_not_of(" \t")).find('\t') != text.npos;
}

}  // namespace

const YamlNode* YamlNode::Find(std::string_view key) const {
  const auto hit = std::ranges::find(members, key, &YamlMember::key);
  return hit == members.end() ? nullptr : &hit->value;
}

bool ParseYaml(std::string_view text, const YamlLimits& limits, YamlNode& root,
               FileProblems& problems) {
  const std::size_t before = problems.size();
  if (text.size() > limits.max_bytes) {
    problems.Found(0, "", std::to_string(text.size()) + " bytes",
                   "at most " + std::to_string(limits.max_bytes) + " bytes");
    return false;
  }
  const std::string clean = WithLineFeeds(WithoutByteOrderMark(text));
  if (const auto bad = FindInvalidUtf8(clean)) {
    problems.Found(LineAt(clean, *bad), "", "bytes that are not UTF-8", "a file in UTF-8");
    return false;
  }
  if (const auto bad = FirstControlCharacter(clean)) {
    problems.Found(LineAt(clean, *bad), "",
                   "the control character " + Quoted(clean.substr(*bad, 1)),
                   "text, tabs and line ends");
    return false;
  }
  TreeBuilder builder(clean, limits, problems);
  try {
    std::istringstream stream(clean);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    if (!builder.has_document()) {
      problems.Found(1, "", "an empty file", "one YAML document");
    }
  } catch (const Stop&) {
  } catch (const YAML::Exception& error) {
    if (IndentedWithTab(clean, LineOf(error.mark))) {
      problems.Found(LineOf(error.mark), "", "broken YAML (a tab before the first word)",
                     "blanks in the place of the tab");
    } else {
      problems.Found(LineOf(error.mark), "", "broken YAML (" + error.msg + ")",
                     "one YAML document; a text with any of , : ? # [ ] { } in it needs quotes");
    }
  } catch (const std::exception& error) {
    problems.Found(0, "", std::string("broken YAML (") + error.what() + ")", "one YAML document");
  }
  if (problems.size() > before) return false;
  root = builder.TakeRoot();
  return true;
}

}  // namespace bi_test::config
