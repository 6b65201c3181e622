#include "http/chat_reply_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace bi_test::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using Kind = ReplyFault::Kind;
using Outcome = std::variant<ChatReply, ReplyFault>;

Outcome Read(std::string_view bytes, ChatReplyReader::Limits limits = {}) {
  ChatReplyReader reader(limits);
  reader.Feed(bytes);
  return reader.Finish();
}

/// Feeds the bytes in pieces; `next` gives the size of each.
template <typename Next>
Outcome ReadInPieces(std::string_view bytes, Next next) {
  ChatReplyReader reader;
  while (!bytes.empty()) {
    const std::size_t n = std::min<std::size_t>(bytes.size(), next());
    if (!reader.Feed(bytes.substr(0, n))) break;
    bytes.remove_prefix(n);
  }
  return reader.Finish();
}

ChatReply Good(const Outcome& outcome) {
  if (const auto* fault = std::get_if<ReplyFault>(&outcome)) ADD_FAILURE() << fault->text;
  const auto* reply = std::get_if<ChatReply>(&outcome);
  return reply == nullptr ? ChatReply{} : *reply;
}

ReplyFault Bad(const Outcome& outcome) {
  const auto* fault = std::get_if<ReplyFault>(&outcome);
  if (fault == nullptr) ADD_FAILURE() << "no fault: " << std::get<ChatReply>(outcome).content;
  return fault == nullptr ? ReplyFault{} : *fault;
}

/// One event with this delta and, where given, a finish reason.
std::string Delta(const std::string& delta, const std::string& finish = "null") {
  return R"(data: {"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" + finish +
         "}]}\n\n";
}
std::string Text(const std::string& text) { return Delta(R"({"content":")" + text + "\"}"); }
const std::string kStop = Delta("{}", "\"stop\"");
const std::string kDone = "data: [DONE]\n\n";

/// A plain body with this message.
std::string Plain(const std::string& message, const std::string& more = "") {
  return R"({"id":"c","choices":[{"index":0,"message":)" + message + R"(,"finish_reason":"stop")" +
         more + R"(}],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}})";
}

/// The event stream E(t) and the body D(t) of the public reports.
std::string E(const std::string& t) {
  return R"(data: {"choices":[{"index":0,"delta":{"content":")" + t +
         R"("},"finish_reason":"stop"}]})" + "\n\n" + kDone;
}
std::string D(const std::string& t) {
  return Plain(R"({"role":"assistant","content":")" + t + "\"}");
}

struct TextCase {
  const char* name;
  std::string bytes;
  std::string content;
};
void PrintTo(const TextCase& c, std::ostream* out) { *out << c.name; }

class GoodReplies : public ::testing::TestWithParam<TextCase> {};

const TextCase kGoodReplies[] = {
    {"PlainBody", D("ok-0"), "ok-0"},
    {"PlainBodyWithSpaceAroundIt", " \r\n\t" + D("ok-0") + "\n", "ok-0"},
    {"PlainBodyWithByteOrderMark", "\xEF\xBB\xBF" + D("ok-0"), "ok-0"},
    {"PlainBodyWithNullContent", Plain(R"({"content":null})"), ""},
    {"PlainBodyWithoutContent", Plain("{}"), ""},
    {"PlainBodyWithParts",
     Plain(
         R"({"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]})"),
     "ab"},
    {"PlainBodyWithNullsForMissingKeys",
     Plain(R"({"content":"ok-0","tool_calls":null,"reasoning_content":null})",
           R"(,"logprobs":null)"),
     "ok-0"},
    {"PlainBodyFirstOfTwoChoices",
     R"({"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]})", "a"},
    {"Stream", E("ok-0"), "ok-0"},
    {"StreamWithoutSpaceAfterColon",
     "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok-0\"},\"finish_reason\":\"stop\"}]"
     "}"
     "\n\ndata:[DONE]\n\n",
     "ok-0"},
    {"StreamKeepsTheSecondSpace",
     "data:  {\"choices\":[{\"delta\":{\"content\":\" x\"},\"finish_reason\":\"stop\"}]}\n\n",
     " x"},
    {"StreamWithByteOrderMark", "\xEF\xBB\xBF" + E("ok-0"), "ok-0"},
    {"StreamWithLeadingBlankLines", "\n\r\n\n" + E("ok-0"), "ok-0"},
    {"StreamWithComments",
     ":\n\n: keep-alive\n\n" + Text("ok-") + ": keep-alive\n\n" + Text("0") + ":\n\n" + kStop +
         kDone,
     "ok-0"},
    {"StreamWithOtherFields",
     "retry: 10\nid: 7\nevent: message\n" + Text("ok-0") + "unknown: x\n\nnocolon\n\n" + kStop +
         kDone,
     "ok-0"},
    {"StreamWithMultiLineData",
     "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"ok-0\"},\ndata: "
     "\"finish_reason\":\"stop\"}]}\n\n",
     "ok-0"},
    {"StreamWithUsageOnlyEvent",
     Text("ok-0") + kStop +
         "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":3}}\n\n" +
         kDone,
     "ok-0"},
    {"StreamWithRoleNullAndEmptyDeltas",
     Delta(R"({"role":"assistant","content":null})") + Delta(R"({"content":""})") + Delta("{}") +
         Delta("null") + Text("ok-0") + kStop + kDone,
     "ok-0"},
    {"StreamWithProgressEvents",
     "data: {\"prompt_progress\":{\"total\":9,\"processed\":3}}\n\n"
     "data: {\"choices\":[{\"delta\":{}}],\"prompt_progress\":{\"total\":9}}\n\n" +
         E("ok-0"),
     "ok-0"},
    {"StreamWithFinishReasonButNoEndMark", Text("ok-0") + kStop, "ok-0"},
    {"StreamWithEndMarkButNoFinishReason", Text("ok-0") + kDone, "ok-0"},
    {"StreamWithoutLastBlankLine", Text("ok-0") + kStop + "data: [DONE]", "ok-0"},
    {"StreamWhoseLastEventHasNoLineEnd",
     "data: {\"choices\":[{\"delta\":{\"content\":\"ok-0\"},\"finish_reason\":\"stop\"}]}", "ok-0"},
    {"StreamIgnoresWhatFollowsTheEndMark", E("ok-0") + Text("more") + "garbage\n\n{", "ok-0"},
    {"StreamWithSpacesAroundTheEndMark", Text("ok-0") + "data: [DONE] \n\n", "ok-0"},
    {"StreamWithEmptyData", "data:\n\ndata\n\n" + E("ok-0"), "ok-0"},
    {"StreamOfSeveralChoices",
     "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"}},"
     "{\"index\":0,\"delta\":{\"content\":\"ok-0\"}}]}\n\n" +
         kStop,
     "ok-0"},
    {"StreamWithContentParts",
     Delta(R"({"content":[{"type":"text","text":"ok"}]})") + Text("-0") + kStop, "ok-0"},
    {"StreamWithNullError",
     "data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"ok-0\"},\"finish_reason\":"
     "\"stop\"}]}\n\n",
     "ok-0"},
    {"MultiByteCharacters", E("n\xC3\xA9\xF0\x9F\x99\x82"), "n\xC3\xA9\xF0\x9F\x99\x82"},
    {"EscapedCharacters", E(R"(n\u00e9\ud83d\ude42\n)"), "n\xC3\xA9\xF0\x9F\x99\x82\n"},
    {"CharacterCutBetweenDeltas", Text("\xF0\x9F") + Text("\x99\x82") + kStop, "\xF0\x9F\x99\x82"},
    {"SurrogatesCutBetweenDeltas", Text(R"(\ud83d)") + Text(R"(\ude42)") + kStop,
     "\xF0\x9F\x99\x82"},
    {"LoneLowSurrogate", D(R"(ok-0 \udc00)"), "ok-0 \xED\xB0\x80"},
    {"LoneHighSurrogate", D(R"(ok-0 \ud800 x)"), "ok-0 \xED\xA0\x80 x"},
    {"EscapedBackslashBeforeU", D(R"(\\ud800)"), R"(\ud800)"},
    {"BytesThatAreNotUtf8", E("a\xFF\xC0z"), "a\xFF\xC0z"},
    {"ZeroCharacter", E(R"(a\u0000b)"), std::string("a\0b", 3)},
    {"IntegersBeyond64Bits",
     R"({"created":18446744073709551617,"choices":[{"message":{"content":"ok-0"}}]})", "ok-0"},
};

TEST_P(GoodReplies, GiveTheirText) {
  EXPECT_EQ(Good(Read(GetParam().bytes)).content, GetParam().content);
}

TEST_P(GoodReplies, DoNotDependOnWhereTheBytesAreCut) {
  EXPECT_EQ(Good(ReadInPieces(GetParam().bytes, [] { return 1u; })).content, GetParam().content);
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    const auto next = [&] { return std::uniform_int_distribution<std::size_t>(1, 40)(random); };
    EXPECT_EQ(Good(ReadInPieces(GetParam().bytes, next)).content, GetParam().content);
  }
}

TEST_P(GoodReplies, DoNotDependOnTheKindOfLineEnd) {
  for (const std::string_view line_end : {"\r", "\r\n"}) {
    std::string bytes;
    for (const char c : GetParam().bytes) {
      if (c == '\n') {
        bytes += line_end;
      } else if (c != '\r') {
        bytes += c;
      }
    }
    EXPECT_EQ(Good(Read(bytes)).content, GetParam().content);
    EXPECT_EQ(Good(ReadInPieces(bytes, [] { return 1u; })).content, GetParam().content);
  }
}

INSTANTIATE_TEST_SUITE_P(Wire, GoodReplies, ::testing::ValuesIn(kGoodReplies),
                         [](const auto& test) { return test.param.name; });

struct FaultCase {
  const char* name;
  std::string bytes;
  Kind kind;
  std::string text;
};
void PrintTo(const FaultCase& c, std::ostream* out) { *out << c.name; }

class BadReplies : public ::testing::TestWithParam<FaultCase> {};

const FaultCase kBadReplies[] = {
    {"Empty", "", Kind::kMalformed, "the reply is empty"},
    {"OnlySpace", " \n\n", Kind::kMalformed, "the reply is empty"},
    {"Html", "<html>502</html>", Kind::kMalformed,
     "found neither a JSON document nor an event stream at byte 0"},
    {"NaNAsLogprob",
     R"({"choices":[{"message":{"content":"x"},"logprobs":{"content":[{"logprob":NaN}]}}]})",
     Kind::kMalformed, "invalid JSON at byte 73: no JSON value"},
    {"NumberBeyondDouble", R"({"choices":[{"message":{"content":"x"}}],"x":1e400})",
     Kind::kMalformed, "invalid JSON at byte 45: the number is too big for a double"},
    {"NaNInAStream",
     Text("a") +
         "data: {\"choices\":[{\"delta\":{},\"logprobs\":{\"content\":[{\"logprob\":NaN}]}}]}\n\n",
     Kind::kMalformed,
     "invalid JSON at byte " + std::to_string(Text("a").size() + 64) + ": no JSON value"},
    {"SecondLineOfMultiLineData", "data: {\"a\":\ndata: x}\n\n", Kind::kMalformed,
     "invalid JSON at byte 18: no JSON value"},
    {"CutPlainBody", D("ok-0").substr(0, 40), Kind::kMalformed,
     "invalid JSON at byte 40: a string without its end"},
    {"TrailingGarbage", D("ok-0") + "x", Kind::kMalformed,
     "invalid JSON at byte " + std::to_string(D("ok-0").size()) +
         ": something follows the document"},
    {"ZeroByteAfterTheDocument", D("ok-0") + std::string(1, '\0'), Kind::kMalformed,
     "invalid JSON at byte " + std::to_string(D("ok-0").size()) + ": a zero byte"},
    {"TooDeep", std::string(100'000, '['), Kind::kMalformed,
     "invalid JSON at byte 64: nested deeper than 64 levels"},
    {"Array", "[]", Kind::kMalformed, "the reply: found an array, expected an object"},
    {"NoChoices", "{}", Kind::kMalformed,
     "choices: missing, expected an array with at least one element"},
    {"NullChoices", R"({"choices":null})", Kind::kMalformed,
     "choices: missing, expected an array with at least one element"},
    {"EmptyChoices", R"({"choices":[]})", Kind::kMalformed,
     "choices: found an empty array, expected an array with at least one element"},
    {"ChoicesAsText", R"({"choices":"x"})", Kind::kMalformed,
     "choices: found a text, expected an array with at least one element"},
    {"ChoiceAsText", R"({"choices":["x"]})", Kind::kMalformed,
     "choices[0]: found a text, expected an object"},
    {"NoMessage", R"({"choices":[{}]})", Kind::kMalformed,
     "choices[0].message: missing, expected an object"},
    {"MessageAsText", R"({"choices":[{"message":"x"}]})", Kind::kMalformed,
     "choices[0].message: found a text, expected an object"},
    {"ContentAsNumber", Plain(R"({"content":5})"), Kind::kMalformed,
     "choices[0].message.content: found a number, expected a text, null or an array of parts"},
    {"ContentPartAsText", Plain(R"({"content":["x"]})"), Kind::kMalformed,
     "choices[0].message.content: found a text, expected a part that is an object"},
    {"FinishReasonAsNumber", R"({"choices":[{"message":{},"finish_reason":1}]})", Kind::kMalformed,
     "finish_reason: found a number, expected a text or null"},
    {"ErrorOfOlderVllmAndSglang",
     R"({"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400})",
     Kind::kErrorObject, "the server sent an error: too long, type BadRequestError, code 400"},
    {"ErrorOfVllmInAStream",
     Text("ok") +
         "data: {\"error\":{\"message\":\"engine dead\",\"type\":"
         "\"InternalServerError\",\"param\":null,\"code\":500}}\n\n" +
         kDone,
     Kind::kErrorObject,
     "the server sent an error: engine dead, type InternalServerError, code 500"},
    {"DetailOfAWebFramework", R"({"detail":"Not Found"})", Kind::kMalformed,
     "choices: missing, expected an array with at least one element"},
    {"InfiniteLogprob",
     R"({"choices":[{"message":{"content":"x"},"logprobs":{"content":[{"logprob":-Infinity}]}}]})",
     Kind::kMalformed, "invalid JSON at byte 74: no JSON value"},
    {"LogprobAsText", Plain("{}", R"(,"logprobs":{"content":[{"logprob":"-1"}]})"),
     Kind::kMalformed, "logprobs.content.logprob: found a text, expected a number or null"},
    {"ContentTwice", Plain(R"({"content":"a","content":"b"})"), Kind::kMalformed,
     "the key \"content\" stands twice in one object"},
    {"DeltaAsText", Delta("\"x\""), Kind::kMalformed,
     "choices[0].delta: found a text, expected an object (event at byte 6)"},
    {"ErrorObject",
     R"({"error":{"code":500,"message":"Invalid input batch.","type":"server_error"}})",
     Kind::kErrorObject,
     "the server sent an error: Invalid input batch., type server_error, code 500"},
    {"ErrorString", R"({"error":"server busy"})", Kind::kErrorObject,
     "the server sent an error: server busy"},
    {"ErrorBesideChoices", R"({"choices":[{"message":{"content":"x"}}],"error":{"message":"m"}})",
     Kind::kErrorObject, "the server sent an error: m"},
    {"ErrorAsObjectType", R"({"object":"error","message":"no","type":"BadRequest","code":400})",
     Kind::kErrorObject, "the server sent an error: no, type BadRequest, code 400"},
    {"ErrorObjectThenEndMark", "data: {\"error\":{\"message\":\"quota exceeded\"}}\n\n" + kDone,
     Kind::kErrorObject, "the server sent an error: quota exceeded"},
    {"ErrorStringInAStream", "data: {\"error\":\"STREAM_EXPLODED\"}\n\n", Kind::kErrorObject,
     "the server sent an error: STREAM_EXPLODED"},
    {"ErrorAfterSomeText", Text("ok") + "data: {\"error\":{\"message\":\"m\"}}\n\n" + kDone,
     Kind::kErrorObject, "the server sent an error: m"},
    {"ErrorAfterTheFinishReason", Text("ok") + kStop + "data: {\"error\":\"m\"}\n\n",
     Kind::kErrorObject, "the server sent an error: m"},
    {"ErrorEvent", "event: error\ndata: {\"message\":\"m\"}\n\n" + kDone, Kind::kErrorObject,
     "the server sent an error: {\"message\":\"m\"}"},
    {"ErrorField", "error: {\"code\":500}\n\n", Kind::kErrorObject,
     "the server sent an error: {\"code\":500}"},
    {"ErrorTextIsMadePrintable", R"({"error":"a\u001b[31m\u0000\nb"})", Kind::kErrorObject,
     "the server sent an error: a\\x1b[31m\\x00\\x0ab"},
    {"StreamThatJustEnds", Text("ok"), Kind::kCutShort,
     "the stream ends after " + std::to_string(Text("ok").size()) +
         " bytes without finish_reason and without [DONE]"},
    {"StreamOfCommentsOnly", ":\n\n:\n\n", Kind::kCutShort,
     "the stream ends after 6 bytes without finish_reason and without [DONE]"},
    {"StreamCutInsideAnEvent", Text("ok") + Text("more").substr(0, 30), Kind::kCutShort,
     "the stream ends inside an event, after " + std::to_string(Text("ok").size() + 30) + " bytes"},
    {"StreamCutInsideTheUsage", Text("ok") + kStop + "data: {\"usage\":{\"prom", Kind::kCutShort,
     "the stream ends inside an event, after " + std::to_string((Text("ok") + kStop).size() + 21) +
         " bytes"},
    {"OnlyTheEndMark", kDone, Kind::kMalformed, "the stream ends without any choice"},
};

TEST_P(BadReplies, SayWhatIsWrong) {
  const ReplyFault fault = Bad(Read(GetParam().bytes));
  EXPECT_EQ(fault.text, GetParam().text);
  EXPECT_EQ(static_cast<int>(fault.kind), static_cast<int>(GetParam().kind));
}

TEST_P(BadReplies, DoNotDependOnWhereTheBytesAreCut) {
  const ReplyFault fault = Bad(ReadInPieces(GetParam().bytes, [] { return 1u; }));
  EXPECT_EQ(fault.text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Wire, BadReplies, ::testing::ValuesIn(kBadReplies),
                         [](const auto& test) { return test.param.name; });

TEST(ChatReply, HasTheFiguresOfALlamaCppStream) {
  const std::string entry0 =
      R"({"id":11,"token":"o","bytes":[111],"logprob":-0.25,"top_logprobs":[{"id":11,"logprob":-0.25},{"id":12,"logprob":-1.5}]})";
  const std::string entry1 =
      R"({"id":13,"token":"k","bytes":[107],"logprob":-0.5,"top_logprobs":[{"id":14,"logprob":-2},{"id":13,"logprob":-0.5}]})";
  const ChatReply reply = Good(Read(
      R"(data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"model":"m","system_fingerprint":"b1"})"
      "\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"o\"},\"logprobs\":{\"content\":[" +
      entry0 +
      "]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"k\"},\"logprobs\":{\"content\":[" +
      entry1 +
      "]}}]}\n\ndata: "
      "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}],\"timings\":{\"cache_n\":2,"
      "\"prompt_n\":7,\"prompt_ms\":1.5,\"predicted_n\":3,\"predicted_ms\":2.25}}\n\n" +
      kDone));
  EXPECT_EQ(reply.content, "ok");
  EXPECT_THAT(reply.finish_reason, Optional(std::string("length")));
  EXPECT_THAT(reply.token_ids, Optional(ElementsAre(11, 13)));
  EXPECT_THAT(reply.logprobs, Optional(ElementsAre(-0.25, -0.5)));
  EXPECT_THAT(reply.margins, Optional(ElementsAre(1.25, 1.5)));
  EXPECT_EQ(reply.prompt_tokens, 9);
  EXPECT_EQ(reply.completion_tokens, 3);
  EXPECT_EQ(reply.cached_tokens, 2);
  EXPECT_EQ(reply.prompt_ms, 1.5);
  EXPECT_EQ(reply.predicted_ms, 2.25);
  EXPECT_EQ(reply.model, "m");
  EXPECT_EQ(reply.system_fingerprint, "b1");
  EXPECT_EQ(reply.slot, std::nullopt);
}

TEST(ChatReply, ReadsTheStreamOfATextCompletionOfLlamaCpp) {
  const ChatReply reply = Good(Read(
      R"(data: {"choices":[{"text":"Hel","index":0,"logprobs":{"content":[{"id":5,"token":"Hel",)"
      R"("logprob":-0.5,"top_logprobs":[{"id":5,"logprob":-0.5},{"id":6,"logprob":-2.0}]}]},)"
      R"("finish_reason":null}],"object":"text_completion"})"
      "\n\n"
      R"(data: {"choices":[{"text":"lo","index":0,"logprobs":{"content":[{"id":7,"token":"lo",)"
      R"("logprob":-1.0,"top_logprobs":[{"id":7,"logprob":-1.0},{"id":8,"logprob":-1.25}]}]},)"
      R"("finish_reason":null}]})"
      "\n\n"
      R"(data: {"choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"length"}],)"
      R"("usage":{"completion_tokens":2,"prompt_tokens":3},"__verbose":{"id_slot":1}})"
      "\n\n" +
      kDone));
  EXPECT_EQ(reply.content, "Hello");
  EXPECT_THAT(reply.token_ids, Optional(ElementsAre(5, 7)));
  EXPECT_THAT(reply.logprobs, Optional(ElementsAre(-0.5, -1.0)));
  EXPECT_THAT(reply.margins, Optional(ElementsAre(1.5, 0.25)));
  EXPECT_THAT(reply.finish_reason, Optional(std::string("length")));
  EXPECT_THAT(reply.slot, Optional(1));
}

TEST(ChatReply, ReadsTheArraysOfATextCompletionOfVllm) {
  const std::string body =
      R"({"choices":[{"index":0,"text":"ab","finish_reason":"stop","logprobs":{"text_offset":[0,1],)"
      R"("tokens":["token_id:5","token_id:7"],"token_logprobs":[-0.5,-1.0],)"
      R"("top_logprobs":[{"token_id:5":-0.5,"token_id:6":-2.0,"token_id:9":-9999.0},)"
      R"({"token_id:7":-1.0,"token_id:8":-1.25}]}}]})";
  const ChatReply reply = Good(Read(body));
  EXPECT_EQ(reply.content, "ab");
  EXPECT_THAT(reply.token_ids, Optional(ElementsAre(5, 7)));
  EXPECT_THAT(reply.logprobs, Optional(ElementsAre(-0.5, -1.0)));
  EXPECT_THAT(reply.margins, Optional(ElementsAre(1.5, 0.25)));
  EXPECT_EQ(Good(Read("data: " + body + "\n\n" + kDone)).content, "ab");
}

struct TextLogprobs {
  const char* name;
  const char* json;
  bool ids, logprobs, margins;
};

TEST(ChatReply, OddArraysOfATextCompletionSayNoMoreThanTheyHold) {
  const TextLogprobs cases[] = {
      {"no tokens", R"({"token_logprobs":[-1]})", false, true, false},
      {"fewer tokens", R"({"tokens":["token_id:5"],"token_logprobs":[-1,-2]})", false, true, false},
      {"plain tokens", R"({"tokens":["a"],"token_logprobs":[-1]})", false, true, false},
      {"a hole", R"({"tokens":["token_id:5"],"token_logprobs":[null]})", true, false, false},
      {"alternatives that are no objects", R"({"token_logprobs":[-1],"top_logprobs":[3]})", false,
       true, false},
      {"one alternative", R"({"token_logprobs":[-1],"top_logprobs":[{"a":-1}]})", false, true,
       false},
      {"two alternatives", R"({"token_logprobs":[-1],"top_logprobs":[{"a":-1,"b":-3}]})", false,
       true, true},
      {"nothing", R"({"token_logprobs":null,"content":null})", false, false, false},
  };
  for (const TextLogprobs& c : cases) {
    const ChatReply reply =
        Good(Read(R"({"choices":[{"text":"a","finish_reason":"stop","logprobs":)" +
                  std::string(c.json) + "}]}"));
    EXPECT_EQ(reply.token_ids.has_value(), c.ids) << c.name;
    EXPECT_EQ(reply.logprobs.has_value(), c.logprobs) << c.name;
    EXPECT_EQ(reply.margins.has_value(), c.margins) << c.name;
  }
}

TEST(ChatReply, ATextCompletionOfAnotherShapeIsAFault) {
  EXPECT_EQ(Bad(Read(R"({"choices":[{"text":5}]})")).text,
            "choices[0].text: found a number, expected a text or null");
  EXPECT_EQ(Bad(Read(R"({"choices":[{"text":"a","logprobs":{"token_logprobs":{}}}]})")).text,
            "logprobs.token_logprobs: found an object, expected an array or null");
  EXPECT_EQ(Bad(Read(R"({"choices":[{"text":"a","logprobs":{"token_logprobs":["x"]}}]})")).text,
            "logprobs.token_logprobs: found a text, expected numbers or null");
}

TEST(ChatReply, TakesTokenIdsOfVllmFromTheDeltas) {
  const ChatReply reply = Good(
      Read("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"token_ids\":[1,2]}]}\n\n"
           "data: {\"choices\":[{\"delta\":{\"token_ids\":[3]},\"finish_reason\":\"stop\"}]}\n\n"));
  EXPECT_THAT(reply.token_ids, Optional(ElementsAre(1, 2, 3)));
  EXPECT_EQ(reply.logprobs, std::nullopt);
}

TEST(ChatReply, PrefersUsageAndTheLargerCachedFigure) {
  const ChatReply reply = Good(Read(
      R"({"choices":[{"message":{"content":"x"}}],"id_slot":3,"usage":{"prompt_tokens":9007199254740993,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":0}},"timings":{"cache_n":4,"prompt_n":1,"predicted_n":9}})"));
  EXPECT_EQ(reply.prompt_tokens, 9007199254740993);
  EXPECT_EQ(reply.completion_tokens, 3);
  EXPECT_EQ(reply.cached_tokens, 4);
  EXPECT_EQ(reply.slot, 3);
}

TEST(ChatReply, LeavesFiguresOfAWrongKindOut) {
  const ChatReply reply = Good(Read(
      R"({"choices":[{"message":{"content":"x"}}],"id_slot":-1,"usage":{"prompt_tokens":18446744073709551617,"completion_tokens":"3"},"timings":{"prompt_ms":"1"}})"));
  EXPECT_EQ(reply.prompt_tokens, std::nullopt);
  EXPECT_EQ(reply.completion_tokens, std::nullopt);
  EXPECT_EQ(reply.prompt_ms, std::nullopt);
  EXPECT_EQ(reply.slot, std::nullopt);
}

TEST(ChatReply, LogprobsWithAHoleAreAbsent) {
  const ChatReply reply =
      Good(Read(Plain(R"({"content":"ab"})",
                      R"(,"logprobs":{"content":[{"id":1,"logprob":-1},{"logprob":null}]})")));
  EXPECT_EQ(reply.logprobs, std::nullopt);
  EXPECT_EQ(reply.token_ids, std::nullopt);
  EXPECT_EQ(reply.margins, std::nullopt);
}

/// Log-probability entries of one token in the shapes of several servers.
struct EntryCase {
  const char* name;
  const char* entry;
  std::optional<std::int64_t> id;
  std::optional<double> logprob, margin;
};
void PrintTo(const EntryCase& c, std::ostream* out) { *out << c.name; }

class LogprobEntry : public ::testing::TestWithParam<EntryCase> {};

TEST_P(LogprobEntry, GivesWhatItSaysAndNoMore) {
  const ChatReply reply = Good(Read(Plain(
      R"({"content":"a"})", R"(,"logprobs":{"content":[)" + std::string(GetParam().entry) + "]}")));
  const auto first = [](const auto& list) {
    using Value = typename std::decay_t<decltype(*list)>::value_type;
    return list && list->size() == 1 ? std::optional<Value>(list->front()) : std::nullopt;
  };
  EXPECT_EQ(first(reply.token_ids), GetParam().id);
  EXPECT_EQ(first(reply.logprobs), GetParam().logprob);
  EXPECT_EQ(first(reply.margins), GetParam().margin);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LogprobEntry,
    ::testing::Values(
        EntryCase{"LlamaCpp", R"({"id":7,"token":"a","logprob":-0.5})", 7, -0.5, {}},
        EntryCase{"OpenAi", R"({"token":"a","bytes":[97],"logprob":-0.5})", {}, -0.5, {}},
        EntryCase{"VllmIdAsToken", R"({"token":"token_id:42","logprob":-0.5})", 42, -0.5, {}},
        EntryCase{"TokenIdAsKey", R"({"token":"a","token_id":9,"logprob":-0.5})", 9, -0.5, {}},
        EntryCase{"OwnIdCountsFirst", R"({"id":7,"token":"token_id:42","logprob":0})", 7, 0, {}},
        EntryCase{"PrefixWithoutNumber", R"({"token":"token_id:","logprob":-1})", {}, -1, {}},
        EntryCase{"PrefixWithJunk", R"({"token":"token_id:4x","logprob":-1})", {}, -1, {}},
        EntryCase{"NegativeId", R"({"token":"token_id:-4","logprob":-1})", {}, -1, {}},
        EntryCase{"IdBeyondSixtyFourBits",
                  R"({"token":"token_id:99999999999999999999","logprob":-1})",
                  {},
                  -1,
                  {}},
        EntryCase{"TokenThatIsNoText", R"({"token":5,"logprob":-1})", {}, -1, {}},
        EntryCase{"Null", R"({"id":7,"logprob":null})", 7, {}, {}},
        EntryCase{"Missing", R"({"id":7})", 7, {}, {}},
        EntryCase{"Sentinel", R"({"id":7,"logprob":-9999.0})", 7, -9999.0, {}},
        EntryCase{"Margin",
                  R"({"id":7,"logprob":-1,"top_logprobs":[{"logprob":-1},{"logprob":-1.5}]})", 7,
                  -1, 0.5},
        EntryCase{"NoMarginToTheSentinel",
                  R"({"id":7,"logprob":-1,"top_logprobs":[{"logprob":-1},{"logprob":-9999.0}]})",
                  7,
                  -1,
                  {}},
        EntryCase{"MarginBesideTheSentinel",
                  R"({"id":7,"logprob":-1,
                      "top_logprobs":[{"logprob":-9999.0},{"logprob":-1},{"logprob":-3}]})",
                  7, -1, 2}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ChatReply, ReadsTheTruncatedMarkOfTheVerboseObject) {
  EXPECT_TRUE(
      Good(Read(R"({"choices":[{"message":{}}],"__verbose":{"truncated":true,"id_slot":2}})"))
          .truncated);
}

TEST(ChatReply, JoinsReasoningOfEitherName) {
  EXPECT_THAT(
      Good(Read(Delta(R"({"reasoning_content":"a"})") + Delta(R"({"reasoning":"b"})") + kStop))
          .reasoning_content,
      Optional(std::string("ab")));
  EXPECT_EQ(Good(Read(E("x"))).reasoning_content, std::nullopt);
}

TEST(ChatReply, JoinsToolCallsByIndexAndDropsTheirRandomIds) {
  const std::string streamed =
      Delta(
          R"({"tool_calls":[{"index":1,"id":"q","type":"function","function":{"name":"g","arguments":"{}"}}]})") +
      Delta(
          R"({"tool_calls":[{"index":0,"id":"r","type":"function","function":{"name":"f","arguments":"{\"a\""}}]})") +
      Delta(R"({"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]})") + kStop;
  const std::string plain = Plain(
      R"({"content":null,"tool_calls":[{"id":"s","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"t","type":"function","function":{"name":"g","arguments":"{}"}}]})");
  const Json expected = Json::Array{
      Json::Object{{"type", "function"},
                   {"function", Json::Object{{"name", "f"}, {"arguments", "{\"a\":1}"}}}},
      Json::Object{{"type", "function"},
                   {"function", Json::Object{{"name", "g"}, {"arguments", "{}"}}}}};
  EXPECT_EQ(Good(Read(streamed)).tool_calls, expected);
  EXPECT_EQ(Good(Read(plain)).tool_calls, expected);
}

TEST(ChatReply, SeesTheFirstOutputNotTheRole) {
  ChatReplyReader reader;
  EXPECT_TRUE(reader.Feed(Delta(R"({"role":"assistant","content":null})")));
  EXPECT_TRUE(reader.Feed(Delta(R"({"content":""})")));
  EXPECT_FALSE(reader.saw_output());
  const std::string text = Text("o");
  EXPECT_TRUE(reader.Feed(text.substr(0, text.size() - 1)));
  EXPECT_FALSE(reader.saw_output());
  EXPECT_TRUE(reader.Feed("\n"));
  EXPECT_TRUE(reader.saw_output());
}

TEST(ChatReply, FeedSaysWhenReadingOnIsPointless) {
  ChatReplyReader reader;
  EXPECT_FALSE(reader.Feed("data: {\"error\":\"m\"}\n\n"));
  EXPECT_FALSE(reader.Feed(kDone));
  EXPECT_EQ(Bad(reader.Finish()).kind, Kind::kErrorObject);
}

TEST(ChatReply, HasLimits) {
  ChatReplyReader::Limits limits;
  limits.max_bytes = 1000;
  limits.max_line = 200;
  limits.max_tokens = 2;
  EXPECT_EQ(Bad(Read(D(std::string(1000, 'x')), limits)).text,
            "the reply has more than the allowed 1000 bytes");
  EXPECT_EQ(Bad(Read("data: " + std::string(300, 'x'), limits)).text,
            "a line of the stream has more than the allowed 200 bytes");
  const std::string tokens = "data: {\"choices\":[{\"token_ids\":[1,2]}]}\n\n";
  EXPECT_THAT(Good(Read(tokens + kStop, limits)).token_ids, Optional(ElementsAre(1, 2)));
  const ReplyFault fault = Bad(Read(tokens + tokens + kStop, limits));
  EXPECT_EQ(fault.kind, Kind::kTooManyTokens);
  EXPECT_THAT(fault.text, HasSubstr("more than 2 tokens"));
}

TEST(ChatReply, LimitsTheNumberOfToolCalls) {
  std::string bytes;
  for (int i = 0; i < 1025; ++i) {
    bytes += Delta(R"({"tool_calls":[{"index":)" + std::to_string(i) + "}]}");
  }
  EXPECT_EQ(Bad(Read(bytes + kStop)).kind, Kind::kTooLarge);
}

}  // namespace
}  // namespace bi_test::http
