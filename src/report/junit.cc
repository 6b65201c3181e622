#include "report/junit.h"

#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "report/attachments.h"
#include "report/cell_properties.h"
#include "report/escape.h"
#include "report/markup.h"
#include "report/numbers.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxName = 200;
constexpr std::size_t kMaxMessage = 299;
constexpr std::size_t kMaxPath = 1024;
constexpr std::size_t kMaxText = std::size_t{16} << 10U;

struct Named {
  const CellResult* cell;
  std::string name;
};

struct Suite {
  std::string classname;
  std::vector<Named> cases;
  Totals totals;
};

/// Dashboards split at dots and slashes and choke on the rest; the true id is a property.
std::string PlainName(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, kMaxName)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    name += plain ? c : '_';
  }
  return name.empty() ? "_" : name;
}

std::vector<Suite> SuitesOf(const SweepResult& sweep) {
  std::map<std::pair<std::string, std::string>, int> uses;
  const auto classname = [](const CellResult& cell) {
    return PlainName(cell.cell.model) + ".ctx" + std::to_string(cell.cell.ctx);
  };
  const auto plain_case = [](const CellResult& cell) {
    return "n" + std::to_string(cell.cell.dispatch_n);
  };
  for (const CellResult& cell : sweep.cells) ++uses[{classname(cell), plain_case(cell)}];

  std::vector<Suite> suites;
  std::map<std::string, std::size_t> index;
  std::set<std::pair<std::string, std::string>> taken;
  for (const CellResult& cell : sweep.cells) {
    const std::string suite_name = classname(cell);
    const auto [found, is_new] = index.try_emplace(suite_name, suites.size());
    if (is_new) suites.push_back({.classname = suite_name, .cases = {}, .totals = {}});
    Suite& suite = suites[found->second];
    // Cells that would share a name all take their test name along, so that none depends on order.
    std::string name = plain_case(cell);
    if (uses[{suite_name, name}] > 1) name += "_" + PlainName(cell.test_name);
    std::string unique = name;
    for (int i = 2; !taken.insert({suite_name, unique}).second; ++i) {
      unique = name + "_" + std::to_string(i);
    }
    suite.cases.push_back({&cell, std::move(unique)});
    suite.totals.Add(cell);
  }
  return suites;
}

std::string FailureType(const CellResult& cell) {
  if (cell.state == CellState::kNotRun) return "bi_test.not_run";
  if (cell.state == CellState::kError) {
    return std::string("bi_test.") + (cell.error_code ? ErrorCodeName(*cell.error_code) : "error");
  }
  switch (cell.verdict) {
    case Verdict::kGreen:
      return "bi_test.expectation";
    case Verdict::kRed:
      return "bi_test." +
             (cell.figures.divergence_class.empty() ? "red" : cell.figures.divergence_class);
    case Verdict::kAmber:
      return "bi_test." + (cell.figures.anomaly.empty() ? "amber" : cell.figures.anomaly);
    case Verdict::kUnverified:
      return "bi_test.unverified";
  }
  return "bi_test.unknown";
}

class Writer {
 public:
  Writer(const SweepResult& sweep, JunitFlavour flavour) : sweep_(sweep), flavour_(flavour) {}

  std::string Write() {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    std::string open = "testsuites";
    if (!strict()) {
      open += Attribute("name", "bi_test") + Counts(CountCells(sweep_.cells)) + Timestamp();
    }
    {
      const Element suites(out_, open, Lines::kBoth);
      int id = 0;
      for (const Suite& suite : SuitesOf(sweep_)) WriteSuite(suite, id++);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool strict() const { return flavour_ == JunitFlavour::kStrict; }

  [[nodiscard]] static std::string Attribute(const char* name, std::string_view value,
                                             std::size_t max_bytes = kMaxMessage) {
    return std::string(" ") + name + "=\"" + XmlAttribute(value, max_bytes) + "\"";
  }

  [[nodiscard]] std::string Time(double seconds) const {
    return Attribute("time", Fixed(seconds, strict() ? 3 : 6));
  }

  /// UTC; the schemas forbid to say so.
  [[nodiscard]] std::string Timestamp() const {
    std::string_view time = sweep_.start_utc;
    if (strict() && time.ends_with('Z')) time.remove_suffix(1);
    return time.empty() ? "" : Attribute("timestamp", time);
  }

  [[nodiscard]] std::string Counts(const Totals& totals) const {
    return Attribute("tests", std::to_string(totals.tests)) +
           Attribute("failures", std::to_string(totals.failures)) +
           Attribute("errors", std::to_string(totals.errors)) +
           Attribute("skipped", std::to_string(totals.skipped)) + Time(totals.wall_s);
  }

  void WriteSuite(const Suite& suite, int id) {
    std::string open =
        "testsuite" + Attribute("name", suite.classname) + Counts(suite.totals) + Timestamp();
    if (strict()) {
      // The schemas insist on these three.
      open += Attribute("package", "bi_test") + Attribute("id", std::to_string(id)) +
              Attribute("hostname", "localhost");
    }
    const Element element(out_, open, Lines::kBoth, "  ");
    if (strict()) out_ += "    <properties/>\n";
    for (const Named& test : suite.cases) WriteCase(suite, test);
    if (!strict()) return;
    {
      const Element system_out(out_, "system-out", Lines::kAfter, "    ");
      for (const Named& test : suite.cases) AttachmentLines(*test.cell);
    }
    out_ += "    <system-err/>\n";
  }

  void WriteCase(const Suite& suite, const Named& test) {
    const CellResult& cell = *test.cell;
    std::string open = "testcase" + Attribute("classname", suite.classname) +
                       Attribute("name", test.name) + Time(cell.wall_s);
    if (!strict() && !cell.file.empty()) {
      open += Attribute("file", cell.file);
      if (cell.line > 0) open += Attribute("line", std::to_string(cell.line));
    }
    const Element element(out_, open, Lines::kBoth, "    ");
    if (!strict()) WriteProperties(cell);
    WriteOutcome(cell);
    if (!strict()) WriteSystemOut(cell);
  }

  void WriteProperties(const CellResult& cell) {
    const Element properties(out_, "properties", Lines::kBoth, "      ");
    for (const CellProperty& property : CellProperties(cell)) {
      out_ += "        <property" + Attribute("name", property.name) +
              Attribute("value", property.value, kMaxPath) + "/>\n";
    }
  }

  void WriteOutcome(const CellResult& cell) {
    switch (OutcomeOf(cell)) {
      case Outcome::kPass:
        return;
      case Outcome::kFail:
        return WriteTrouble("failure", cell.message, cell);
      case Outcome::kError:
        return WriteTrouble(
            "error", cell.state == CellState::kNotRun ? std::string("not run") : cell.message,
            cell);
      case Outcome::kSkip:
        // Some consumers read the attribute, others the text.
        out_ += "      " + Tag("skipped" + Attribute("message", cell.message),
                               XmlText(cell.message, kMaxMessage), Lines::kAfter);
        return;
    }
  }

  void WriteTrouble(const char* element, const std::string& message, const CellResult& cell) {
    const std::string& text = cell.explanation.empty() ? cell.message : cell.explanation;
    out_ += "      " +
            Tag(element + Attribute("message", message) + Attribute("type", FailureType(cell)),
                XmlText(text, kMaxText), Lines::kAfter);
  }

  void WriteSystemOut(const CellResult& cell) {
    const Element system_out(out_, "system-out", Lines::kAfter, "      ");
    AttachmentLines(cell);
    if (!cell.accepted.empty()) out_ += "accepted: " + XmlText(cell.accepted, kMaxMessage) + "\n";
    if (!cell.message.empty()) out_ += XmlText(cell.message, kMaxMessage) + "\n";
  }

  void AttachmentLines(const CellResult& cell) {
    for (const Attachment& file : AttachmentsOf(cell)) {
      if (file.linkable) {
        out_ += "[[ATTACHMENT|" + file.path + "]]\n";
      } else {
        out_ += file.name + ": " + XmlText(file.path, kMaxPath) + "\n";
      }
    }
  }

  const SweepResult& sweep_;
  JunitFlavour flavour_;
  std::string out_;
};

}  // namespace

std::string JunitXml(const SweepResult& sweep, JunitFlavour flavour) {
  return Writer(sweep, flavour).Write();
}

}  // namespace bi_test::report
