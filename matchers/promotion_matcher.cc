#include <ostream>
#include <utility>

#include "base/safe_text.h"
#include "bi_test/matchers.h"
#include "cert/read_cert.h"

namespace bi_test {
namespace {

bool Explain(const std::vector<std::string>& unmet, testing::MatchResultListener* listener) {
  if (unmet.empty()) {
    *listener << "which meets every point of the promotion rule";
    return true;
  }
  if (!listener->IsInterested()) return false;
  *listener << "which leaves " << unmet.size() << (unmet.size() == 1 ? " point" : " points")
            << " of the promotion rule unmet: ";
  const char* separator = "";
  for (const std::string& point : unmet) {
    *listener << separator << OneLine(point, 200);
    separator = "; ";
  }
  return false;
}

}  // namespace

PromotionMatcher::PromotionMatcher(Policy policy) : policy_(std::move(policy)) {}

bool PromotionMatcher::MatchAndExplain(const CellRun& run,
                                       testing::MatchResultListener* listener) const {
  std::vector<std::string> unmet = UnmetPromotionPoints(run.cert, run.cell, policy_);
  if (run.error) unmet.insert(unmet.begin(), "RUN_FAILED: " + run.error->Text());
  return Explain(unmet, listener);
}

bool PromotionMatcher::MatchAndExplain(const Cert& cert,
                                       testing::MatchResultListener* listener) const {
  const CellFacts facts = ReadCert(cert.document);
  for (const auto& [noun, key] : {std::pair("model", "model"), std::pair("ctx", "ctx"),
                                  std::pair("N", "dispatch_n"), std::pair("KV type", "kv_label")}) {
    if (const Lack* lack = facts.LackOf(key)) {
      *listener << "whose " << noun << " " << lack->why;
      return false;
    }
  }
  return Explain(UnmetPromotionPoints(cert, facts.cell, policy_), listener);
}

void PromotionMatcher::DescribeTo(std::ostream* os) const { *os << "is promotable"; }

void PromotionMatcher::DescribeNegationTo(std::ostream* os) const { *os << "isn't promotable"; }

PromotionMatcher IsPromotable(const Policy& policy) { return PromotionMatcher(policy); }

}  // namespace bi_test
