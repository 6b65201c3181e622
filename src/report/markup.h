#pragma once

#include <cstdint>

#include <string>
#include <string_view>

namespace bi_test::report {

/// Where line ends stand about the content of an element.
enum class Lines : std::uint8_t {
  kNone,    ///< `<p>content</p>`
  kAfter,   ///< ... and one behind the end tag.
  kWithin,  ///< One behind the start tag.
  kBoth,
};

/// `<p class="dim">content</p>` from `p class="dim"`; the content is markup already.
[[nodiscard]] std::string Tag(std::string_view open, std::string_view content,
                              Lines lines = Lines::kNone);

/// An element that is open until the end of the scope.
class Element {
 public:
  /// `out` is borrowed. `indent` stands before both tags.
  Element(std::string& out, std::string_view open, Lines lines = Lines::kNone,
          std::string_view indent = "");
  ~Element();
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

 private:
  std::string& out_;
  std::string end_;
};

}  // namespace bi_test::report
