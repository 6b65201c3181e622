#include <cstdint>
#include <limits>
#include <ostream>
#include <utility>

#include "bi_test/matchers.h"
#include "cert_fields.h"
#include "text_window.h"

namespace bi_test {
namespace {

using matchers_internal::CertFields;
using matchers_internal::Fact;
using matchers_internal::OneLine;

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
  const CertFields reader(cert.document);
  const Fact<std::string> model = reader.Text("model");
  const Fact<std::int64_t> ctx = reader.Int("ctx");
  const Fact<std::int64_t> parallel = reader.Int("dispatch_n");
  const Fact<std::string> kv = reader.Text("kv_label");
  for (const std::string& why :
       {model.value ? "" : "model " + model.why_absent, ctx.value ? "" : "ctx " + ctx.why_absent,
        parallel.value ? "" : "N " + parallel.why_absent,
        kv.value ? "" : "KV type " + kv.why_absent}) {
    if (why.empty()) continue;
    *listener << "whose " << why;
    return false;
  }
  const auto is_int = [](std::int64_t n) {
    return n >= std::numeric_limits<int>::min() && n <= std::numeric_limits<int>::max();
  };
  if (!is_int(*ctx.value) || !is_int(*parallel.value)) {
    *listener << "whose ctx or N is out of range";
    return false;
  }
  const Cell cell = {.model = *model.value,
                     .ctx = static_cast<int>(*ctx.value),
                     .dispatch_n = static_cast<int>(*parallel.value),
                     .kv_label = *kv.value};
  return Explain(UnmetPromotionPoints(cert, cell, policy_), listener);
}

void PromotionMatcher::DescribeTo(std::ostream* os) const { *os << "is promotable"; }

void PromotionMatcher::DescribeNegationTo(std::ostream* os) const { *os << "isn't promotable"; }

PromotionMatcher IsPromotable(const Policy& policy) { return PromotionMatcher(policy); }

}  // namespace bi_test
