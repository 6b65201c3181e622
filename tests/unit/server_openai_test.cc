// The dialect of servers whose flags are not known: a template instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "server/dialects/registry.h"
#include "server_launch_case.h"

namespace bi_test::server {
namespace {

const Dialect& OpenAi() { return **FindDialect("openai"); }

struct TemplateCase {
  const char* name;
  std::vector<std::string> flags;
  const char* filled;  ///< The arguments joined by blanks, or the error.
};
void PrintTo(const TemplateCase& test, std::ostream* out) { *out << test.name; }

class FlagTemplate : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(FlagTemplate, IsFilledOrRefused) {
  LaunchCase launch("openai");
  launch.server.flags = GetParam().flags;
  const auto arguments = OpenAi().Arguments(launch.Spec(), 40'123, "KEY");
  std::string text;
  if (arguments.ok()) {
    for (const std::string& argument : *arguments) text += (text.empty() ? "" : " ") + argument;
  } else {
    EXPECT_EQ(arguments.error().code, ErrorCode::kRefused);
    text = arguments.error().Text();
  }
  EXPECT_EQ(text, GetParam().filled);
}

const TemplateCase kTemplates[] = {
    {"Everything",
     {"--model", "{model}", "--port={port}", "-n", "{parallel}", "--ctx", "{ctx}", "--host",
      "{host}", "--key", "{api_key}", "--name", "{alias}"},
     "--model /models/m --port=40123 -n 4 --ctx 1000 --host 127.0.0.1 --key KEY --name local"},
    {"TotalContextServesAsWell",
     {"{model}", "-p", "{port}", "-n", "{parallel}", "-c", "{total_ctx}"},
     "/models/m -p 40123 -n 4 -c 4000"},
    {"SeveralInOneArgument",
     {"--set=model:{model},slots:{parallel},ctx:{ctx},port:{port}"},
     "--set=model:/models/m,slots:4,ctx:1000,port:40123"},
    {"BracesOfOtherKindsStay",
     {"{model}", "{port}", "{parallel}", "{ctx}", R"({"a":{}})", "{A}", "{"},
     R"(/models/m 40123 4 1000 {"a":{}} {A} {)"},
    {"NoPort",
     {"{model}", "{parallel}", "{ctx}"},
     "server.flags: found no {port}; a server of kind openai learns its port only through its "
     "flags: write it where the server takes it, for instance `--port {port}`"},
    {"NoParallel",
     {"{model}", "{port}", "{ctx}"},
     "server.flags: found no {parallel}; a server of kind openai learns the number of requests at "
     "once only through its flags: write it where the server takes it, for instance `--parallel "
     "{parallel}`"},
    {"NoContext",
     {"{model}", "{port}", "{parallel}"},
     "server.flags: found no {ctx} or {total_ctx}; a server of kind openai learns the context of "
     "the cell only through its flags: write it where the server takes it, for instance `--ctx "
     "{ctx}`"},
    {"NoModel",
     {"{port}", "{parallel}", "{ctx}"},
     "server.flags: found no {model}; a server of kind openai learns the model of the cell only "
     "through its flags: write it where the server takes it, for instance `--model {model}`"},
    {"UnknownPlaceholder",
     {"{prot}"},
     "server.flags[0]: `{prot}`: found the placeholder {prot}, known are {alias}, {api_key}, "
     "{ctx}, {host}, {model}, {parallel}, {port}, {total_ctx}"},
    {"PortGivenASecondTime",
     {"--port", "{port}", "--port", "80"},
     "server.flags[2]: `--port`: it is given a second time; the first takes {port}: remove this "
     "one"},
    {"ParallelGivenASecondTimeInAnotherSpelling",
     {"--max_seqs={parallel}", "--max-seqs=1"},
     "server.flags[1]: `--max-seqs=1`: it is given a second time; the first takes {parallel}: "
     "remove this one"},
    {"EveryInterface",
     {"--host", "0.0.0.0"},
     "server.flags[1]: `0.0.0.0`: servers under test listen on loopback only; write {host}"},
    {"EveryInterfaceAfterEquals",
     {"--host=::"},
     "server.flags[0]: `--host=::`: servers under test listen on loopback only; write {host}"},
    {"EmptyFlag", {""}, "server.flags[0]: ``: an empty flag; remove it"},
};

INSTANTIATE_TEST_SUITE_P(All, FlagTemplate, ::testing::ValuesIn(kTemplates),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FlagTemplateOfAModel, MayNotOverrideTheServers) {
  LaunchCase launch("openai");
  launch.server.flags = {"{model}", "--port", "{port}", "{parallel}", "{ctx}"};
  launch.model.flags = {"--port=1"};
  const auto arguments = OpenAi().Arguments(launch.Spec(), 1, "KEY");
  ASSERT_FALSE(arguments.ok());
  EXPECT_EQ(arguments.error().where, "models.m.flags[0]");
}

TEST(OpenAiRequest, HoldsOnlyFieldsOfTheInterface) {
  WorksetRow row;
  row.prompt = "hi";
  RunConfig run;
  run.max_tokens = 16;
  run.ignore_eos = true;
  EXPECT_EQ(OpenAi().RequestBody(row, 7, run),
            R"({"frequency_penalty":0,"logprobs":true,"max_tokens":16,)"
            R"("messages":[{"content":"hi","role":"user"}],"model":"local","n":1,)"
            R"("presence_penalty":0,"seed":7,"stream":true,"stream_options":)"
            R"({"include_usage":true},"temperature":0,"top_logprobs":2,"top_p":1})");
}

struct ListCase {
  const char* name;
  const char* page;
  const char* outcome;  ///< `ready`, `not yet`, or the error.
};
void PrintTo(const ListCase& test, std::ostream* out) { *out << test.name; }

class OpenAiModels : public ::testing::TestWithParam<ListCase> {};

TEST_P(OpenAiModels, SayWhetherAModelIsThere) {
  const LaunchCase launch("openai");
  ServerIdentity identity;
  const auto checked = OpenAi().CheckPage("/v1/models", GetParam().page, launch.Spec(), identity);
  const std::string outcome =
      !checked.ok() ? checked.error().Text() : (*checked ? "ready" : "not yet");
  EXPECT_EQ(outcome, GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, OpenAiModels,
    ::testing::Values(
        ListCase{"OneModel", R"({"data":[{"id":"x"}]})", "ready"},
        ListCase{"ModelsInsteadOfData", R"({"models":[{"name":"x"}]})", "ready"},
        ListCase{"NameThatSoundsLikeLoading", R"({"data":[{"id":"my loading model v2"}]})",
                 "ready"},
        ListCase{"EmptyList", R"({"data":[]})", "not yet"},
        ListCase{"TextForAList", R"({"data":"no"})", "not yet"},
        ListCase{"NumbersInTheList", R"({"data":[1,2]})", "not yet"},
        ListCase{"Array", "[]", "not yet"}, ListCase{"Number", "1", "not yet"},
        ListCase{"NoJson", "OK", "not yet"}, ListCase{"Empty", "", "not yet"},
        ListCase{"LongEnough", R"({"data":[{"id":"x","context_length":1000}]})", "ready"},
        ListCase{"TooShort", R"({"data":[{"id":"x","meta":{"n_ctx":999}}]})",
                 "server N: slot context 999 < 1000; the model is trained for less, or a flag "
                 "divides the context: lower ctx or check the flags"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(OpenAiHealth, CountsARefusalForLackOfAKeyAsALife) {
  for (const int status : {200, 401, 403}) EXPECT_TRUE(OpenAi().SaysHealthy(status)) << status;
  for (const int status : {0, 404, 500, 503}) EXPECT_FALSE(OpenAi().SaysHealthy(status)) << status;
}

}  // namespace
}  // namespace bi_test::server
