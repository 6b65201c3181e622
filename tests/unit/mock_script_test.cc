#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bi_test/mock_server.h"
#include "http/chat_reply_reader.h"
#include "unit/mock_client.h"

namespace bi_test::mock_test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};
constexpr std::string_view kStream = R"(,"stream":true)";

MockAnswer Says(std::string content) {
  MockAnswer answer;
  answer.content = std::move(content);
  return answer;
}

std::vector<std::string> Contents(const std::vector<RawReply>& replies) {
  std::vector<std::string> contents;
  for (const RawReply& reply : replies) contents.push_back(ContentOf(reply));
  return contents;
}

TEST(MockScriptTest, AnswersCanDependOnTheSlotOnceTwoAreInService) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  knobs.slots = 4;
  knobs.answer = [](const MockRequest& request) {
    return Says(request.co_batched ? "ok/" + std::to_string(request.slot % 3) : "ok");
  };
  const auto mock = StartMock(knobs);
  const auto replies = ChatTogether(mock.get(), std::vector<std::string>(4, ChatBody("ask")));
  EXPECT_THAT(Contents(replies), ElementsAre("ok/0", "ok/1", "ok/2", "ok/0"));
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("ask"))), "ok");
}

TEST(MockScriptTest, AnswersCanAlternateInASerialArm) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  int times = 0;
  knobs.answer = [&times](const MockRequest&) { return Says(times++ % 2 == 0 ? "a" : "b"); };
  const auto mock = StartMock(knobs);
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("ask"))), "a");
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("ask"))), "b");
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("ask"))), "a");
}

TEST(MockScriptTest, TwoRequestsCanGetEachOthersAnswer) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  knobs.answer = [](const MockRequest& request) {
    const auto meets = [&](const char* prompt) {
      return std::find(request.companions.begin(), request.companions.end(), prompt) !=
             request.companions.end();
    };
    if (request.prompt == "ask 2" && meets("ask 3")) return Says("ok-3");
    if (request.prompt == "ask 3" && meets("ask 2")) return Says("ok-2");
    return Says("ok-" + request.prompt.substr(request.prompt.size() - 1));
  };
  const auto mock = StartMock(knobs);
  const auto replies =
      ChatTogether(mock.get(), {ChatBody("ask 1"), ChatBody("ask 2"), ChatBody("ask 3")});
  EXPECT_THAT(Contents(replies), ElementsAre("ok-1", "ok-3", "ok-2"));
}

TEST(MockScriptTest, WidthAndCompanionsAreThoseOfItsService) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  std::vector<MockRequest> seen;
  knobs.answer = [&seen](const MockRequest& request) {
    seen.push_back(request);
    return std::nullopt;
  };
  const auto mock = StartMock(knobs);
  const auto replies = ChatTogether(mock.get(), {ChatBody("a"), ChatBody("b"), ChatBody("c")});
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0].peak_width, 1);
  EXPECT_FALSE(seen[0].co_batched);
  EXPECT_THAT(seen[0].companions, ElementsAre());
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(seen[i].peak_width, 3);
    EXPECT_EQ(seen[i].companions.size(), 2u);
    EXPECT_EQ(seen[i].slots, 0);
    if (seen[i].prompt == "a") {
      EXPECT_THAT(seen[i].companions, ElementsAre("b", "c"));
      EXPECT_EQ(seen[i].serve_number, 2);
      EXPECT_EQ(seen[i].arrival_number, 2);
    }
  }
  EXPECT_EQ(*seen[0].body.Find("max_tokens"), Json(4));
}

TEST(MockScriptTest, AnArrivalCanBeTurnedAway) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  knobs.at_arrival = [](const MockRequest& request) -> std::optional<MockAnswer> {
    if (request.in_flight_on_arrival <= 2) return std::nullopt;
    MockAnswer busy;
    busy.http_status = 503;
    busy.body = R"({"error":"server busy"})";
    return busy;
  };
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200); });
  }
  EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.hung == 2; }, kPatience));
  for (int i = 0; i < 3; ++i) {
    const RawReply reply = Chat(*mock, ChatBody("p"));
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.body, R"({"error":"server busy"})");
  }
  mock->ReleaseHung();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mock->Counts().served, 3);
  EXPECT_EQ(mock->Counts().arrived, 6);
}

TEST(MockScriptTest, ServiceTimesCanDiffer) {
  MockKnobs knobs;
  knobs.serve_time_for = [](const MockRequest& request) {
    return std::optional<std::chrono::microseconds>(
        milliseconds(request.prompt == "long" ? 30 : 3));
  };
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Chat(*mock, ChatBody("long", 2)).status, 200);
  EXPECT_EQ(mock->Counts().decode_steps, 30);
  EXPECT_EQ(Chat(*mock, ChatBody("short", 2)).status, 200);
  EXPECT_EQ(mock->Counts().decode_steps, 33);
}

TEST(MockScriptTest, ScriptedAnswersAreStreamedToo) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.answer = [](const MockRequest&) {
    MockAnswer answer = Says("n\xc3\xa9\xf0\x9f\x99\x82 two");
    answer.reasoning_content = "why";
    answer.prompt_tokens = 300;
    answer.cached_tokens = 7;
    answer.extra_message["tool_calls"] = nullptr;
    return answer;
  };
  const RawReply reply =
      Chat(*StartMock(knobs),
           ChatBody("p", 4, R"(,"stream":true,"stream_options":{"include_usage":true})"));
  http::ChatReplyReader reader;
  EXPECT_TRUE(reader.Feed(reply.body));
  const auto result = reader.Finish();
  const auto* chat = std::get_if<http::ChatReply>(&result);
  ASSERT_NE(chat, nullptr) << std::get<http::ReplyFault>(result).text;
  EXPECT_EQ(chat->content, "n\xc3\xa9\xf0\x9f\x99\x82 two");
  EXPECT_EQ(chat->reasoning_content, "why");
  EXPECT_EQ(chat->finish_reason, "stop");
  EXPECT_EQ(chat->prompt_tokens, 300);
  EXPECT_EQ(chat->cached_tokens, 7);
  EXPECT_TRUE(chat->tool_calls.is_null());
}

TEST(MockScriptTest, AScriptThatThrowsIsA500) {
  for (const bool early : {true, false}) {
    MockKnobs knobs;
    knobs.serve_time = milliseconds(1);
    const auto throws = [](const MockRequest&) -> std::optional<MockAnswer> {
      throw std::runtime_error("script broke");
    };
    (early ? knobs.at_arrival : knobs.answer) = throws;
    const auto mock = StartMock(knobs);
    const RawReply reply = Chat(*mock, ChatBody("p"));
    EXPECT_EQ(reply.status, 500);
    EXPECT_THAT(reply.body, HasSubstr("script broke"));
    EXPECT_EQ(mock->Counts().in_service, 0);
  }
}

TEST(MockScriptTest, RawBytesAndEndingsAreSentAsTheyAre) {
  const struct {
    MockEnding ending;
    bool reset;
  } cases[] = {{MockEnding::kClose, false}, {MockEnding::kReset, true}};
  for (const auto& c : cases) {
    MockKnobs knobs;
    knobs.serve_time = milliseconds(1);
    knobs.answer = [&c](const MockRequest&) {
      MockAnswer answer;
      answer.raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n{\"id\":\"c\",\"ch";
      answer.ending = c.ending;
      return answer;
    };
    const RawReply reply = Chat(*StartMock(knobs), ChatBody("p"));
    EXPECT_EQ(reply.status, 200);
    EXPECT_FALSE(reply.whole);
    EXPECT_EQ(reply.reset, c.reset);
  }
}

TEST(MockWireFaultTest, ErrorRepliesComeEveryKth) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.http_status = 500;
  knobs.http_body = R"({"error":"CUDA error: out of memory"})";
  knobs.http_every = 3;
  const auto mock = StartMock(knobs);
  std::vector<int> statuses;
  for (int i = 0; i < 6; ++i) {
    const RawReply reply = Chat(*mock, ChatBody("p", 1, i % 2 == 0 ? kStream : ""));
    statuses.push_back(reply.status);
    if (reply.status == 500) {
      EXPECT_EQ(reply.body, knobs.http_body);
    }
  }
  EXPECT_THAT(statuses, ElementsAre(200, 200, 500, 200, 200, 500));
}

TEST(MockWireFaultTest, ReplyShapesAreWhatTheySay) {
  const struct {
    MockReplyShape shape;
    int status;
    bool whole;
    const char* start;  ///< Of the body.
  } cases[] = {
      {MockReplyShape::kList, 200, true, "[{"},
      {MockReplyShape::kNull, 200, true, "null"},
      {MockReplyShape::kNumber, 200, true, "5"},
      {MockReplyShape::kText, 200, true, "\"x x \""},
      {MockReplyShape::kMissingChoices, 200, true, "{\"created\""},
      {MockReplyShape::kChoicesObject, 200, true, "{\"choices\":{"},
      {MockReplyShape::kMessageText, 200, true,
       "{\"choices\":[{\"finish_reason\":\"length\",\"index\":0,\"message\":\"x x \"}]"},
      {MockReplyShape::kContentList, 200, true,
       "{\"choices\":[{\"finish_reason\":\"length\",\"index\":0,\"message\":{\"content\":[{"},
      {MockReplyShape::kContentNumber, 200, true,
       "{\"choices\":[{\"finish_reason\":\"length\",\"index\":0,\"message\":{\"content\":42"},
      {MockReplyShape::kLoneSurrogate, 200, true,
       "{\"choices\":[{\"finish_reason\":\"length\",\"index\":0,\"message\":{\"content\":\"x "
       "\\udc00\""},
      {MockReplyShape::kNotUtf8, 200, true,
       "{\"choices\":[{\"finish_reason\":\"length\",\"index\":0,\"message\":{\"content\":\"x "
       "\xff\""},
      {MockReplyShape::kTruncated, 200, false, "{\"choices\":[{"},
      {MockReplyShape::kBadStatusLine, 0, false, "{\"choices\":[{"},
      {MockReplyShape::kChunked, 200, true, "{\"choices\":[{"},
      {MockReplyShape::kErrorEvent, 200, true, "data: {\"choices\":[{"},
      {MockReplyShape::kCutStream, 200, true, "data: {\"choices\":[{"},
  };
  for (const auto& c : cases) {
    MockKnobs knobs;
    knobs.serve_time = milliseconds(1);
    knobs.reply_shape = c.shape;
    const RawReply reply = Chat(*StartMock(knobs), ChatBody("p", 2));
    const int shape = static_cast<int>(c.shape);
    EXPECT_EQ(reply.status, c.status) << shape;
    EXPECT_EQ(reply.whole, c.whole) << shape;
    EXPECT_EQ(reply.body.substr(0, std::string_view(c.start).size()), c.start) << shape;
    EXPECT_THAT(reply.body, ::testing::Not(HasSubstr("[DONE]"))) << shape;
    if (c.shape == MockReplyShape::kErrorEvent) {
      EXPECT_THAT(reply.body, HasSubstr("mock stream error"));
    }
    // The native form has no choices to bend; it must come through unharmed.
    EXPECT_EQ(Post(*StartMock(knobs), "/completion", R"({"prompt":"p"})").status, 200);
  }
}

TEST(MockWireFaultTest, ResetAfterBytesResetsInTheBody) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.reset_after_bytes = 20;
  const RawReply reply = Chat(*StartMock(knobs), ChatBody("p"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.whole);
  EXPECT_TRUE(reply.reset);
}

TEST(MockWireFaultTest, RedirectNamesTheLocation) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.redirect_to = "http://127.0.0.1:9/elsewhere";
  const RawReply reply = Chat(*StartMock(knobs), ChatBody("p"));
  EXPECT_EQ(reply.status, 302);
  EXPECT_THAT(reply.head, HasSubstr("\r\nLocation: http://127.0.0.1:9/elsewhere\r\n"));
}

TEST(MockWireFaultTest, OversizeBodyGoesOnUntilTheClientHasEnough) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.oversize_body = true;
  const auto mock = StartMock(knobs);
  RawClient client(mock->port());
  client.Send(PostText("/v1/chat/completions", ChatBody("p", 1, kStream)));
  EXPECT_GE(client.ReadSome(20u << 20).size(), 20u << 20);
}

TEST(MockWireFaultTest, TrickleComesInPiecesAndEndsWithTheServer) {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(1);
  knobs.trickle_bytes_per_s = 10;
  const auto mock = StartMock(knobs);
  RawClient client(mock->port());
  client.Send(PostText("/v1/chat/completions", ChatBody("p")));
  std::string seen;
  while (seen.find("\r\n\r\n{") == std::string::npos) {
    const std::string more = client.ReadSome(1);
    ASSERT_FALSE(more.empty());
    seen += more;
  }
  EXPECT_LT(seen.size(), 300u);
  mock->Stop();
  EXPECT_TRUE(client.ClosedByServer());
}

}  // namespace
}  // namespace bi_test::mock_test
