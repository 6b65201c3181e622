// The report page as headless Chromium has it: its script works under its own policy, nothing is
// logged to the console, and no request leaves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "report/html.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"
#include "unit/sample_pages.h"
#include "unit/sample_sweep.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing_support::BinaryResult;

class PageInBrowser : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(BI_TEST_CHROMIUM)) << "found no Chromium at \"" BI_TEST_CHROMIUM
                                                 "\", expected one: scripts/install-packages test";
  }

  /// The document of a report after its script has run, opened with this hash.
  std::string Dom(const report::SweepResult& sweep, const std::string& hash) {
    std::string dom = Load(report::HtmlPage(sweep, scratch_.path().string()), hash);
    EXPECT_THAT(request_, IsEmpty()) << "a request left the page";
    return dom;
  }

  std::string Load(const std::string& html, const std::string& hash) {
    const fs::path page = scratch_.path() / "index.html";
    std::ofstream(page, std::ios::binary) << html;
    const fs::path net_log = scratch_.path() / "net.json";
    testing_support::BinaryOptions options;
    options.timeout = std::chrono::seconds(120);
    options.env["HOME"] = scratch_.path().string();
    options.args = {"--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--disable-dev-shm-usage",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    "--user-data-dir=" + (scratch_.path() / "profile").string(),
                    "--log-net-log=" + net_log.string(),
                    "--enable-logging=stderr",
                    "--v=0",
                    "--dump-dom",
                    "file://" + page.string() + hash};
    const BinaryResult result = testing_support::RunBinary(BI_TEST_CHROMIUM, options);
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.err, Not(HasSubstr(":CONSOLE"))) << "the page logged something";
    request_ = RequestOfAPage(net_log);
    return result.out;
  }

  /// The first request of a page to a network, as the log has it; empty when there is none. What
  /// the browser asks for itself has no page as its initiator.
  static std::string RequestOfAPage(const fs::path& net_log) {
    std::ifstream in(net_log);
    std::string line;
    bool any = false;
    while (std::getline(in, line)) {
      any = true;
      const bool network = line.find("\"url\":\"http") != std::string::npos ||
                           line.find("\"url\":\"ws") != std::string::npos;
      if (network && line.find("\"initiator\":") != std::string::npos &&
          line.find("\"initiator\":\"not an origin\"") == std::string::npos) {
        return line;
      }
    }
    EXPECT_TRUE(any) << "found no net log at " << net_log;
    return {};
  }

  test_support::TempDir scratch_;
  std::string request_;  ///< Of the last page.
};

/// The opening tags of the cells that are shown, by id.
std::vector<std::string> ShownCells(const std::string& dom) {
  static const std::regex kCell("<details class=\"cell[^>]*>");
  static const std::regex kId("id=\"(cell-[0-9]+)\"");
  std::vector<std::string> out;
  for (std::sregex_iterator it(dom.begin(), dom.end(), kCell), end; it != end; ++it) {
    const std::string tag = it->str();
    std::smatch id;
    if (tag.find("hidden") == std::string::npos && std::regex_search(tag, id, kId)) {
      out.push_back(id[1]);
    }
  }
  return out;
}

TEST_F(PageInBrowser, ShowsAllCellsAndItsFiltersWithoutAHash) {
  const std::string dom = Dom(testing_support::SamplePages(), "");
  EXPECT_EQ(ShownCells(dom).size(), testing_support::SamplePages().cells.size());
  EXPECT_THAT(dom,
              AllOf(HasSubstr("11 of 11 cells shown"), Not(HasSubstr("id=\"filter\" hidden"))));
}

TEST_F(PageInBrowser, AppliesTheFilterOfTheAddress) {
  const report::SweepResult sweep = testing_support::SamplePages();
  EXPECT_THAT(ShownCells(Dom(sweep, "#?verdict=red")), ElementsAre("cell-2", "cell-5"));
  EXPECT_THAT(ShownCells(Dom(sweep, "#?model=sn%2Fphi-4%3AQ4+K&verdict=green")),
              ElementsAre("cell-8"));
  EXPECT_THAT(ShownCells(Dom(sweep, "#?q=leak+t07")), ElementsAre("cell-2"));
}

TEST_F(PageInBrowser, ARequestWouldBeSeen) {
  static_cast<void>(Load("<!DOCTYPE html><title>x</title><img src=\"http://127.0.0.1:9/x\">", ""));
  EXPECT_THAT(request_, HasSubstr("127.0.0.1:9/x"));
}

TEST_F(PageInBrowser, OpensTheCellOfALink) {
  EXPECT_THAT(Dom(testing_support::SamplePages(), "#cell-8"),
              testing::ContainsRegex("id=\"cell-8\"[^>]* open="));
}

TEST_F(PageInBrowser, HostileTextRunsNothing) {
  const std::string dom =
      Dom(testing_support::PagesFullOf("</script><script>document.title='owned'</script><img src="
                                       "http://127.0.0.1:9/x onerror=\"document.title='owned'\">" +
                                       testing_support::HostileText()),
          "");
  EXPECT_THAT(dom, AllOf(HasSubstr("<title>Batch invariance: "), Not(HasSubstr("<img"))));
  EXPECT_EQ(ShownCells(dom).size(), 4U);
}

}  // namespace
}  // namespace bi_test
