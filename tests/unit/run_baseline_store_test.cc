// Serial measurements that are kept for other N: they serve only where nothing changed.
#include "run/baseline_store.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "support/temp_dir.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;

/// What the asker of a baseline has at hand.
struct Asker {
  server::ServerIdentity identity;
  std::vector<PreparedItem> items;
};

class BaselineTest : public ::testing::Test {
 protected:
  BaselineTest() {
    for (int i = 0; i < 3; ++i) {
      PreparedItem item;
      item.item.test_id = "w" + std::to_string(i);
      item.request_sha256 = std::string(64, static_cast<char>('a' + i));
      item.prompt_tokens_measured = 10 + i;
      items_.push_back(item);
      for (int pass = 0; pass < 2; ++pass) record_.trials.push_back(TrialOf(item, pass));
    }
    record_.cell = Cell{"m", 4096, 4, "f16"};
    record_.source = "live";
    record_.header["provenance"]["run_id"] = "r1";
    for (int pass = 0; pass < 2; ++pass) {
      PassEvidence evidence;
      evidence.arm = Arm::kA;
      evidence.pass = pass;
      record_.evidence.push_back(evidence);
    }
    subject_["model"] = "m";
    identity_.build = "b1";
    identity_.program_sha256 = "p";
    identity_.libraries_sha256 = "l";
  }

  static Trial TrialOf(const PreparedItem& item, int pass) {
    Trial trial;
    trial.arm = Arm::kA;
    trial.pass = pass;
    trial.test_id = item.item.test_id;
    trial.request_sha256 = item.request_sha256;
    trial.prompt_tokens_measured = *item.prompt_tokens_measured;
    trial.failure_mode = "ok";
    trial.content = "c";
    return trial;
  }

  [[nodiscard]] BaselineStore Open() {
    Result<BaselineStore> store = BaselineStore::Open(dir_.path() / "baselines", subject_, {});
    if (!store.ok()) ADD_FAILURE() << store.error().Text();
    return std::move(*store);
  }
  [[nodiscard]] fs::path File() {
    return dir_.path() / "baselines" / (Open().key() + ".trace.jsonl");
  }

  test_support::TempDir dir_;
  std::vector<PreparedItem> items_;
  Record record_;
  Json subject_;
  server::ServerIdentity identity_;
};

TEST_F(BaselineTest, NothingIsKeptAtFirst) {
  BaselineStore store = Open();
  EXPECT_FALSE(store.Load(identity_, items_).has_value());
  EXPECT_EQ(store.why_not(), "");
}

TEST_F(BaselineTest, WhatWasStoredComesBackWithoutTheOtherArms) {
  Record with_more = record_;
  with_more.trials.push_back(TrialOf(items_[0], 2));
  with_more.trials.push_back(TrialOf(items_[0], 0));
  with_more.trials.back().arm = Arm::kB;
  ASSERT_TRUE(Open().Store(with_more, identity_).ok());
  const std::optional<Record> kept = Open().Load(identity_, items_);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->trials, record_.trials);
  EXPECT_EQ(kept->evidence, record_.evidence);
  EXPECT_EQ(*kept->header.Find("provenance")->Find("run_id"), Json("r1"));
}

TEST_F(BaselineTest, ItServesOnlyWhereNothingChanged) {
  ASSERT_TRUE(Open().Store(record_, identity_).ok());
  const struct {
    const char* name;
    std::function<void(Asker&)> change;
    const char* why;
  } cases[] = {
      {"another build", [](Asker& a) { a.identity.build = "b2"; },
       "the running program, one of its libraries or its build changed"},
      {"another library", [](Asker& a) { a.identity.libraries_sha256 = "x"; },
       "the running program, one of its libraries or its build changed"},
      {"another token count", [](Asker& a) { a.items[1].prompt_tokens_measured = 99; },
       "the server counts other prompt tokens now"},
      {"no token count", [](Asker& a) { a.items[1].prompt_tokens_measured.reset(); },
       "the server counts other prompt tokens now"},
      {"another request", [](Asker& a) { a.items[2].request_sha256 = "x"; },
       "it holds other requests"},
      {"another item", [](Asker& a) { a.items[2].item.test_id = "x"; }, "it holds other items"},
      {"one item fewer", [](Asker& a) { a.items.pop_back(); }, "it holds another number of trials"},
  };
  for (const auto& c : cases) {
    Asker asker{identity_, items_};
    c.change(asker);
    BaselineStore store = Open();
    EXPECT_FALSE(store.Load(asker.identity, asker.items).has_value()) << c.name;
    EXPECT_EQ(store.why_not(), c.why) << c.name;
  }
}

TEST_F(BaselineTest, ATornOrForeignFileDoesNotServe) {
  ASSERT_TRUE(Open().Store(record_, identity_).ok());
  const fs::path file = File();
  std::ostringstream whole;
  whole << std::ifstream(file).rdbuf();
  const std::string text = whole.str();
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    std::ofstream(file, std::ios::trunc) << text.substr(0, cut);
    BaselineStore store = Open();
    // The last newline alone may be missing: nothing of the content is.
    if (cut + 1 == text.size()) continue;
    EXPECT_FALSE(store.Load(identity_, items_).has_value()) << "cut at byte " << cut;
    EXPECT_NE(store.why_not(), "") << "cut at byte " << cut;
  }
  subject_["model"] = "other";
  const fs::path other = File();
  std::ofstream(other, std::ios::trunc) << text;
  BaselineStore store = Open();
  EXPECT_FALSE(store.Load(identity_, items_).has_value());
  EXPECT_EQ(store.why_not(), "it was measured for something else");
}

TEST_F(BaselineTest, ARunWithAFailedRequestIsNotKept) {
  record_.trials[3].phase = "body";
  ASSERT_TRUE(Open().Store(record_, identity_).ok());
  EXPECT_FALSE(fs::exists(File()));
}

TEST_F(BaselineTest, WhatNoLongerHoldsIsRemoved) {
  ASSERT_TRUE(Open().Store(record_, identity_).ok());
  Open().Discard();
  EXPECT_FALSE(Open().Load(identity_, items_).has_value());
}

TEST_F(BaselineTest, TwoProcessesDoNotMeasureTheSameAtOnce) {
  const BaselineStore held = Open();
  RunClock clock;
  clock.deadline = Clock::now() + std::chrono::milliseconds{50};
  const Result<BaselineStore> second =
      BaselineStore::Open(dir_.path() / "baselines", subject_, clock);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kDeadline);
  EXPECT_EQ(second.error().message,
            "another process still measures this baseline at the deadline of the run");
}

}  // namespace
}  // namespace bi_test::run
