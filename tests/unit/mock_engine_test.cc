#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "bi_test/mock_server.h"
#include "unit/mock_client.h"

namespace bi_test::mock_test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};
constexpr std::string_view kStream = R"(,"stream":true)";

bool WaitForHung(const MockServer& mock, int hung) {
  return mock.WaitFor([hung](const MockCounts& c) { return c.hung == hung; }, kPatience);
}

TEST(MockEngineTest, SixThreadsOverlap) {
  MockKnobs knobs;
  knobs.stuck_slot = true;
  knobs.serve_time = std::chrono::hours(1);
  const auto mock = StartMock(knobs);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200); });
  }
  EXPECT_TRUE(WaitForHung(*mock, 6));
  EXPECT_EQ(mock->Counts().in_service, 0) << "stuck before the slot";
  mock->ReleaseHung();
  EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.in_service == 6; }, kPatience));
  EXPECT_EQ(Get(*mock, "/slots-debug").body,
            R"({"in_flight":6,"max_observed_concurrency":6,"max_slots":0,"served":6})");
  mock->Stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(MockEngineTest, SerialClientsShowWidthOne) {
  MockKnobs knobs;
  knobs.slots = 4;
  knobs.serve_time = milliseconds(5);
  const auto mock = StartMock(knobs);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  const RawReply page = Get(*mock, "/metrics");
  EXPECT_EQ(Metric(page, "n_busy_slots_per_decode"), 1.0);
  EXPECT_EQ(Metric(page, "n_decode_total"), 15);
  EXPECT_EQ(Metric(page, "tokens_predicted_total"), 12);
  EXPECT_EQ(mock->Counts().max_observed_concurrency, 1);
}

TEST(MockEngineTest, WidthEvidenceIsTrueToWhatHappened) {
  MockKnobs knobs;
  knobs.slots = 4;
  PrepareOverlap(&knobs);
  knobs.step_time = milliseconds(1);
  const auto mock = StartMock(knobs);
  const auto replies = ChatTogether(mock.get(), std::vector<std::string>(4, ChatBody("p", 5)));
  // All four were released at once, so they made the same five steps, each step with four slots.
  const MockCounts counts = mock->Counts();
  EXPECT_EQ(counts.decode_steps, 5 + 5);
  EXPECT_EQ(counts.busy_slot_steps, 5 + 4 * 5);
  EXPECT_EQ(counts.tokens_predicted, 4 + 4 * 5);
  EXPECT_EQ(counts.max_observed_concurrency, 4);
  const RawReply page = Get(*mock, "/metrics");
  EXPECT_EQ(Metric(page, "n_decode_total"), 10);
  EXPECT_EQ(Metric(page, "n_busy_slots_per_decode"), 2.5);
  EXPECT_EQ(Metric(page, "requests_processing"), 0);
}

TEST(MockEngineTest, CountersAreSettledWhenTheReplyArrives) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(2);
  const auto mock = StartMock(knobs);
  for (int i = 1; i <= 20; ++i) {
    EXPECT_TRUE(Chat(*mock, ChatBody("p", 3, i % 2 == 0 ? kStream : "")).whole);
    const MockCounts counts = mock->Counts();
    EXPECT_EQ(counts.tokens_predicted, 3 * i);
    EXPECT_EQ(counts.finished, i);
    EXPECT_EQ(counts.in_service, 0);
  }
}

TEST(MockEngineTest, TimingsAddUpToTheServiceTime) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(40);
  knobs.step_time = milliseconds(2);
  const auto mock = StartMock(knobs);
  Json json = JsonOf(Chat(*mock, ChatBody("p", 5)));
  const double prompt_ms = *json["timings"]["prompt_ms"].if_double();
  const double predicted_ms = *json["timings"]["predicted_ms"].if_double();
  EXPECT_GE(prompt_ms + predicted_ms, 40.0);
  // Five tokens: four steps lie between the first and the last.
  EXPECT_GE(predicted_ms, 4 * 2.0 * 0.99);
  EXPECT_GE(prompt_ms, 16 * 2.0 * 0.99);
}

TEST(MockEngineTest, MoreTokensThanTimeTakeAStepEach) {
  MockKnobs knobs;
  knobs.serve_time = std::chrono::microseconds(0);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("p", 7)).status, 200);
  EXPECT_EQ(mock->Counts().decode_steps, 7);
  EXPECT_EQ(Chat(*mock, ChatBody("p", 0)).status, 200);
  EXPECT_EQ(mock->Counts().decode_steps, 8) << "no token, but a step";
}

TEST(MockEngineTest, SlotLimitQueuesInOrderOfArrival) {
  MockKnobs knobs;
  knobs.slots = 1;
  knobs.stuck_after = 1;
  knobs.serve_time = milliseconds(2);
  std::map<std::string, std::int64_t> admitted;
  knobs.answer = [&admitted](const MockRequest& request) {
    admitted[request.prompt] = request.serve_number;
    return std::nullopt;
  };
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("0")).status, 200);
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back(
        [&, i] { EXPECT_EQ(Chat(*mock, ChatBody(std::to_string(i))).status, 200); });
    EXPECT_TRUE(mock->WaitFor([i](const MockCounts& c) { return c.in_service + c.deferred == i; },
                              kPatience));
  }
  const RawReply page = Get(*mock, "/metrics");
  EXPECT_EQ(Metric(page, "requests_processing"), 1);
  EXPECT_EQ(Metric(page, "requests_deferred"), 3);
  mock->ReleaseHung();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admitted, (std::map<std::string, std::int64_t>{
                          {"0", 1}, {"1", 2}, {"2", 3}, {"3", 4}, {"4", 5}}));
  EXPECT_EQ(mock->Counts().max_observed_concurrency, 1);
}

TEST(MockEngineTest, StuckAfterHangsExactlyOneAndEachFreesItsOwnSlot) {
  MockKnobs knobs;
  knobs.slots = 2;
  knobs.stuck_after = 1;
  knobs.serve_time = milliseconds(2);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("first")).status, 200);
  std::thread hung([&] { EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("hung", 1))), "x "); });
  EXPECT_TRUE(WaitForHung(*mock, 1));
  const std::int64_t steps = mock->Counts().decode_steps;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Chat(*mock, ChatBody("later")).status, 200);
  // The wedged slot is still listed as busy with its own task, and took part in no step.
  const Json listing = JsonOf(Get(*mock, "/slots"));
  const Json& slot = (*listing.if_array())[0];
  EXPECT_EQ(*slot.Find("is_processing"), Json(true));
  EXPECT_EQ(*slot.Find("id_task"), Json(2));
  EXPECT_EQ(*(*listing.if_array())[1].Find("is_processing"), Json(false));
  EXPECT_EQ(*(*listing.if_array())[1].Find("id_task"), Json(-1));
  const MockCounts counts = mock->Counts();
  EXPECT_EQ(counts.busy_slot_steps - steps, counts.decode_steps - steps);
  mock->ReleaseHung();
  hung.join();
}

TEST(MockEngineTest, StuckFromHangsAllLaterOnesAndStopAnswersThem) {
  MockKnobs knobs;
  knobs.stuck_from = 1;
  knobs.serve_time = std::chrono::hours(1);
  knobs.serve_time_for = [](const MockRequest& request) {
    return request.prompt == "first" ? std::optional(std::chrono::microseconds(1)) : std::nullopt;
  };
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("first")).status, 200);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("p", 1))), "x "); });
  }
  EXPECT_TRUE(WaitForHung(*mock, 3));
  mock->Stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(MockEngineTest, SerialEngineAcceptsAllButNeverSharesAStep) {
  MockKnobs knobs;
  knobs.slots = 4;
  knobs.serial_engine = true;
  knobs.stale_id_task = true;
  knobs.stuck_after = 1;
  knobs.serve_time = milliseconds(2);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200); });
  }
  EXPECT_TRUE(mock->WaitFor(
      [](const MockCounts& c) { return c.in_service == 1 && c.deferred == 2; }, kPatience));
  mock->ReleaseHung();
  for (std::thread& thread : threads) thread.join();
  const MockCounts counts = mock->Counts();
  EXPECT_EQ(counts.max_observed_concurrency, 1);
  EXPECT_EQ(counts.busy_slot_steps, counts.decode_steps);
  EXPECT_THAT(Get(*mock, "/props").body, HasSubstr(R"("total_slots":4)"));
  const Json listing = JsonOf(Get(*mock, "/slots"));
  EXPECT_EQ(*(*listing.if_array())[0].Find("is_processing"), Json(false));
  EXPECT_EQ(*(*listing.if_array())[0].Find("id_task"), Json(4)) << "the trap: idle, with a number";
}

TEST(MockEngineTest, OverlapOnlyFirstGoesSerialLater) {
  MockKnobs knobs;
  knobs.overlap_only_first = 3;
  PrepareOverlap(&knobs);
  std::vector<int> widths;
  knobs.answer = [&widths](const MockRequest& request) {
    widths.push_back(request.peak_width);
    return std::nullopt;
  };
  const auto mock = StartMock(knobs);
  std::ignore = ChatTogether(mock.get(), {ChatBody("a"), ChatBody("b")});
  EXPECT_EQ(mock->Counts().max_observed_concurrency, 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(Chat(*mock, ChatBody("c")).status, 200); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(widths, ElementsAre(1, 2, 2, 1, 1, 1, 1));
}

TEST(MockEngineTest, IgnoreParallelIsUsedAndReported) {
  MockKnobs knobs;
  knobs.slots = 8;
  knobs.ignore_parallel = 2;
  const auto mock = StartMock(knobs);
  EXPECT_THAT(Get(*mock, "/props").body, HasSubstr(R"("total_slots":2)"));
  EXPECT_EQ(JsonOf(Get(*mock, "/slots")).if_array()->size(), 2u);
}

TEST(MockEngineTest, SlotChoiceIsLowestFreeOrLeastRecentlyUsed) {
  const struct {
    bool least_recently_used;
    std::vector<std::int64_t> slots;
  } cases[] = {{false, {0, 0, 0, 0}}, {true, {0, 1, 2, 0}}};
  for (const auto& c : cases) {
    MockKnobs knobs;
    knobs.slots = 3;
    knobs.serve_time = milliseconds(1);
    knobs.least_recently_used_slot = c.least_recently_used;
    const auto mock = StartMock(knobs);
    std::vector<std::int64_t> slots;
    for (int i = 0; i < 4; ++i) {
      Json json = JsonOf(Chat(*mock, ChatBody("p", 1, R"(,"verbose":true)")));
      slots.push_back(*json["__verbose"]["id_slot"].if_int64());
    }
    EXPECT_EQ(slots, c.slots);
  }
}

TEST(MockEngineTest, UnlimitedListingHasBusySlotsAndIndexZero) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(JsonOf(Get(*mock, "/slots")).if_array()->size(), 1u);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200); });
  }
  EXPECT_TRUE(WaitForHung(*mock, 3));
  EXPECT_EQ(JsonOf(Get(*mock, "/slots")).if_array()->size(), 3u);
  mock->ReleaseHung();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(JsonOf(Get(*mock, "/slots")).if_array()->size(), 1u);
}

TEST(MockEngineTest, AStreamWhoseClientLeavesIsCancelled) {
  for (const bool live : {true, false}) {
    MockKnobs knobs;
    knobs.slots = 1;
    knobs.batch_divergence = !live;
    knobs.serve_time = std::chrono::hours(1);
    const auto mock = StartMock(knobs);
    RawClient client(mock->port());
    client.Send(PostText("/v1/chat/completions", ChatBody("p", 4, kStream)));
    EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.in_service == 1; }, kPatience));
    client.Close();
    EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.cancelled == 1; }, kPatience));
    EXPECT_EQ(mock->Counts().in_service, 0);
  }
}

TEST(MockEngineTest, AWholeReplyIsMadeToItsEndThoughItsClientLeft) {
  MockKnobs knobs;
  knobs.slots = 1;
  knobs.serve_time = milliseconds(100);
  const auto mock = StartMock(knobs);
  RawClient client(mock->port());
  client.Send(PostText("/v1/chat/completions", ChatBody("p", 4)));
  EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.served == 1; }, kPatience));
  client.Close();
  EXPECT_TRUE(
      mock->WaitFor([](const MockCounts& c) { return c.tokens_predicted == 4; }, kPatience));
  EXPECT_EQ(mock->Counts().cancelled, 0);
}

TEST(MockEngineTest, AHungStreamStaysInItsSlotThoughItsClientLeft) {
  MockKnobs knobs;
  knobs.slots = 2;
  knobs.stuck_after = 1;
  knobs.serve_time = milliseconds(1);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  RawClient client(mock->port());
  client.Send(PostText("/v1/chat/completions", ChatBody("p", 4, kStream)));
  EXPECT_TRUE(WaitForHung(*mock, 1));
  client.Close();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  EXPECT_EQ(mock->Counts().hung, 1);
  EXPECT_EQ(mock->Counts().in_service, 1);
}

TEST(MockEngineTest, ManyClientsOnFewSlotsAreAllServed) {
  MockKnobs knobs;
  knobs.slots = 3;
  knobs.serve_time = milliseconds(2);
  const auto mock = StartMock(knobs);
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        const RawReply reply = Chat(*mock, ChatBody("p", 2, (i + k) % 2 == 0 ? kStream : ""));
        EXPECT_TRUE(reply.whole);
        std::ignore = Get(*mock, k % 2 == 0 ? "/metrics" : "/slots");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const MockCounts counts = mock->Counts();
  EXPECT_EQ(counts.served, 80);
  EXPECT_EQ(counts.finished, 80);
  EXPECT_EQ(counts.tokens_predicted, 160);
  EXPECT_LE(counts.max_observed_concurrency, 3);
  EXPECT_EQ(counts.busy_slot_steps, 80 * 2);
}

}  // namespace
}  // namespace bi_test::mock_test
