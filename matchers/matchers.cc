#include "bi_test/matchers.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "base/safe_text.h"
#include "cert/read_cert.h"
#include "cert/run_facts.h"
#include "facts.h"

namespace bi_test {

using matchers_internal::Fact;
using matchers_internal::Facts;
using matchers_internal::PairFact;

/// One property of the facts. `why` is never null; what it gets must be true on match and mismatch.
class CellMatcher::Impl {
 public:
  virtual ~Impl() = default;
  virtual bool Match(const Facts& facts, std::ostream& why) const = 0;
  virtual void Describe(std::ostream& os, bool negated) const = 0;
};

namespace {

std::string Shortest(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

std::string Ids(std::int64_t n) { return std::to_string(n) + (n == 1 ? " id" : " ids"); }

std::string VerdictWithCodes(const Facts& facts) {
  if (!facts.broke_off.empty()) {
    return "whose run broke off without a verdict: " + facts.broke_off;
  }
  if (!facts.verdict.value) return "whose verdict " + facts.verdict.why_absent;
  std::string text = std::string("whose verdict is ") + VerdictName(*facts.verdict.value);
  std::string notes;
  for (const std::string& code : facts.reason_codes) {
    notes += (notes.empty() ? "" : ", ") + OneLine(code, 40);
    if (notes.size() > 200) break;
  }
  if (facts.divergence_class.value) {
    notes += (notes.empty() ? "class " : "; class ") + OneLine(*facts.divergence_class.value, 60);
  }
  if (!notes.empty()) text += " (" + notes + ")";
  return text;
}

std::string Compared(const Facts& facts) {
  if (!facts.ac.value) return "the pair AC " + facts.ac.why_absent;
  const PairFact& ac = *facts.ac.value;
  std::string text = std::to_string(ac.n_divergent) + " divergent, " + Ids(ac.n_compared) +
                     " compared, " + std::to_string(facts.n_passes_effective) + " of " +
                     std::to_string(facts.n_passes) + " passes effective";
  if (!facts.first_difference.empty()) text += "; " + facts.first_difference;
  return text;
}

/// A property that holds or does not, without a parameter.
class Property : public CellMatcher::Impl {
 public:
  using Test = bool (*)(const Facts&, std::ostream&);
  Property(const char* positive, const char* negative, Test test)
      : positive_(positive), negative_(negative), test_(test) {}

  bool Match(const Facts& facts, std::ostream& why) const override { return test_(facts, why); }
  void Describe(std::ostream& os, bool negated) const override {
    os << (negated ? negative_ : positive_);
  }

 private:
  const char* positive_;
  const char* negative_;
  Test test_;
};

/// What a value matcher looks at, and how to speak of it.
template <typename T>
struct Noun {
  const char* name;     ///< `mean width`
  const char* article;  ///< `a`, `an`
  bool may_be_absent;
  Fact<T> (*get)(const Facts&);
  std::string (*show)(const T&);
  std::string (*context)(const Facts&);  ///< More numbers; may give nothing.
};

/// A value that has to satisfy an inner matcher; an absent one does not.
template <typename T, typename Arg>
class ValueMatcher : public CellMatcher::Impl {
 public:
  ValueMatcher(Noun<T> noun, testing::Matcher<Arg> inner) : noun_(noun), inner_(std::move(inner)) {}

  bool Match(const Facts& facts, std::ostream& why) const override {
    const Fact<T> fact = noun_.get(facts);
    if (!fact.value) {
      why << "whose " << noun_.name << " " << fact.why_absent;
      if (!facts.broke_off.empty()) why << "; the run broke off: " << facts.broke_off;
      return false;
    }
    testing::StringMatchResultListener inner_why;
    const bool matches = inner_.MatchAndExplain(*fact.value, &inner_why);
    why << "whose " << noun_.name << " is " << noun_.show(*fact.value);
    if (const std::string text = inner_why.str(); !text.empty()) why << ", " << text;
    if (const std::string context = noun_.context(facts); !context.empty()) {
      why << " (" << context << ")";
    }
    return matches;
  }

  void Describe(std::ostream& os, bool negated) const override {
    if (!negated) {
      os << "has " << noun_.article << " " << noun_.name << " that ";
      inner_.DescribeTo(&os);
      return;
    }
    os << "has " << (noun_.may_be_absent ? "no " : noun_.article)
       << (noun_.may_be_absent ? "" : " ") << noun_.name
       << (noun_.may_be_absent ? ", or one that " : " that ");
    inner_.DescribeNegationTo(&os);
  }

 private:
  Noun<T> noun_;
  testing::Matcher<Arg> inner_;
};

CellMatcher Make(const char* positive, const char* negative, Property::Test test) {
  return CellMatcher(std::make_shared<Property>(positive, negative, test));
}

template <typename T, typename Arg>
CellMatcher Make(Noun<T> noun, const testing::Matcher<Arg>& inner) {
  return CellMatcher(std::make_shared<ValueMatcher<T, Arg>>(noun, inner));
}

std::string NoContext(const Facts&) { return ""; }

bool TokenIdentical(const Facts& facts, std::ostream& why) {
  if (!facts.ac.value) {
    why << "whose pair AC " << facts.ac.why_absent;
    return false;
  }
  for (const auto& [noun, fact] :
       {std::pair("uncertified ids", facts.n_uncertified),
        std::pair("ids with other request bodies", facts.n_request_mismatch)}) {
    if (fact.value) continue;
    why << "whose number of " << noun << " " << fact.why_absent;
    return false;
  }
  if (facts.ac.value->n_compared == 0) {
    why << "which compared no id";
    return false;
  }
  std::vector<PairFact> pairs = {*facts.ac.value};
  if (facts.aa2.value) pairs.push_back(*facts.aa2.value);
  if (facts.aa3.value) pairs.push_back(*facts.aa3.value);
  pairs.insert(pairs.end(), facts.controls.begin(), facts.controls.end());
  for (const PairFact& pair : pairs) {
    if (pair.n_output_differs == 0) continue;
    why << "which gave another output for " << Ids(pair.n_output_differs) << " (pair " << pair.name
        << ", " << Ids(pair.n_compared) << " compared)";
    if (!facts.first_difference.empty()) why << "; " << facts.first_difference;
    return false;
  }
  if (*facts.n_request_mismatch.value > 0) {
    why << "which sent other request bodies for " << Ids(*facts.n_request_mismatch.value);
    return false;
  }
  if (*facts.n_uncertified.value > 0) {
    why << "which could not compare " << Ids(*facts.n_uncertified.value);
    return false;
  }
  why << "which gave the same output for all of " << Ids(facts.ac.value->n_compared);
  return true;
}

bool LogprobIdentical(const Facts& facts, std::ostream& why) {
  if (!TokenIdentical(facts, why)) return false;
  const PairFact& ac = *facts.ac.value;
  why << ", and ";
  std::vector<PairFact> pairs = {ac};
  if (facts.aa2.value) pairs.push_back(*facts.aa2.value);
  pairs.insert(pairs.end(), facts.controls.begin(), facts.controls.end());
  for (const PairFact& pair : pairs) {
    if (pair.n_logprob_differs == 0) continue;
    why << "other log-probabilities for " << std::to_string(pair.n_logprob_differs) << " of "
        << Ids(pair.n_with_logprobs) << " (pair " << pair.name << ")";
    return false;
  }
  if (ac.n_with_logprobs < ac.n_compared || ac.n_logprob_missing > 0) {
    why << "has log-probabilities in both arms for " << ac.n_with_logprobs << " of "
        << Ids(ac.n_compared);
    return false;
  }
  why << "the same log-probabilities";
  if (ac.n_sentinels > 0) why << ", " << ac.n_sentinels << " sentinels left out";
  return true;
}

bool Repeatable(const Facts& facts, std::ostream& why) {
  if (!facts.aa2.value) {
    why << "whose pair AA2 " << facts.aa2.why_absent;
    return false;
  }
  if (facts.aa2.value->n_compared == 0 && facts.aa2.value->n_divergent == 0) {
    why << "which has no repeat of arm A to compare";
    return false;
  }
  std::vector<PairFact> pairs = {*facts.aa2.value};
  if (facts.aa3.value) pairs.push_back(*facts.aa3.value);
  for (const PairFact& pair : pairs) {
    if (pair.n_divergent == 0 && pair.n_output_differs == 0) continue;
    why << "whose arm A gave another result for "
        << Ids(std::max(pair.n_divergent, pair.n_output_differs))
        << (pair.name == "AA3" ? " after a restart" : " when repeated") << " ("
        << Ids(pair.n_compared) << " compared)";
    if (!facts.first_difference_in_a.empty()) why << "; " << facts.first_difference_in_a;
    return false;
  }
  why << "whose arm A gave the same for " << Ids(facts.aa2.value->n_compared) << " when repeated";
  return true;
}

}  // namespace

CellMatcher::CellMatcher(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

namespace {

bool MatchWith(const CellMatcher::Impl& impl, const CellFacts& cell,
               testing::MatchResultListener* listener) {
  std::ostringstream why;
  const bool matches = impl.Match(matchers_internal::FactsOf(cell), why);
  if (listener->IsInterested()) *listener << why.str();
  return matches;
}

}  // namespace

bool CellMatcher::MatchAndExplain(const Judgement& judgement,
                                  testing::MatchResultListener* listener) const {
  return MatchWith(*impl_, FactsOf(judgement), listener);
}

bool CellMatcher::MatchAndExplain(const CellRun& run,
                                  testing::MatchResultListener* listener) const {
  CellFacts facts = FactsOf(run.judgement);
  facts.error = run.error;
  return MatchWith(*impl_, facts, listener);
}

bool CellMatcher::MatchAndExplain(const Cert& cert, testing::MatchResultListener* listener) const {
  return MatchWith(*impl_, ReadCert(cert.document), listener);
}

void CellMatcher::DescribeTo(std::ostream* os) const { impl_->Describe(*os, false); }

void CellMatcher::DescribeNegationTo(std::ostream* os) const { impl_->Describe(*os, true); }

CellMatcher IsBatchInvariant() {
  return Make("is batch invariant", "isn't batch invariant",
              [](const Facts& facts, std::ostream& why) {
                why << VerdictWithCodes(facts) << ": " << Compared(facts);
                return facts.verdict.value == Verdict::kGreen;
              });
}

CellMatcher IsTokenIdentical() {
  return Make("gives the same tokens in all arms and passes",
              "gives other tokens in some arm or pass, or could not be compared", TokenIdentical);
}

CellMatcher IsLogprobIdentical() {
  return Make(
      "gives the same tokens and log-probabilities in all arms and passes",
      "gives other tokens or log-probabilities in some arm or pass, or could not be compared",
      LogprobIdentical);
}

CellMatcher IsRepeatable() {
  return Make("gives the same when served one at a time again",
              "gives something else when served one at a time again, or was not repeated",
              Repeatable);
}

CellMatcher MeetsCompletionFloor() {
  return Make("meets the completion floor", "doesn't meet the completion floor",
              [](const Facts& facts, std::ostream& why) {
                if (!facts.floor_ok.value) {
                  why << "whose completion floor " << facts.floor_ok.why_absent;
                  return false;
                }
                why << "which has " << facts.floor_counts;
                return *facts.floor_ok.value;
              });
}

CellMatcher HasVerdict(const testing::Matcher<Verdict>& verdict) {
  return Make(Noun<Verdict>{"verdict", "a", false, [](const Facts& f) { return f.verdict; },
                            [](const Verdict& v) { return std::string(VerdictName(v)); },
                            [](const Facts& facts) {
                              return facts.broke_off.empty()
                                         ? Compared(facts)
                                         : "the run broke off: " + facts.broke_off;
                            }},
              verdict);
}

CellMatcher HasOverlapDepth(const testing::Matcher<int>& depth) {
  return Make(
      Noun<int>{"overlap depth", "an", false, [](const Facts& f) { return f.overlap_depth; },
                [](const int& d) { return std::to_string(d); },
                [](const Facts& f) { return f.overlap_sides; }},
      depth);
}

CellMatcher HasMeanWidth(const testing::Matcher<double>& width) {
  return Make(Noun<double>{"mean width", "a", true, [](const Facts& f) { return f.mean_width; },
                           [](const double& w) { return Shortest(w); },
                           [](const Facts& f) {
                             return "worst of " + std::to_string(f.n_passes) + " passes";
                           }},
              width);
}

CellMatcher HasCoBatchCoverage(const testing::Matcher<double>& fraction) {
  return Make(
      Noun<double>{
          "co-batch coverage", "a", true, [](const Facts& f) { return f.coverage; },
          [](const double& c) { return Shortest(c); },
          [](const Facts& f) { return "worst of " + std::to_string(f.n_passes) + " passes"; }},
      fraction);
}

CellMatcher HasDivergenceClass(const testing::Matcher<const std::string&>& name) {
  return Make(Noun<std::string>{"divergence class", "a", true,
                                [](const Facts& f) { return f.divergence_class; },
                                [](const std::string& s) {
                                  return std::string("\"").append(OneLine(s, 60)).append("\"");
                                },
                                [](const Facts& f) { return f.first_difference; }},
              name);
}

CellMatcher HasDivergentIds(const testing::Matcher<const std::vector<std::string>&>& ids) {
  return Make(Noun<std::vector<std::string>>{
                  "list of divergent ids", "a", true,
                  [](const Facts& f) {
                    using Ids = Fact<std::vector<std::string>>;
                    if (!f.divergent_ids.value || !f.divergent_ids.value->empty())
                      return f.divergent_ids;
                    if (!f.ac.value) return Ids::Absent(f.ac.why_absent);
                    if (f.ac.value->n_compared == 0)
                      return Ids::Absent("is unknown: no id was compared");
                    return f.divergent_ids;
                  },
                  [](const std::vector<std::string>& list) {
                    std::string text = "{";
                    for (std::size_t i = 0; i < list.size() && i < 5; ++i) {
                      text += (i == 0 ? " " : ", ") + OneLine(list[i], 60);
                    }
                    if (list.size() > 5)
                      text += ", and " + std::to_string(list.size() - 5) + " more";
                    return text + (list.empty() ? "}" : " }");
                  },
                  [](const Facts& f) { return f.first_difference; }},
              ids);
}

CellMatcher HasRateUpperBound(const testing::Matcher<double>& bound) {
  return Make(Noun<double>{"upper bound of the divergence rate", "an", true,
                           [](const Facts& f) { return f.rate_upper_bound; },
                           [](const double& b) { return Shortest(b); }, NoContext},
              bound);
}

}  // namespace bi_test
