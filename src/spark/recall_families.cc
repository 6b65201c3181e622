#include <algorithm>
#include <array>
#include <utility>

#include "spark/family.h"

// Questions whose answer stands in the text: it has to be found, and told from its neighbours.
namespace bi_test::spark {
namespace {

constexpr std::array<std::string_view, 4> kInspectors = {"Inspector Ashdown", "Inspector Birchall",
                                                         "Inspector Calder", "Inspector Dunmore"};
constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 26> kSpelling = {
    "alpha",  "bravo", "charlie", "delta",  "echo",     "foxtrot", "golf",   "hotel",  "india",
    "juliet", "kilo",  "lima",    "mike",   "november", "oscar",   "papa",   "quebec", "romeo",
    "sierra", "tango", "uniform", "victor", "whiskey",  "xray",    "yankee", "zulu"};
constexpr std::size_t kKeys = 16;
constexpr std::size_t kAsked = 4;
constexpr std::array<std::string_view, 7> kHelpers = {
    "load_rows",   "read_table",   "fetch_entries", "gather_items",
    "open_ledger", "scan_records", "build_index"};
constexpr std::string_view kParser = "parse_fields";

// Two equal codes would make a question with two answers.
std::string OtherCode(Random& random, const std::vector<std::string>& taken) {
  std::string code = random.Code();
  while (std::ranges::find(taken, code) != taken.end()) code = random.Code();
  return code;
}

struct Date {
  int month = 0;
  int day = 0;
  int year = 0;
  friend bool operator==(const Date&, const Date&) = default;
};

std::string Text(const Date& date) {
  std::string text(kMonths[static_cast<std::size_t>(date.month)]);
  return text + ' ' + std::to_string(date.day) + ", " + std::to_string(date.year);
}

}  // namespace

std::span<const std::string_view> HelperPool() { return kHelpers; }
std::span<const std::string_view> MonthNames() { return kMonths; }
std::span<const std::string_view> InspectorPool() { return kInspectors; }

Question DrawSecret(Random& random, std::uint64_t) {
  const std::string place = random.Code();
  const std::string secret = OtherCode(random, {place});
  Question out;
  out.needles = {"The depot numbered " + place + " is opened with the access code " + secret + "."};
  out.question = "Which access code opens the depot numbered " + place + "?";
  out.cue = "Access code:";
  out.gold = secret;
  out.terms = {place, secret, "depot", "access", "code"};
  return out;
}

Question DrawReport(Random& random, std::uint64_t) {
  const std::string volume = std::to_string(random.Between(500, 9999));
  const std::string inspector(random.Pick(kInspectors));
  Date signing;
  signing.month = random.Between(0, 11);
  signing.day = random.Between(1, 28);
  signing.year = random.Between(2024, 2027);
  Date audit = signing;
  while (audit == signing) {
    audit.month = random.Between(0, 11);
    audit.day = random.Between(1, 28);
    audit.year = signing.year + random.Between(0, 1);
  }
  Question out;
  out.needles = {"The survey found that the basin holds a volume of " + volume +
                 " cubic metres. Its report was signed by " + inspector + " on " + Text(signing) +
                 ". The next audit is due on " + Text(audit) + "."};
  out.question =
      "Give three facts of the survey report as bullets: the volume, the inspector who signed it, "
      "and "
      "the date of the next audit.";
  out.cue = "Facts:";
  out.gold["volume"] = volume;
  out.gold["inspector"] = inspector;
  out.gold["next_audit"] = Text(audit);
  out.terms = {volume, "survey", "basin", "volume", "report", "audit", "inspector"};
  for (const std::string_view month : kMonths) out.terms.emplace_back(month);
  return out;
}

Question DrawKeyList(Random& random, std::uint64_t) {
  const std::vector<std::size_t> words = random.Sample(kSpelling.size(), kKeys);
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < kKeys; ++i) codes.push_back(OtherCode(random, codes));
  std::vector<std::size_t> asked = random.Sample(kKeys, kAsked);
  std::ranges::sort(asked);

  Question out;
  std::string& needle = out.needles.emplace_back();
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (i > 0) needle += ' ';
    needle.append("The key ").append(kSpelling[words[i]]).append(" stands for ");
    needle.append(codes[i]).append(".");
  }
  out.question = "What do these four keys stand for? Give their codes in this order:";
  Json::Array gold;
  for (const std::size_t i : asked) {
    out.question.append(gold.empty() ? " " : ", ").append(kSpelling[words[i]]);
    gold.push_back(codes[i]);
  }
  out.question += '.';
  out.cue = "Codes:";
  out.gold = std::move(gold);
  out.terms = std::move(codes);
  for (const std::string_view word : kSpelling) out.terms.emplace_back(word);
  out.terms.insert(out.terms.end(), {"key", "keys", "code", "codes"});
  return out;
}

Question DrawHelper(Random& random, std::uint64_t) {
  const std::vector<std::size_t> drawn = random.Sample(kHelpers.size(), 5);
  const auto name = [&drawn](std::size_t i) { return std::string(kHelpers[drawn[i]]); };
  const std::string target = name(0);
  const std::string first = name(1);
  const std::string caller = name(2);
  const std::string lister = name(3);
  const std::string sibling = name(4);
  const std::string parser(kParser);
  const std::string called = random.Below(2) == 0 ? target : lister;

  Question out;
  // The comment names all of them, so that no name is told by where it stands.
  out.needles = {"# in order of use: " + sibling + ", " + target + ", " + first + ", " + lister +
                 ", " + caller +  //
                 "\ndef " + first +
                 "(source):\n    return len(source)\n"  //
                 "\ndef " +
                 target + "(source):\n    fields = " + parser +
                 "(source)\n    return {\"fields\": fields}\n"  //
                 "\ndef " +
                 sibling + "(source):\n    fields = " + parser +
                 "(source)\n    return [fields]\n"  //
                 "\ndef " +
                 caller + "(source):\n    return " + called +
                 "(source)\n"  //
                 "\ndef " +
                 lister + "(source):\n    return [source]"};
  out.question =
      "Which one function both calls " + parser + " and returns a dict? Answer with its name only.";
  out.cue = "Function:";
  out.gold = target;
  out.terms = {parser};
  for (const std::string_view helper : kHelpers) out.terms.emplace_back(helper);
  return out;
}

}  // namespace bi_test::spark
