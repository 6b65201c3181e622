// One test per cell of cells.yaml, and one for the scorer they use.
#include "bi_test/cell_test.h"
#include "bi_test/matchers.h"
#include "bi_test/scorer.h"

namespace {

using testing::Ge;
using testing::Optional;

BI_TEST_CELLS(Onboarding) {
  EXPECT_THAT(Run(), IsAccepted());  // GREEN, or AMBER with a sign-off in cells.yaml
  EXPECT_THAT(Run(), bi_test::HasOverlapDepth(Ge(2)));
}

TEST(TicketDeskScorerTest, TakesTheWordAfterTheLastMark) {
  const bi_test::Scorer* const scorer = bi_test::FindScorer("ticket_desk");
  ASSERT_NE(scorer, nullptr);
  const bi_test::ScorerItem item;
  EXPECT_THAT(scorer->ExtractAnswer("Answer: not yet. Answer:  **Billing**.", item),
              Optional(std::string("billing")));
  EXPECT_EQ(scorer->ExtractAnswer("It is about a bill.", item), std::nullopt);
  EXPECT_EQ(scorer->ExtractAnswer("Answer: 42", item), std::nullopt);
  EXPECT_EQ(scorer->Score("billing", "", bi_test::Json(std::string("billing")), item), 1.0);
  EXPECT_EQ(scorer->Score("network", "", bi_test::Json(std::string("billing")), item), 0.0);
  EXPECT_EQ(scorer->Score(std::nullopt, "", bi_test::Json(std::string("billing")), item), 0.0);
}

}  // namespace
