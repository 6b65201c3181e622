// A test program as a user writes it, whose bodies do what PROBE_BODY says. Driven as a child by
// fixtures_program_test.
#include <cstdlib>
#include <string_view>

#include "bi_test/cell_test.h"
#include "bi_test/matchers.h"

namespace {

std::string_view Body() {
  const char* const body = std::getenv("PROBE_BODY");
  return body == nullptr ? std::string_view() : std::string_view(body);
}

class Probe : public bi_test::CellTest {
 public:
  Probe() {
    // The cell is known this early, in tests that Init registered as in TEST_P.
    if (cell().dispatch_n < 2) std::abort();
  }
};

BI_TEST_CELLS_F(Probe) {
  if (Body() == "forget") return;
  if (Body() == "skip") GTEST_SKIP() << "not today";
  if (Body() == "abort") std::abort();
  const bi_test::CellRun& first = Run();
  EXPECT_EQ(&first, &Run()) << "a second Run() in one test is the same run";
  if (Body() == "width") {
    EXPECT_THAT(Run(), bi_test::HasOverlapDepth(testing::Ge(1000)));
  } else if (Body() == "anything") {
    EXPECT_THAT(Run(), bi_test::HasVerdict(testing::_));
  } else {
    EXPECT_THAT(Run(), IsAccepted());
  }
}

}  // namespace
