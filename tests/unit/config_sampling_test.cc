#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "config/worksets/row_sampling.h"
#include "config/worksets/workset.h"
#include "support/sweep_folder.h"

namespace bi_test::config {
namespace {

using test_support::SweepFolder;
using ::testing::HasSubstr;

/// The rows of a file, or the text of its mistakes without the folder's name.
Result<Workset> Load(std::string_view content, const std::string& name = "w.json") {
  const SweepFolder folder;
  folder.Write(name, content);
  Result<Workset> workset = LoadWorkset(folder.path() / name);
  if (workset.ok()) return workset;
  std::string text = workset.error().Text();
  const std::string prefix = folder.path().string() + "/";
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return Error{ErrorCode::kInvalidFile, text, {}};
}

std::string Mistake(std::string_view content) {
  const Result<Workset> workset = Load(content);
  return workset.ok() ? "loaded" : workset.error().Text();
}

struct Case {
  const char* name;
  const char* json;
  const char* text;
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }
std::string NameOf(const ::testing::TestParamInfo<Case>& test) { return test.param.name; }

class SamplingMistake : public ::testing::TestWithParam<Case> {};

TEST_P(SamplingMistake, NamesTheKeyAndWhatIsAllowed) {
  EXPECT_EQ(Mistake("[{\"item\":\"a\",\"sampling\":" + std::string(GetParam().json) + "}]"),
            "w.json: row 0: sampling" + std::string(GetParam().text));
}

#define GREEDY                                                                                \
  "allowed: no randomness: every request is greedy, because with random sampling the serial " \
  "answers would differ already"
#define PENALTY                                                                                 \
  "allowed: no penalties: they are off in every request, and not every server applies them to " \
  "a greedy one"
#define RUN_WIDE \
  "allowed: the same for all rows: run.n_probs of the sweep file asks for log-probabilities"
#define FORMATS                                                                             \
  "allowed: {type: text}, {type: json_object}, or {type: json_schema, json_schema: {name: " \
  "..., schema: {...}}}"
#define TOOL "allowed: {type: function, function: {name: ..., description: ..., parameters: {...}}}"
#define CHOICE "allowed: auto, none, required, or {type: function, function: {name: one of tools}}"
#define ONE_TOOL R"("tools":[{"type":"function","function":{"name":"f"}}])"

INSTANTIATE_TEST_SUITE_P(
    All, SamplingMistake,
    ::testing::Values(
        Case{"NoMapping", "[1]",
             ": found an array, allowed: a mapping of max_tokens, seed, stop, logit_bias, "
             "response_format, json_schema, grammar, tools, tool_choice, parallel_tool_calls"},
        Case{"UnknownKey", R"({"max_token":1})",
             ".max_token: found an unknown key, allowed: max_tokens, seed, stop, logit_bias, "
             "response_format, json_schema, grammar, tools, tool_choice, parallel_tool_calls (did "
             "you mean \"max_tokens\"?)"},
        Case{"UnknownKeyWithoutANearOne", R"({"colour":1})",
             ".colour: found an unknown key, allowed: max_tokens, seed, stop, logit_bias, "
             "response_format, json_schema, grammar, tools, tool_choice, parallel_tool_calls"},
        Case{"Temperature", R"({"temperature":0.7})", ".temperature: found 0.7, " GREEDY},
        Case{"TemperatureZeroToo", R"({"temperature":0})", ".temperature: found 0, " GREEDY},
        Case{"TopK", R"({"top_k":40})", ".top_k: found 40, " GREEDY},
        Case{"Samplers", R"({"samplers":["top_p"]})", ".samplers: found an array, " GREEDY},
        Case{"Penalty", R"({"presence_penalty":1})", ".presence_penalty: found 1, " PENALTY},
        Case{"Stream", R"({"stream":false})",
             ".stream: found false, allowed: one streamed answer per request"},
        Case{"Cache", R"({"cache_prompt":true})",
             ".cache_prompt: found true, allowed: no prompt caches: they are off in every arm, "
             "because they change results without any batching"},
        Case{"Logprobs", R"({"logprobs":true})", ".logprobs: found true, " RUN_WIDE},
        Case{"IgnoreEos", R"({"ignore_eos":true})",
             ".ignore_eos: found true, allowed: the same for all rows: run.ignore_eos of the sweep "
             "file"},
        Case{"Slot", R"({"id_slot":1})",
             ".id_slot: found 1, allowed: the slot that the server chooses"},
        Case{"OtherNameOfTheLength", R"({"n_predict":1})",
             ".n_predict: found 1, allowed: max_tokens, which every kind of server knows"},
        Case{"MessagesInside", R"({"messages":[]})",
             ".messages: found an array, allowed: a key of the row itself, beside sampling"},
        Case{"NoTokens", R"({"max_tokens":0})",
             ".max_tokens: found 0, allowed: an integer from 1 to 1000000"},
        Case{"TooManyTokens", R"({"max_tokens":1000001})",
             ".max_tokens: found 1000001, allowed: an integer from 1 to 1000000"},
        Case{"TokensAsReal", R"({"max_tokens":1.0})",
             ".max_tokens: found 1.0, allowed: an integer from 1 to 1000000"},
        Case{"SeedOf32Bits", R"({"seed":2147483648})",
             ".seed: found 2147483648, allowed: an integer from 0 to 2147483647"},
        Case{"NegativeSeed", R"({"seed":-1})",
             ".seed: found -1, allowed: an integer from 0 to 2147483647"},
        Case{"SeedAsText", R"({"seed":"1"})",
             ".seed: found \"1\", allowed: an integer from 0 to 2147483647"},
        Case{"EmptyStop", R"({"stop":""})", ".stop: found \"\", allowed: a text of 1 to 256 bytes"},
        Case{"NoStops", R"({"stop":[]})", ".stop: found 0 texts, allowed: 1 to 16 texts"},
        Case{"ManyStops",
             R"({"stop":["1","2","3","4","5","6","7","8","9","a","b","c","d","e","f","g","h"]})",
             ".stop: found 17 texts, allowed: 1 to 16 texts"},
        Case{"StopOfAnotherKind", R"({"stop":["a",5]})",
             ".stop[1]: found 5, allowed: a text of 1 to 256 bytes"},
        Case{"BiasesOfAnotherKind", R"({"logit_bias":[[1,2]]})",
             ".logit_bias: found an array, allowed: 1 to 1024 members, each the id of a token with "
             "a number from -100 to 100"},
        Case{"BiasOfAWord", R"({"logit_bias":{"the":1}})",
             ".logit_bias: found the token \"the\", allowed: 1 to 1024 members, each the id of a "
             "token with a number from -100 to 100"},
        Case{"BiasWithTwoSpellings", R"({"logit_bias":{"07":1}})",
             ".logit_bias: found the token \"07\", allowed: 1 to 1024 members, each the id of a "
             "token with a number from -100 to 100"},
        Case{"BiasOutOfRange", R"({"logit_bias":{"7":100.5}})",
             ".logit_bias.7: found 100.5, allowed: a number from -100 to 100"},
        Case{"BiasAsWord", R"({"logit_bias":{"7":false}})",
             ".logit_bias.7: found false, allowed: a number from -100 to 100"},
        Case{"EmptyGrammar", R"({"grammar":""})",
             ".grammar: found \"\", allowed: a GBNF grammar, a text that is not empty"},
        Case{"SchemaAsText", R"({"json_schema":"{}"})",
             ".json_schema: found \"{}\", allowed: a JSON schema, a mapping"},
        Case{"FormatWithoutType", R"({"response_format":{}})",
             ".response_format: found an object, " FORMATS},
        Case{"UnknownFormat", R"({"response_format":{"type":"xml"}})",
             ".response_format: found \"xml\", " FORMATS},
        Case{"FormatWithMore", R"({"response_format":{"type":"text","x":1}})",
             ".response_format: found \"text\", " FORMATS},
        Case{"FormatWithoutSchema",
             R"({"response_format":{"type":"json_schema","json_schema":{"name":"n"}}})",
             ".response_format: found \"json_schema\", " FORMATS},
        Case{"TwoShapes", R"({"grammar":"root ::= \"a\"","json_schema":{}})",
             ": found grammar and json_schema, allowed: one of grammar, json_schema, "
             "response_format"},
        Case{"NoTools", R"({"tools":[]})",
             ".tools: found 0 tools, allowed: a list of 1 to 128 tools"},
        Case{"ToolWithoutName", R"({"tools":[{"type":"function","function":{}}]})",
             ".tools[0]: found an object, " TOOL},
        Case{"ToolWithABadName", R"({"tools":[{"type":"function","function":{"name":"a b"}}]})",
             ".tools[0]: found an object, " TOOL},
        Case{"ToolWithAnotherKey",
             R"({"tools":[{"type":"function","function":{"name":"f"},"strict":true}]})",
             ".tools[0]: found an object, " TOOL},
        Case{"ToolOfAnotherType", R"({"tools":[{"type":"web","function":{"name":"f"}}]})",
             ".tools[0]: found an object, " TOOL},
        Case{"ToolTwice",
             R"({"tools":[{"type":"function","function":{"name":"f"}},)"
             R"({"type":"function","function":{"name":"f"}}]})",
             ".tools[1]: found a second tool named \"f\", allowed: one tool of each name"},
        Case{"ChoiceWithoutTools", R"({"tool_choice":"auto"})",
             ".tool_choice: found no tools beside it, allowed: with tools only"},
        Case{"UnknownChoice", R"({"tool_choice":"any",)" ONE_TOOL "}",
             ".tool_choice: found \"any\", " CHOICE},
        Case{"ChoiceOfAnotherTool",
             R"({"tool_choice":{"type":"function","function":{"name":"g"}},)" ONE_TOOL "}",
             ".tool_choice: found \"g\", " CHOICE},
        Case{"ParallelCallsAsNumber", R"({"parallel_tool_calls":1,)" ONE_TOOL "}",
             ".parallel_tool_calls: found 1, allowed: true or false"},
        Case{"ToolsAndAGrammar", R"({"grammar":"root ::= \"a\"",)" ONE_TOOL "}",
             ".tools: found grammar beside tools, allowed: either tools or a shape of the answer"}),
    NameOf);

class RowMistake : public ::testing::TestWithParam<Case> {};

TEST_P(RowMistake, NamesTheKeyAndWhatIsAllowed) {
  EXPECT_EQ(Mistake("[" + std::string(GetParam().json) + "]"),
            "w.json: row 0: " + std::string(GetParam().text));
}

#define MESSAGE "allowed: {role: ..., content: ...} with role system, developer, user or assistant"

INSTANTIATE_TEST_SUITE_P(
    All, RowMistake,
    ::testing::Values(
        Case{"ItemAndMessages", R"({"item":"a","messages":[{"role":"user","content":"b"}]})",
             "item: found item and messages, allowed: one of item, messages, completion"},
        Case{"AllThree", R"({"prompt":"a","messages":[],"completion":"c"})",
             "prompt: found prompt and messages and completion, allowed: one of item, messages, "
             "completion"},
        Case{"EmptyCompletion", R"({"completion":""})",
             "completion: found \"\", allowed: the prompt, a text that is not empty"},
        Case{"SystemOfACompletion", R"({"completion":"a","system":"s"})",
             "system: found system beside completion, allowed: with item only: a plain completion "
             "has no roles"},
        Case{"SystemBesideMessages", R"({"messages":[{"role":"user","content":"b"}],"system":"s"})",
             "system: found system beside messages, allowed: with item only: put it into messages"},
        Case{"MessagesOfAnotherKind", R"({"messages":"a"})",
             "messages: found \"a\", allowed: a list of 1 to 1000 messages"},
        Case{"NoMessages", R"({"messages":[]})",
             "messages: found 0 messages, allowed: a list of 1 to 1000 messages"},
        Case{"MessageAsText", R"({"messages":["a"]})", "messages[0]: found \"a\", " MESSAGE},
        Case{"MessageWithMore", R"({"messages":[{"role":"user","content":"b","name":"n"}]})",
             "messages[0]: found an object, " MESSAGE},
        Case{"MessageWithoutContent", R"({"messages":[{"role":"user","text":"b"}]})",
             "messages[0]: found an object, " MESSAGE},
        Case{"UnknownRole", R"({"messages":[{"role":"tool","content":"b"}]})",
             "messages[0].role: found \"tool\", allowed: system, developer, user, assistant"},
        Case{"EmptyContent", R"({"messages":[{"role":"user","content":""}]})",
             "messages[0].content: found \"\", allowed: a text that is not empty"},
        Case{"ContentInParts", R"({"messages":[{"role":"user","content":["b"]}]})",
             "messages[0].content: found an array, allowed: a text that is not empty"},
        Case{"LastWordOfTheAssistant",
             R"({"messages":[{"role":"user","content":"b"},{"role":"assistant","content":"c"}]})",
             "messages: found a last message of role assistant, allowed: a last message of role "
             "user"},
        Case{"ToolsOfACompletion", R"({"completion":"a","sampling":{)" ONE_TOOL "}}",
             "sampling.tools: found tools of a plain completion, allowed: with item or messages "
             "only"}),
    NameOf);

TEST(RowSampling, IsReadIntoItsCanonicalForm) {
  const Result<Workset> workset = Load(
      R"([{"item":"a","sampling":{"stop":"x","seed":null,"logit_bias":{"7":-100,"10":-0.0},)"
      R"("max_tokens":3}},{"item":"b","sampling":{"stop":null}},{"item":"c","sampling":null}])");
  ASSERT_TRUE(workset.ok()) << workset.error().Text();
  EXPECT_EQ(CompactText(workset->rows[0].sampling),
            R"({"logit_bias":{"10":0.0,"7":-100.0},"max_tokens":3,"stop":["x"]})");
  EXPECT_TRUE(workset->rows[1].sampling.is_null());
  EXPECT_TRUE(workset->rows[2].sampling.is_null());
}

TEST(RowSampling, TakesTheEndsOfEveryRange) {
  const std::string texts(256, 's');
  EXPECT_EQ(Mistake(R"([{"item":"a","sampling":{"max_tokens":1,"seed":0,"stop":[")" + texts +
                    R"("],"logit_bias":{"0":100,"2147483647":-100}}},)"
                    R"({"item":"b","sampling":{"max_tokens":1000000,"seed":2147483647}},)"
                    R"({"item":"c","sampling":{"tool_choice":{"type":"function","function":)"
                    R"({"name":"f"}},"parallel_tool_calls":false,)" ONE_TOOL R"(}},)"
                    R"({"item":"d","sampling":{"response_format":{"type":"json_schema",)"
                    R"("json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}}}}])"),
            "loaded");
  EXPECT_NE(Mistake(R"([{"item":"a","sampling":{"stop":")" + texts + "s\"}}]"), "loaded");
}

TEST(RowSampling, TheRowsOwnLengthComesFirst) {
  WorksetRow row;
  RunConfig run;
  run.max_tokens = 128;
  EXPECT_EQ(MaxTokens(row, run), 128);
  row.sampling["max_tokens"] = 7;
  EXPECT_EQ(MaxTokens(row, run), 7);
}

TEST(RowKinds, MessagesAndCompletionsAreRead) {
  const Result<Workset> workset =
      Load(R"([{"messages":[{"role":"system","content":"s"},{"role":"user","content":"one"},)"
           R"({"role":"assistant","content":"1"},{"role":"user","content":"two"}]},)"
           R"({"completion":"Once upon","expected_answer":"a time"}])");
  ASSERT_TRUE(workset.ok()) << workset.error().Text();
  const WorksetRow& chat = workset->rows[0];
  EXPECT_EQ(chat.prompt, "two");
  EXPECT_EQ(chat.messages,
            (std::vector<ChatMessage>{
                {"system", "s"}, {"user", "one"}, {"assistant", "1"}, {"user", "two"}}));
  EXPECT_FALSE(chat.completion);
  EXPECT_EQ(workset->rows[1].prompt, "Once upon");
  EXPECT_TRUE(workset->rows[1].completion);
}

TEST(RowKinds, JsonAndYamlOfTheNewKeysHaveOneDigest) {
  const Result<Workset> json =
      Load(R"([{"messages":[{"role":"user","content":"a"}],"sampling":{"stop":["x"],"seed":1}}])");
  const Result<Workset> yaml =
      Load("- messages: [{role: user, content: a}]\n  sampling: {seed: 1, stop: x}\n", "w.yaml");
  ASSERT_TRUE(json.ok() && yaml.ok()) << yaml.error().Text();
  EXPECT_EQ(json->sha256, yaml->sha256);
}

TEST(RowKinds, EveryNewKeyEntersTheDigest) {
  std::set<std::string> digests;
  const std::vector<const char*> files = {
      R"([{"item":"a"}])",
      R"([{"completion":"a"}])",
      R"([{"messages":[{"role":"user","content":"a"}]}])",
      R"([{"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}])",
      R"([{"item":"a","sampling":{"seed":1}}])",
      R"([{"item":"a","sampling":{"seed":2}}])",
      R"([{"item":"a","sampling":{"max_tokens":1}}])"};
  for (const char* file : files) digests.insert(Load(file)->sha256);
  EXPECT_EQ(digests.size(), files.size());
}

TEST(RowKinds, AWorksetWithoutTheNewKeysKeepsItsDigest) {
  // Computed before rows could have them: older certs and baselines stay comparable.
  EXPECT_EQ(Load(R"([{"item":"ask","expected_answer":"b","family":"f","fill":0.5,"system":"s"}])")
                ->sha256,
            "834891048ca4cf780f588b561dfa236d0f6f5de1b2008e1cf297a63dc3b70b04");
}

TEST(WorkSetsPage, ShowsRowsThatLoad) {
  std::ifstream page(BI_TEST_SOURCE_DIR "/docs/work-sets.md");
  const std::string all(std::istreambuf_iterator<char>(page), {});
  const std::size_t first = all.find("```yaml rows\n") + 13;
  const Result<Workset> workset =
      Load(all.substr(first, all.find("```\n", first) - first), "w.yaml");
  ASSERT_TRUE(workset.ok()) << workset.error().Text();
  ASSERT_EQ(workset->rows.size(), 4u);
  EXPECT_EQ(workset->rows[1].expected_answer, Json(42));
  EXPECT_EQ(workset->rows[2].messages.size(), 4u);
  EXPECT_TRUE(workset->rows[3].completion);
}

}  // namespace
}  // namespace bi_test::config
