// Work-sets that are made with the server of a cell, against the in-process mock: which rows are
// kept, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bi_test/mock_run.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Sweep MadeSweep(MadeWorkset::Kind kind) {
  Sweep sweep;
  sweep.file = "made.yaml";
  sweep.models.resize(1);
  sweep.models[0].id = "m";
  sweep.made.emplace().kind = kind;
  sweep.workset.name = "made";
  sweep.run.passes = 1;
  sweep.run.max_tokens = 16;
  sweep.run.request_timeout = milliseconds{20'000};
  SweepCell cell;
  cell.cell = Cell{"m", 512, 2, "f16"};
  cell.test_name = "m__ctx512__n2";
  sweep.cells.push_back(cell);
  return sweep;
}

/// A pool of prompts `p0`, `p1`, ... of which `size` are kept.
Sweep FragileSweep(int rows, int size) {
  Sweep sweep = MadeSweep(MadeWorkset::Kind::kFragile);
  for (int i = 0; i < rows; ++i) {
    WorksetRow row;
    row.prompt = "p" + std::to_string(i);
    row.family = "w";
    sweep.made->pool.rows.push_back(row);
  }
  sweep.made->pool.name = "the pool";
  sweep.made->size = size;
  return sweep;
}

/// A streamed reply whose tokens have these margins to the next best one.
MockAnswer WithMargins(const std::vector<double>& margins) {
  std::string body;
  for (const double margin : margins) {
    const std::string next = std::to_string(-0.5 - margin);
    body += R"(data: {"choices":[{"index":0,"delta":{"content":"x "},"finish_reason":null,)"
            R"("logprobs":{"content":[{"token":"x ","logprob":-0.5,"top_logprobs":[)"
            R"({"token":"x ","logprob":-0.5},{"token":"y ","logprob":)" +
            next + "}]}]}}]}\n\n";
  }
  body += R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
          "\n\ndata: [DONE]\n\n";
  MockAnswer answer;
  answer.content_type = "text/event-stream";
  answer.body = body;
  return answer;
}

class ReadyOnMock : public ::testing::Test {
 protected:
  [[nodiscard]] CellRun Run(const Sweep& sweep, MockKnobs knobs) const {
    knobs.serve_time = milliseconds{1};
    RunOptions options;
    options.out_dir = dir_.path();
    return RunCellOnMock(sweep, sweep.cells.at(0), knobs, options);
  }
  /// The families of arm A, in the order in which they were asked.
  static std::vector<std::string> Asked(const CellRun& run) {
    std::vector<std::string> ids;
    for (const Trial& trial : run.record.trials) {
      if (trial.arm == Arm::kA && trial.pass == 0) ids.push_back(*trial.family.if_string());
    }
    return ids;
  }
  static const Json& Stamp(const CellRun& run, const char* key) {
    return *run.cert.document.Find("workset")->Find(key);
  }

  test_support::TempDir dir_;
};

TEST_F(ReadyOnMock, FragileKeepsTheRowsWhoseWeakestTokenHangsByTheLeast) {
  Sweep sweep = FragileSweep(6, 3);
  sweep.run.reps = 2;
  const std::map<std::string, std::vector<double>> margins = {
      {"p0", {0.9, 0.8}},  {"p1", {4.0, 0.1}}, {"p2", {0.5, 0.5}},
      {"p3", {0.05, 4.0}}, {"p4", {0.7, 0.7}}, {"p5", {0.2, 3.0}}};
  std::map<std::string, int> asked;
  for (std::size_t i = 0; i < 6; ++i) {
    sweep.made->pool.rows[i].family = "f" + std::to_string(i);
  }
  MockKnobs knobs;
  knobs.answer = [&](const MockRequest& request) {
    ++asked[request.prompt];
    return WithMargins(margins.at(request.prompt));
  };
  const CellRun run = Run(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(Asked(run), ElementsAre("f1", "f1", "f3", "f3", "f5", "f5"));
  EXPECT_EQ(Stamp(run, "pool"), Json("the pool"));
  EXPECT_EQ(Stamp(run, "pool_rows"), Json(6));
  EXPECT_NEAR(*Stamp(run, "widest_margin").if_double(), 0.2, 1e-9);
  EXPECT_EQ(asked["p0"], 1) << "a row that is not kept is asked once, whatever `reps` says";
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / "m__ctx512__N2.pool.trace.jsonl"));
}

TEST_F(ReadyOnMock, FragileLeavesOutRowsOfThePoolThatDoNotFit) {
  Sweep sweep = FragileSweep(6, 5);
  // Room for 512 - 16 - 128 tokens; a word is one, and one of system or messages counts as well.
  const auto words = [](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "w ";
    return text;
  };
  std::vector<WorksetRow>& rows = sweep.made->pool.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].family = "f" + std::to_string(i);
  rows[1].prompt = words(369);
  rows[2].system = words(369);
  rows[3].messages = {{"user", words(368)}, {"assistant", "yes"}, {"user", "p3"}};
  rows[4].prompt = words(368);
  MockKnobs knobs;
  knobs.answer = [&](const MockRequest&) { return WithMargins({1.0}); };
  const CellRun run = Run(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(Asked(run), ElementsAre("f0", "f4", "f5"));
  EXPECT_EQ(Stamp(run, "pool_rows"), Json(3));
}

TEST_F(ReadyOnMock, FragileWithoutMarginsIsRefused) {
  MockKnobs knobs;
  knobs.logprobs_null = true;
  const CellRun run = Run(FragileSweep(6, 5), knobs);
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(run.error->Text(),
            "m__ctx512__n2: no answer of the pool came with the margins of its tokens, by which "
            "`builtin: fragile` chooses; ask for log-probabilities (run.n_probs: 2 or more), or "
            "use another work-set");
}

TEST_F(ReadyOnMock, APoolThatIsNotAskedToItsEndChoosesNothing) {
  Sweep sweep = FragileSweep(6, 5);
  sweep.run.run_timeout = milliseconds{3'000};
  MockKnobs knobs;
  knobs.answer = [&](const MockRequest&) { return WithMargins({1.0}); };
  knobs.stuck_after = 2;
  const CellRun run = Run(sweep, knobs);
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(
      run.error->Text(),
      StartsWith("m__ctx512__n2: the pool of the work-set could not be asked to its end: "));
}

TEST_F(ReadyOnMock, LengthsAreThoseOfTheServersTokenizer) {
  Sweep sweep = MadeSweep(MadeWorkset::Kind::kLengths);
  sweep.models[0].flags = {"-ub", "100"};
  const CellRun run = Run(sweep, MockKnobs{});
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  std::vector<std::int64_t> lengths;
  for (const Trial& trial : run.record.trials) {
    if (trial.arm != Arm::kA || trial.pass != 0) continue;
    const std::int64_t* tokens = trial.prompt_tokens_measured.if_int64();
    ASSERT_NE(tokens, nullptr);
    EXPECT_EQ(trial.family, Json("tokens_" + std::to_string(*tokens)));
    lengths.push_back(*tokens);
  }
  // The slot has 512, less 16 for the answer and 64 for a template.
  EXPECT_THAT(lengths, ElementsAre(1, 2, 3, 30, 31, 32, 33, 62, 63, 64, 65, 98, 99, 100, 101, 126,
                                   127, 128, 129, 254, 255, 256, 257));
}

TEST_F(ReadyOnMock, LengthsWithoutACountAreRefused) {
  MockKnobs knobs;
  knobs.tokenize_shape = MockTokenizeShape::kError;
  const CellRun run = Run(MadeSweep(MadeWorkset::Kind::kLengths), knobs);
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(run.error->Text(),
            "workset: the server's tokenizer gave no count, and prompts of 1 tokens cannot be made "
            "without; use another work-set");
  EXPECT_THAT(run.record.trials, IsEmpty());
}

}  // namespace
}  // namespace bi_test
