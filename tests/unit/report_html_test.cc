#include <gmock/gmock.h>

#include <ostream>
#include <regex>
#include <set>
#include <string>

#include "report/html.h"
#include "report/html_assets.h"
#include "report/svg_plots.h"
#include "unit/approved.h"
#include "unit/sample_pages.h"
#include "unit/sample_sweep.h"
#include "unit/xml_check.h"

namespace bi_test::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::HostileText;
using testing_support::ManyCells;
using testing_support::PagesFullOf;
using testing_support::SamplePages;
using testing_support::XmlFault;

/// The page without what XML would read otherwise: the doctype, the style and the script.
std::string Markup(std::string page) {
  for (const auto& [open, text] : {std::pair{"<style>", PageStyle()}, {"<script>", PageScript()}}) {
    const std::size_t at = page.find(std::string(open) + std::string(text));
    if (at != std::string::npos) page.erase(at + std::string(open).size(), text.size());
  }
  const std::string doctype = "<!DOCTYPE html>\n";
  if (page.starts_with(doctype)) page.erase(0, doctype.size());
  return page;
}

/// Every name and value of `href` and of attributes that run scripts or load something.
std::string LoadingFault(const std::string& markup) {
  static const std::regex kTag("<([a-zA-Z0-9]+)([^>]*)>");
  static const std::regex kAttribute(" ([a-zA-Z-]+)=\"([^\"]*)\"");
  static const std::set<std::string> kTags = {
      "html",   "head",   "meta",    "link",    "title", "style", "script", "body",   "header",
      "main",   "footer", "section", "h1",      "h2",    "h3",    "h4",     "p",      "ul",
      "li",     "strong", "code",    "small",   "span",  "a",     "div",    "form",   "label",
      "select", "option", "input",   "button",  "table", "thead", "tbody",  "tr",     "th",
      "td",     "br",     "details", "summary", "dl",    "dt",    "dd",     "figure", "figcaption",
      "pre",    "mark",   "svg",     "rect",    "line",  "text",  "circle"};
  for (std::sregex_iterator it(markup.begin(), markup.end(), kTag), end; it != end; ++it) {
    if (!kTags.contains((*it)[1].str())) return "element " + (*it)[0].str().substr(0, 80);
    const std::string inside = (*it)[2].str();
    for (std::sregex_iterator at(inside.begin(), inside.end(), kAttribute); at != end; ++at) {
      const std::string name = (*at)[1].str();
      const std::string value = (*at)[2].str();
      if (name.starts_with("on") || name == "src" || name == "style" || name == "srcset") {
        return "attribute " + (*at)[0].str();
      }
      if (name == "href" && !value.starts_with("#cell-") && !value.starts_with("./") &&
          value != "data:,") {
        return "link " + value;
      }
    }
  }
  return {};
}

TEST(HtmlPageTest, IsAsApproved) {
  std::string page = Markup(HtmlPage(SamplePages(), "/out"));
  page = std::regex_replace(page, std::regex("sha256-[A-Za-z0-9+/=]+"), "sha256-*");
  testing_support::ExpectApproved("page.html", page);
}

TEST(HtmlPageTest, AnEmptySweepIsSaidToBeEmpty) {
  const std::string page = HtmlPage({}, "/out");
  EXPECT_THAT(page, HasSubstr("There is no cell to show: no cert and no refusal was found."));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(XmlFault(Markup(page)), IsEmpty());
}

TEST(HtmlPageTest, ARunThatGoesOnIsSaidToGoOn) {
  SweepResult sweep = SamplePages();
  sweep.end_utc.clear();
  EXPECT_THAT(HtmlPage(sweep, "/out"), HasSubstr("<strong>still running</strong>"));
}

TEST(HtmlPageTest, DamagedIsNeverGreen) {
  SweepResult sweep = SamplePages();
  sweep.cells = {sweep.cells.back()};
  const std::string markup = Markup(HtmlPage(sweep, "/out"));
  EXPECT_THAT(markup, HasSubstr("<span class=\"v damaged\">DAMAGED</span>"));
  EXPECT_THAT(markup, Not(HasSubstr("class=\"v green\"")));
}

TEST(HtmlPageTest, FilesOutsideThePagesFolderAreRelativeToo) {
  SweepResult sweep = SamplePages();
  sweep.cells = {sweep.cells.front()};
  sweep.cells[0].cert_path = "/out/shard 1/a%2Fb__ctx1__N2.json";
  EXPECT_THAT(HtmlPage(sweep, "/out/merged"),
              HasSubstr("<a href=\"./../shard%201/a%252Fb__ctx1__N2.json\">"));
  EXPECT_THAT(HtmlPage(sweep, ""), Not(HasSubstr("<a href=\"./")));
}

TEST(HtmlPageTest, TwoHundredCellsAreClosedAndAllThere) {
  const std::string page = HtmlPage(ManyCells(200), "/out");
  EXPECT_THAT(page, HasSubstr("id=\"cell-199\""));
  EXPECT_THAT(page, Not(HasSubstr(" open=\"\"")));
  EXPECT_LT(page.size(), std::size_t{8} << 20U);
}

TEST(HtmlPageTest, BeyondItsLimitThePageSaysWhatItLeavesOut) {
  const std::string page = HtmlPage(ManyCells(3000), "/out");
  EXPECT_LT(page.size(), kMaxPageBytes);
  EXPECT_THAT(page, HasSubstr("The page has reached its limit: "));
  EXPECT_THAT(page, HasSubstr("The rest of this cell was left out"));
}

TEST(PagePolicyTest, LetsInOnlyItsOwnStyleAndScript) {
  const std::string policy = PagePolicy();
  EXPECT_THAT(policy, testing::StartsWith("default-src 'none'; img-src data:; style-src 'sha256-"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

struct HostileCase {
  std::string name;
  std::string text;
};

void PrintTo(const HostileCase& test, std::ostream* out) { *out << test.name; }

class HostilePageTest : public testing::TestWithParam<HostileCase> {};

TEST_P(HostilePageTest, StaysItsOwnMarkupAndBounded) {
  const std::string page = HtmlPage(PagesFullOf(GetParam().text), "/out");
  const std::string markup = Markup(page);
  EXPECT_THAT(XmlFault(markup), IsEmpty());
  EXPECT_THAT(LoadingFault(markup), IsEmpty());
  EXPECT_LT(page.size(), std::size_t{1} << 20U);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostilePageTest,
    testing::Values(
        HostileCase{"AllKinds", HostileText()},
        HostileCase{"Script", "</script><script>alert(1)</script><img src=x onerror=alert(1)>"},
        HostileCase{"Style", "</style><style>*{display:none}</style></title></details>"},
        HostileCase{"Quotes", "\" onmouseover=\"alert(1)\" x='y' `z`"},
        HostileCase{"Link", "javascript:alert(1)//../../etc/passwd?a=b#c"},
        HostileCase{"Bidi",
                    "abc\xe2\x80\xae"
                    "def\xe2\x81\xa6"
                    "ghi"},
        HostileCase{"OneMegabyteOfText", std::string(1U << 20U, 'x')},
        HostileCase{"OneMegabyteOfMarkup", std::string(1U << 20U, '<')},
        HostileCase{"OneMegabyteOfBadBytes", std::string(1U << 20U, '\xff')},
        HostileCase{"Empty", ""}),
    [](const testing::TestParamInfo<HostileCase>& test) { return test.param.name; });

TEST(HostilePageTest, BidiOverridesAreSpelledOut) {
  EXPECT_THAT(HtmlPage(PagesFullOf("a\xe2\x80\xae"
                                   "b"),
                       "/out"),
              HasSubstr("a\\u202eb"));
}

TEST(SvgPlotsTest, NothingMeasuredIsNoPlot) {
  EXPECT_THAT(WidthPlot({}, 8), IsEmpty());
  EXPECT_THAT(WidthPlot({PassReport()}, 0), IsEmpty());
  EXPECT_THAT(DriftPlot({}), IsEmpty());
  EXPECT_THAT(DriftPlot({{"t", 0.0, false}}), IsEmpty());
  EXPECT_THAT(MarginPlot({Divergence()}), IsEmpty());
}

TEST(SvgPlotsTest, ManyValuesAreCutAndCounted) {
  const std::vector<IdDrift> drift(1000, IdDrift{"t", 0.5, true});
  EXPECT_THAT(DriftPlot(drift), HasSubstr("64 ids of 1000, largest first"));
}

}  // namespace
}  // namespace bi_test::report
