#include "report/junit.h"

#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "report/attachments.h"
#include "report/cell_properties.h"
#include "report/escape.h"
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
    const Totals totals = CountCells(sweep_.cells);
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
    if (!strict()) {
      Attribute("name", "bi_test");
      Counts(totals);
      Timestamp();
    }
    out_ += ">\n";
    int id = 0;
    for (const Suite& suite : SuitesOf(sweep_)) WriteSuite(suite, id++);
    out_ += "</testsuites>\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool strict() const { return flavour_ == JunitFlavour::kStrict; }

  void Attribute(const char* name, std::string_view value) {
    out_ += std::string(" ") + name + "=\"" + XmlAttribute(value, kMaxMessage) + "\"";
  }

  void Time(double seconds) { Attribute("time", Fixed(seconds, strict() ? 3 : 6)); }

  /// UTC; the schemas forbid to say so.
  void Timestamp() {
    std::string_view time = sweep_.start_utc;
    if (strict() && time.ends_with('Z')) time.remove_suffix(1);
    if (!time.empty()) Attribute("timestamp", time);
  }

  void Counts(const Totals& totals) {
    Attribute("tests", std::to_string(totals.tests));
    Attribute("failures", std::to_string(totals.failures));
    Attribute("errors", std::to_string(totals.errors));
    Attribute("skipped", std::to_string(totals.skipped));
    Time(totals.wall_s);
  }

  void WriteSuite(const Suite& suite, int id) {
    out_ += "  <testsuite";
    Attribute("name", suite.classname);
    Counts(suite.totals);
    Timestamp();
    if (strict()) {
      // The schemas insist on these three.
      Attribute("package", "bi_test");
      Attribute("id", std::to_string(id));
      Attribute("hostname", "localhost");
    }
    out_ += ">\n";
    if (strict()) out_ += "    <properties/>\n";
    for (const Named& test : suite.cases) WriteCase(suite, test);
    if (strict()) {
      out_ += "    <system-out>";
      for (const Named& test : suite.cases) AttachmentLines(*test.cell);
      out_ += "</system-out>\n    <system-err/>\n";
    }
    out_ += "  </testsuite>\n";
  }

  void WriteCase(const Suite& suite, const Named& test) {
    const CellResult& cell = *test.cell;
    out_ += "    <testcase";
    Attribute("classname", suite.classname);
    Attribute("name", test.name);
    Time(cell.wall_s);
    if (!strict() && !cell.file.empty()) {
      Attribute("file", cell.file);
      if (cell.line > 0) Attribute("line", std::to_string(cell.line));
    }
    out_ += ">\n";
    if (!strict()) WriteProperties(cell);
    WriteOutcome(cell);
    if (!strict()) WriteSystemOut(cell);
    out_ += "    </testcase>\n";
  }

  void WriteProperties(const CellResult& cell) {
    out_ += "      <properties>\n";
    for (const CellProperty& property : CellProperties(cell)) {
      out_ += "        <property";
      Attribute("name", property.name);
      out_ += " value=\"" + XmlAttribute(property.value, kMaxPath) + "\"/>\n";
    }
    out_ += "      </properties>\n";
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
      case Outcome::kSkip: {
        // Some consumers read the attribute, others the text.
        out_ += "      <skipped";
        Attribute("message", cell.message);
        out_.append(">").append(XmlText(cell.message, kMaxMessage)).append("</skipped>\n");
        return;
      }
    }
  }

  void WriteTrouble(const char* element, const std::string& message, const CellResult& cell) {
    out_ += std::string("      <") + element;
    Attribute("message", message);
    Attribute("type", FailureType(cell));
    const std::string& text = cell.explanation.empty() ? cell.message : cell.explanation;
    out_.append(">").append(XmlText(text, kMaxText)).append("</").append(element).append(">\n");
  }

  void WriteSystemOut(const CellResult& cell) {
    out_ += "      <system-out>";
    AttachmentLines(cell);
    if (!cell.accepted.empty()) out_ += "accepted: " + XmlText(cell.accepted, kMaxMessage) + "\n";
    if (!cell.message.empty()) out_ += XmlText(cell.message, kMaxMessage) + "\n";
    out_ += "</system-out>\n";
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
