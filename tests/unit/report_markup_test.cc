#include "report/markup.h"

#include <gmock/gmock.h>

namespace bi_test::report {
namespace {

TEST(TagTest, ClosesTheNameWithoutItsAttributes) {
  EXPECT_EQ(Tag("b", "x"), "<b>x</b>");
  EXPECT_EQ(Tag("p class=\"dim\"", "x", Lines::kAfter), "<p class=\"dim\">x</p>\n");
  EXPECT_EQ(Tag("ul", "x", Lines::kWithin), "<ul>\nx</ul>");
  EXPECT_EQ(Tag("ul", "x", Lines::kBoth), "<ul>\nx</ul>\n");
}

TEST(ElementTest, IsOpenUntilTheEndOfItsScope) {
  std::string out = "a";
  {
    const Element outer(out, "suite id=\"1\"", Lines::kBoth, "  ");
    const Element inner(out, "case", Lines::kAfter, "    ");
    out += "text";
  }
  EXPECT_EQ(out, "a  <suite id=\"1\">\n    <case>text</case>\n  </suite>\n");
}

}  // namespace
}  // namespace bi_test::report
