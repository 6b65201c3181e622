#include "report/markup.h"

namespace bi_test::report {
namespace {

std::string EndTag(std::string_view open, Lines lines) {
  std::string end = "</" + std::string(open.substr(0, open.find(' '))) + ">";
  if (lines == Lines::kAfter || lines == Lines::kBoth) end += "\n";
  return end;
}

std::string StartTag(std::string_view open, Lines lines) {
  std::string start = "<" + std::string(open) + ">";
  if (lines == Lines::kWithin || lines == Lines::kBoth) start += "\n";
  return start;
}

}  // namespace

std::string Tag(std::string_view open, std::string_view content, Lines lines) {
  return StartTag(open, lines) + std::string(content) + EndTag(open, lines);
}

Element::Element(std::string& out, std::string_view open, Lines lines, std::string_view indent)
    : out_(out), end_(EndTag(open, lines)) {
  out_.append(indent).append(StartTag(open, lines));
  // An end tag on the line of its content needs no indent.
  if (lines == Lines::kBoth) end_.insert(0, indent);
}

Element::~Element() { out_ += end_; }

}  // namespace bi_test::report
