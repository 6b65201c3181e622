// The reference pages against what they describe: nothing missing, nothing that does not exist.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bi_test/matchers.h"
#include "docs/markdown.h"
#include "fixtures/flags.h"
#include "support/run_binary.h"
#include "trace/trace.h"
#include "trace/trial_columns.h"

namespace bi_test::docs {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::Contains;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

using Texts = std::set<std::string>;

Page PageOf(const std::string& name) {
  const fs::path root(BI_TEST_SOURCE_DIR);
  Page page = ReadPage(root / name, root);
  EXPECT_FALSE(page.text.empty()) << name;
  return page;
}

std::string SourceOf(const std::string& name) {
  std::string text = ReadText(fs::path(BI_TEST_SOURCE_DIR) / name);
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

/// What one of them lacks: gtest cuts long sets.
void ExpectSame(const Texts& described, const Texts& real, const std::string& where) {
  for (const std::string& name : real) {
    EXPECT_TRUE(described.contains(name)) << where << " lacks " << name;
  }
  for (const std::string& name : described) {
    EXPECT_TRUE(real.contains(name)) << where << " has " << name << ", which does not exist";
  }
}

std::string Place(const Page& page, const Row& row) {
  return page.name + ":" + std::to_string(row.line);
}

/// The first capture of each match.
std::vector<std::string> AllMatches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    found.push_back((*it)[1].str());
  }
  return found;
}

std::string RunBiTest(const std::string& command) {
  testing_support::BinaryOptions options;
  std::istringstream words(command);
  for (std::string word; words >> word;) options.args.push_back(word);
  options.args.push_back("--help");
  const testing_support::BinaryResult result = testing_support::RunBinary(BI_TEST_PROGRAM, options);
  EXPECT_EQ(result.exit_code, 0) << command << ": " << result;
  return result.out;
}

// ---------------------------------------------------------------- flags.md

/// One entry of FlagsHelp(): the flag, its value as printed, its variable.
struct HelpFlag {
  std::string value;
  std::string variable;
};

std::map<std::string, HelpFlag> FlagsOfHelp() {
  std::map<std::string, HelpFlag> flags;
  std::istringstream lines(fixtures::FlagsHelp());
  const std::regex head("  (--bi_test_[a-z_]+)(=(.*))?");
  HelpFlag* current = nullptr;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, head)) {
      current = &flags[match[1].str()];
      current->value = match[3].str();
    } else if (current != nullptr && line.starts_with("      BI_TEST_")) {
      current->variable = line.substr(6);
    }
  }
  return flags;
}

TEST(FlagsPageTest, HasEveryFlagWithItsValueAndVariable) {
  const Page page = PageOf("docs/reference/flags.md");
  std::map<std::string, HelpFlag> expected = FlagsOfHelp();
  ASSERT_THAT(expected, SizeIs(Ge(15u)));
  for (const Row& row : page.rows) {
    if (row.heading != "Test programs") continue;
    ASSERT_THAT(row.cells, SizeIs(5)) << Place(page, row);
    const std::string flag = CodeIn(row.cells[0]).at(0);
    const auto found = expected.find(flag);
    ASSERT_NE(found, expected.end()) << Place(page, row) << ": there is no flag " << flag;
    const std::vector<std::string> variable = CodeIn(row.cells[1]);
    const std::vector<std::string> value = CodeIn(row.cells[2]);
    EXPECT_EQ(variable.empty() ? "" : variable[0], found->second.variable) << Place(page, row);
    EXPECT_EQ(value.empty() ? "" : value[0], found->second.value) << Place(page, row);
    expected.erase(found);
  }
  for (const auto& [flag, help] : expected) ADD_FAILURE() << page.name << " lacks " << flag;
}

/// Names of the commands on a help page of bi-test.
Texts CommandsIn(const std::string& help) {
  const std::size_t at = help.find("Subcommands:\n");
  if (at == help.npos) return {};
  Texts names;
  for (const std::string& name : AllMatches(help.substr(at), "\n  ([a-z][a-z-]*) ")) {
    names.insert(name);
  }
  return names;
}

TEST(FlagsPageTest, HasEveryCommandOfBiTest) {
  const Page page = PageOf("docs/reference/flags.md");
  Texts described;
  for (const Row& row : page.rows) {
    if (row.heading == "`bi-test`") described.insert(CodeIn(row.cells.at(0)).at(0));
  }
  ExpectSame(described, CommandsIn(RunBiTest("")), page.name);
}

TEST(FlagsPageTest, HasEveryOptionOfEveryCommand) {
  const Page page = PageOf("docs/reference/flags.md");
  std::map<std::string, Texts> described;
  for (const Row& row : page.rows) {
    if (!row.heading.starts_with("`bi-test ")) continue;
    const std::string command = row.heading.substr(9, row.heading.size() - 10);
    for (const std::string& option : CodeIn(row.cells.at(0))) described[command].insert(option);
  }
  Texts commands;
  for (const std::string& command : CommandsIn(RunBiTest(""))) {
    const Texts inner = CommandsIn(RunBiTest(command));
    if (inner.empty()) commands.insert(command);
    for (const std::string& name : inner) commands.insert(command + " " + name);
  }
  EXPECT_THAT(commands, Contains("known write"));
  for (const std::string& command : commands) {
    Texts options;
    for (const std::string& option :
         AllMatches(RunBiTest(command), "(?:^|[ ,\n])(--[a-z][a-z-]*)")) {
      if (option != "--help") options.insert(option);
    }
    ExpectSame(described[command], options, page.name + ", bi-test " + command);
    described.erase(command);
  }
  for (const auto& [command, options] : described) {
    ADD_FAILURE() << page.name << " has a command that bi-test lacks: " << command;
  }
}

// ---------------------------------------------------------------- matchers.md

struct Described {
  std::string text;
  std::string negation;
};

template <typename Matcher>
Described Describe(const Matcher& matcher) {
  return {testing::DescribeMatcher<const CellRun&>(matcher),
          testing::DescribeMatcher<const CellRun&>(matcher, true)};
}

/// The examples of the page, word for word.
std::map<std::string, Described> Examples() {
  std::map<std::string, Described> examples;
#define BI_TEST_EXAMPLE(expression) examples[#expression] = Describe(expression)
  BI_TEST_EXAMPLE(IsBatchInvariant());
  BI_TEST_EXAMPLE(HasVerdict(AnyOf(Verdict::kGreen, Verdict::kAmber)));
  BI_TEST_EXAMPLE(IsPromotable());
  BI_TEST_EXAMPLE(HasDivergenceClass("co_batching"));
  BI_TEST_EXAMPLE(IsTokenIdentical());
  BI_TEST_EXAMPLE(IsLogprobIdentical());
  BI_TEST_EXAMPLE(IsRepeatable());
  BI_TEST_EXAMPLE(HasDivergentIds(IsEmpty()));
  BI_TEST_EXAMPLE(HasOverlapDepth(Ge(4)));
  BI_TEST_EXAMPLE(HasMeanWidth(Ge(3.5)));
  BI_TEST_EXAMPLE(HasCoBatchCoverage(Ge(0.9)));
  BI_TEST_EXAMPLE(MeetsCompletionFloor());
  BI_TEST_EXAMPLE(HasRateUpperBound(Le(0.1)));
#undef BI_TEST_EXAMPLE
  return examples;
}

TEST(MatchersPageTest, TextsAreTheRealOnes) {
  const Page page = PageOf("docs/reference/matchers.md");
  std::map<std::string, Described> expected = Examples();
  for (const Row& row : page.rows) {
    if (row.cells.size() != 4) continue;
    const std::string example = CodeIn(row.cells[0]).at(0);
    const auto found = expected.find(example);
    ASSERT_NE(found, expected.end()) << Place(page, row) << ": no such example in this test";
    EXPECT_EQ(row.cells[2], found->second.text) << Place(page, row);
    EXPECT_EQ(row.cells[3], found->second.negation) << Place(page, row);
    expected.erase(found);
  }
  for (const auto& [example, texts] : expected) ADD_FAILURE() << page.name << " lacks " << example;
}

TEST(MatchersPageTest, HasEveryMatcherOfTheHeader) {
  const std::string header = SourceOf("matchers/bi_test/matchers.h");
  const std::vector<std::string> names =
      AllMatches(header, R"(\[\[nodiscard\]\] [A-Za-z]+Matcher ([A-Za-z]+)\()");
  ASSERT_THAT(names, SizeIs(Ge(13u)));
  Texts shown;
  for (const auto& [example, texts] : Examples())
    shown.insert(example.substr(0, example.find('(')));
  ExpectSame(shown, Texts(names.begin(), names.end()), "this test");
}

// ---------------------------------------------------------------- exit-codes.md

/// `name value` of each enumerator of `enum ExitCode` in a header.
Texts EnumeratorsOf(const std::string& header) {
  const std::string text = SourceOf(header);
  const std::size_t begin = text.find("enum ExitCode");
  const std::string body = text.substr(begin, text.find("};", begin) - begin);
  Texts found;
  const std::regex enumerator(R"((k[A-Za-z]+) = ([0-9]+))");
  for (std::sregex_iterator it(body.begin(), body.end(), enumerator), end; it != end; ++it) {
    found.insert((*it)[1].str() + " " + (*it)[2].str());
  }
  return found;
}

TEST(ExitCodesPageTest, HasEveryCode) {
  const Page page = PageOf("docs/reference/exit-codes.md");
  Texts described;
  for (const Row& row : page.rows) {
    const std::vector<std::string> name = CodeIn(row.cells.at(1));
    if (row.heading == "Exit codes" && !name.empty()) {
      described.insert(name[0] + " " + row.cells[0]);
    }
  }
  ExpectSame(described, EnumeratorsOf("include/bi_test/exit_code.h"), page.name);
  EXPECT_THAT(described, SizeIs(Ge(6u)));
}

// ---------------------------------------------------------------- trace.md

Texts KeysUnder(const Page& page, const std::string& heading) {
  Texts keys;
  for (const Row& row : page.rows) {
    if (row.heading != heading) continue;
    const std::vector<std::string> codes = CodeIn(row.cells.at(0));
    // The table of arms has values, not keys.
    if (codes.size() == 1 && (codes[0] == "A" || codes[0] == "B" || codes[0] == "C")) continue;
    keys.insert(codes.begin(), codes.end());
  }
  return keys;
}

Texts KeysOf(const Json& object) {
  Texts keys;
  for (const auto& [key, value] : *object.if_object()) keys.insert(key);
  return keys;
}

TEST(TracePageTest, HasEveryKeyOfATrial) {
  Texts keys = {"arm", "pass", "test_id", "retry_attempts", "row"};
  for (const trace::TrialColumn& column : trace::TrialColumns())
    keys.insert(std::string(column.name));
  ExpectSame(KeysUnder(PageOf("docs/reference/trace.md"), "Trials"), keys,
             "docs/reference/trace.md");
}

TEST(TracePageTest, HasEveryKeyOfEvidence) {
  PassEvidence evidence;
  evidence.server_peak_busy_slots = 1;
  evidence.mean_busy_slots = 1.0;
  evidence.decode_calls = 1;
  evidence.tokens_decoded = 1;
  evidence.polls = 1;
  evidence.missed_polls = 1;
  evidence.counter_reset = true;
  evidence.wall_s = 1.0;
  Texts keys;
  for (const std::string& key : AllMatches(trace::EvidenceLine(evidence), "\"([a-z_]+)\":")) {
    if (key != "evidence") keys.insert(key);
  }
  ExpectSame(KeysUnder(PageOf("docs/reference/trace.md"), "Evidence"), keys,
             "docs/reference/trace.md");
}

TEST(TracePageTest, HasEveryKeyOfTheHeader) {
  // The keys that a run writes, as they stand in its sources, and those that every header has.
  Texts keys = KeysOf(trace::FullHeader(Record{}));
  for (const char* source :
       {"src/run/trace_header.cc", "src/run/recorder.cc", "src/run/baseline.cc"}) {
    for (const std::string& key : AllMatches(SourceOf(source), R"re(header\["([a-z_]+)"\])re")) {
      keys.insert(key);
    }
  }
  ExpectSame(KeysUnder(PageOf("docs/reference/trace.md"), "Header"), keys,
             "docs/reference/trace.md");
}

// ---------------------------------------------------------------- other tables

TEST(DashboardPageTest, HasEveryFigure) {
  const Page page = PageOf("docs/how-to/dashboard.md");
  Texts described;
  for (const Row& row : page.rows) {
    if (row.heading != "The figures") continue;
    for (std::string name : CodeIn(row.cells.at(0))) {
      if (name == "bi_server_log_1") name = "bi_server_log_";
      described.insert(name);
    }
  }
  const std::vector<std::string> names =
      AllMatches(SourceOf("src/report/cell_properties.cc"), "\"(bi_[a-z_]+)\"");
  ExpectSame(described, Texts(names.begin(), names.end()), page.name);
}

TEST(CertsPageTest, HasEveryReasonCode) {
  const Page page = PageOf("docs/certs.md");
  Texts described;
  for (const Row& row : page.rows) {
    if (row.heading != "Reason codes") continue;
    for (const std::string& code : CodeIn(row.cells.at(0))) described.insert(code);
  }
  const std::vector<std::string> codes =
      AllMatches(SourceOf("src/verdict/reason_codes.cc"), "\\{k\\w+, \"([A-Z0-9_]+)\",");
  ASSERT_THAT(codes, SizeIs(Ge(25u)));
  ExpectSame(described, Texts(codes.begin(), codes.end()), page.name);
}

TEST(DeploymentGatePageTest, NamesNoPointThatDoesNotExist) {
  const Page page = PageOf("docs/how-to/deployment-gate.md");
  std::string sources;
  for (const char* name : {"src/cert/promotion.cc", "src/cert/earlier_reds.cc",
                           "src/cli/promote_command.cc", "src/run/subject_points.cc"}) {
    sources += SourceOf(name);
  }
  int count = 0;
  for (const Row& row : page.rows) {
    if (row.heading != "Points that surprise") continue;
    for (const std::string& code : CodeIn(row.cells.at(0))) {
      ++count;
      EXPECT_TRUE(sources.find('"' + code + '"') != sources.npos ||
                  sources.find('"' + code + ": ") != sources.npos)
          << Place(page, row) << ": " << code;
    }
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace bi_test::docs
