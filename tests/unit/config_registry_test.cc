// Model registries and KV tables: strict files, every mistake with its line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>

#include "config/sweep/flag_list.h"
#include "config/sweep/kv_profiles.h"
#include "config/sweep/model_registry.h"
#include "support/sweep_folder.h"

namespace bi_test::config {
namespace {

using test_support::SweepFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Environment kEnv = {{"MODELS_DIR", "/models"}};

std::string RegistryError(std::string_view text, const Environment& env = kEnv) {
  FileProblems problems;
  (void)ReadModelRegistry(text, "/site/models.yaml", env, problems);
  return problems.empty() ? "read" : problems.ToError("F").Text();
}

std::string ReadAll(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ModelRegistryTest, TheSampleIsRead) {
  FileProblems problems;
  const ModelRegistry registry =
      ReadModelRegistry(ReadAll(BI_TEST_SOURCE_DIR "/samples/spark/models.yaml"),
                        "/site/models.yaml", kEnv, problems);
  ASSERT_TRUE(problems.empty()) << problems.ToError("F").Text();
  EXPECT_THAT(registry.Aliases(), ElementsAre("coder-a", "dense-small"));
  const RegistryModel& small = *registry.Find("dense-small");
  EXPECT_EQ(small.gguf, "/models/dense-small.gguf");
  EXPECT_EQ(small.kv, "q4_0");
  EXPECT_TRUE(small.dense_smoke);
  EXPECT_THAT(small.flags,
              ElementsAre("-ngl", "999", "--flash-attn", "on", "--no-mmap", "-b", "2048", "-ub",
                          "2048", "--jinja", "--cache-type-k", "q4_0", "--cache-type-v", "q4_0"));
  EXPECT_EQ(registry.Find("other"), nullptr);
}

TEST(ModelRegistryTest, EveryKeyArrives) {
  FileProblems problems;
  const ModelRegistry registry = ReadModelRegistry(
      "version: 1\ndefaults: {server_bin: \"{MODELS_DIR}/bin/{MODELS_DIR}\"}\nmodels:\n"
      "  - {alias: a, gguf: sub/../a.gguf, server_bin: llama-server,\n"
      "     sha256: " +
          std::string(64, 'A') +
          "}\n"
          "  - {alias: B_2.c-d, gguf: /b.gguf, server_flags: [-ctk, f16, --cache_type_v=f16]}\n"
          "  - {alias: v, gguf: /b.gguf, server_flags: [-ctv, q8_0]}\n",
      "/site/models.yaml", kEnv, problems);
  ASSERT_TRUE(problems.empty()) << problems.ToError("F").Text();
  ASSERT_EQ(registry.models.size(), 3U);
  const RegistryModel& a = registry.models[0];
  EXPECT_EQ(a.gguf, "/site/a.gguf");
  EXPECT_EQ(a.server_bin, "llama-server");
  EXPECT_EQ(a.sha256, std::string(64, 'a'));
  EXPECT_EQ(a.kv, std::nullopt);
  EXPECT_EQ(registry.models[1].server_bin, "/models/bin/models");
  EXPECT_EQ(registry.models[1].kv, "f16") << "said by the flags";
  EXPECT_EQ(registry.models[2].kv, "q8_0") << "said by the one flag";
}

struct Mistake {
  const char* name;
  std::string text;
  std::string error;
};

void PrintTo(const Mistake& test, std::ostream* out) { *out << test.name; }

class RegistryMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(RegistryMistake, IsReportedWithItsLine) {
  EXPECT_EQ(RegistryError(GetParam().text), GetParam().error);
}

std::string OneModel(const std::string& more) {
  return "version: 1\nmodels:\n  - alias: a\n    gguf: a.gguf\n" + more;
}

const Mistake kMistakes[] = {
    {"Empty", "", "F:1: found an empty file, allowed: one YAML document"},
    {"NoMapping", "[a]",
     "F:1: found a list, allowed: a mapping with the keys version, defaults, models"},
    {"Nothing", "{}",
     "F:1: version: found nothing, allowed: 1\nF:1: models: found nothing, allowed: a list of "
     "models"},
    {"OtherVersion", "version: 2\nmodels: [{alias: a, gguf: b}]",
     "F:1: version: found \"2\", allowed: an integer from 1 to 1"},
    {"UnknownKey", "version: 1\nmodel: []\nmodels: [{alias: a, gguf: b}]",
     "F:2: model: found an unknown key, allowed: version, defaults, models (did you mean "
     "\"models\"?)"},
    {"UnknownKeyOfAModel", OneModel("    flags: []"),
     "F:5: models[0].flags: found an unknown key, allowed: alias, gguf, kv, server_bin, "
     "server_flags, "
     "sha256, dense_smoke"},
    {"DuplicateKey", OneModel("    gguf: b"),
     "F:5: models[0].gguf: found the key a second time, allowed: each key once, the first is on "
     "line 4"},
    {"NoModels", "version: 1\nmodels: []",
     "F:2: models: found 0 models, allowed: 1 to 1000 models"},
    {"ModelsNoList", "version: 1\nmodels: a",
     "F:2: models: found \"a\", allowed: a list of models"},
    {"ModelNoMapping", "version: 1\nmodels: [a]",
     "F:2: models[0]: found \"a\", allowed: a mapping with the keys alias, gguf, kv, server_bin, "
     "server_flags, sha256, dense_smoke"},
    {"NoAlias", "version: 1\nmodels: [{gguf: a}]",
     "F:2: models[0].alias: found nothing, allowed: an alias of 1 to 64 letters, digits, \".\", "
     "\"_\" "
     "and \"-\""},
    {"WrongAlias", "version: 1\nmodels: [{alias: a/b, gguf: a}]",
     "F:2: models[0].alias: found \"a/b\", allowed: an alias of 1 to 64 letters, digits, \".\", "
     "\"_\" "
     "and \"-\""},
    {"AliasTwice", "version: 1\nmodels:\n  - {alias: a, gguf: a}\n  - {alias: a, gguf: b}",
     "F:4: models[1].alias: found \"a\" a second time, allowed: each alias once, the first is on "
     "line 3"},
    {"NoFile", "version: 1\nmodels: [{alias: a}]",
     "F:2: models[0].gguf: found nothing, allowed: the path of a weight file"},
    {"EmptyFile", "version: 1\nmodels: [{alias: a, gguf: \"\"}]",
     "F:2: models[0].gguf: found \"\", allowed: the path of a weight file"},
    {"OtherPlaceholder", "version: 1\nmodels: [{alias: a, gguf: \"{HOME}/a\"}]",
     "F:2: models[0].gguf: found \"{HOME}/a\", allowed: no \"{\" but that of {MODELS_DIR}"},
    {"HalfAPlaceholder", "version: 1\nmodels: [{alias: a, gguf: \"{MODELS_DIR/a\"}]",
     "F:2: models[0].gguf: found \"{MODELS_DIR/a\", allowed: no \"{\" but that of {MODELS_DIR}"},
    {"UnknownKv", OneModel("    kv: q9"),
     "F:5: models[0].kv: found \"q9\", allowed: f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0, "
     "iq4_nl"},
    {"KvAgainstItsFlag", OneModel("    kv: f16\n    server_flags: [-ctv, q8_0]"),
     "F:5: models[0].kv: found \"f16\", allowed: the type of --cache-type-v, which is \"q8_0\""},
    {"FlagsAgainstEachOther", OneModel("    server_flags: [-ctk, f16, -ctv, q8_0]"),
     "F:3: models[0].kv: found \"f16\", allowed: the type of --cache-type-v, which is \"q8_0\""},
    {"KvAgainstADefault",
     "version: 1\ndefaults: {server_flags: [-ctk, q8_0]}\nmodels: [{alias: a, gguf: a, kv: f16}]",
     "F:3: models[0].kv: found \"f16\", allowed: the type of --cache-type-k, which is \"q8_0\""},
    {"FlagsAsText", OneModel("    server_flags: -ngl 99"),
     "F:5: models[0].server_flags: found \"-ngl 99\", allowed: a list of texts, one argument each"},
    {"FlagAsList", OneModel("    server_flags: [[a]]"),
     "F:5: models[0].server_flags[0]: found a list, allowed: one argument, a text"},
    {"TwoInOneFlag", OneModel("    server_flags: [\"-ngl 99\"]"),
     "F:5: models[0].server_flags[0]: found \"-ngl 99\", allowed: one argument per entry (write "
     "the "
     "flag and its value as two entries)"},
    {"ReservedFlag", OneModel("    server_flags: [--port=80]"),
     "F:5: models[0].server_flags[0]: found \"--port=80\", allowed: no flag that bi_test sets "
     "itself "
     "(model, host, port, context, slots)"},
    {"ReservedShortFlag", OneModel("    server_flags: [-t, \"1\", -np, \"4\"]"),
     "F:5: models[0].server_flags[2]: found \"-np\", allowed: no flag that bi_test sets itself "
     "(model, "
     "host, port, context, slots)"},
    {"ReservedDefault",
     "version: 1\ndefaults: {server_flags: [--no-slots]}\nmodels: [{alias: a, gguf: a}]",
     "F:2: defaults.server_flags[0]: found \"--no-slots\", allowed: no flag that bi_test sets "
     "itself "
     "(model, host, port, context, slots)"},
    {"ShortDigest", OneModel("    sha256: abc"),
     "F:5: models[0].sha256: found \"abc\", allowed: a SHA-256, 64 hex digits"},
    {"YesIsNoBoolean", OneModel("    dense_smoke: yes"),
     "F:5: models[0].dense_smoke: found \"yes\", allowed: true or false"},
    {"Anchor", OneModel("    kv: &x f16"),
     "F:5: models[0].kv: found the anchor \"&x\", allowed: the value without an anchor"},
    {"Tag", OneModel("    kv: !!str f16"),
     "F:5: models[0].kv: found the tag \"tag:yaml.org,2002:str\", allowed: the value without a "
     "tag"},
};

INSTANTIATE_TEST_SUITE_P(All, RegistryMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ModelRegistryTest, ThePlaceholderNeedsItsVariable) {
  const std::string text = "version: 1\nmodels: [{alias: a, gguf: \"{MODELS_DIR}/a\"}]";
  const std::string error =
      "F:2: models[0].gguf: found {MODELS_DIR}, and the environment variable MODELS_DIR is not "
      "set, "
      "allowed: a variable that is set";
  EXPECT_EQ(RegistryError(text, {}), error);
  EXPECT_EQ(RegistryError(text, {{"MODELS_DIR", ""}}), error);
  EXPECT_EQ(RegistryError(text, {{"MODELS_DIR", "/a{b"}}), "read") << "only the file's own braces";
}

TEST(ModelRegistryTest, TooDeepAndTooLarge) {
  std::string deep = "version: 1\nmodels: ";
  deep += std::string(20, '[') + std::string(20, ']');
  EXPECT_THAT(RegistryError(deep), ::testing::HasSubstr("16"));
  EXPECT_THAT(RegistryError("version: 1 #" + std::string(std::size_t{1} << 20, 'x')),
              ::testing::HasSubstr("1048576 bytes"));
}

struct MergeCase {
  const char* name;
  std::vector<std::string> base;
  std::vector<std::string> later;
  std::vector<std::string> merged;
};

TEST(FlagListTest, LaterFlagsReplaceEarlierOnes) {
  const MergeCase kCases[] = {
      {"NothingLater", {"-a", "1"}, {}, {"-a", "1"}},
      {"NothingEarlier", {}, {"-a"}, {"-a"}},
      {"AnotherFlag", {"-a", "1"}, {"-b"}, {"-a", "1", "-b"}},
      {"TheSameFlag", {"-x", "-a", "1", "-y"}, {"-a", "2"}, {"-x", "-y", "-a", "2"}},
      {"WithItsNegativeValue", {"-t", "-1", "-y"}, {"-t", "4"}, {"-y", "-t", "4"}},
      {"OtherSpelling", {"--batch_size=1"}, {"--batch-size", "2"}, {"--batch-size", "2"}},
      {"ShortAndLong", {"-ngl", "99"}, {"--n-gpu-layers", "1"}, {"--n-gpu-layers", "1"}},
      {"TheOpposite", {"--no-mmap", "-x"}, {"--mmap"}, {"-x", "--mmap"}},
      {"TwiceInOneList", {"--lora", "a", "--lora", "b"}, {}, {"--lora", "a", "--lora", "b"}},
  };
  for (const MergeCase& test : kCases) {
    EXPECT_EQ(MergedFlags(test.base, test.later), test.merged) << test.name;
  }
}

TEST(FlagListTest, ValuesOfFlags) {
  EXPECT_EQ(LastFlagValue({"-ctk", "f16", "--cache-type-k=q8_0"}, "cache-type-k"), "q8_0");
  EXPECT_EQ(LastFlagValue({"-ctk", "-x"}, "cache-type-k"), std::nullopt);
  EXPECT_EQ(LastFlagValue({"-ctk"}, "cache-type-k"), std::nullopt);
  EXPECT_EQ(LastFlagValue({}, "cache-type-k"), std::nullopt);
}

std::string TableError(std::string_view text) {
  FileProblems problems;
  (void)ReadKvProfiles(text, problems);
  return problems.empty() ? "read" : problems.ToError("F").Text();
}

TEST(KvProfilesTest, TheSampleSaysWhatIsBuiltIn) {
  const Result<KvProfiles> profiles =
      LoadKvProfiles(BI_TEST_SOURCE_DIR "/samples/spark/kv_profiles.yaml");
  ASSERT_TRUE(profiles.ok()) << profiles.error().Text();
  EXPECT_EQ(profiles->table, KvTable());
  EXPECT_EQ(profiles->memory_floor_gib, GuardConfig().memory_floor_gib);
  EXPECT_EQ(profiles->max_ctx, GuardConfig().max_ctx);
}

const std::string kAnchors =
    "version: 1\nanchors: {kv_gb_at_full_ctx: 1, kv_ref_ctx: 256, per_server_overhead_gb: 0, "
    "hard_floor_gb: 0, hard_ctx_cap: 256}\n";

TEST(KvProfilesTest, Mistakes) {
  const Mistake kCases[] = {
      {"Nothing", "{}",
       "F:1: version: found nothing, allowed: 1\n"
       "F:1: anchors: found nothing, allowed: a mapping of the five anchors\n"
       "F:1: kv_factor: found nothing, allowed: a mapping of cache types to numbers"},
      {"MissingAnchors",
       "version: 1\nanchors: {kv_ref_ctx: 256, hard_floor_gb: 0, hard_ctx_cap: 256}\n"
       "kv_factor: {q8_0: 1}",
       "F:2: anchors.kv_gb_at_full_ctx: found nothing, allowed: a number\n"
       "F:2: anchors.per_server_overhead_gb: found nothing, allowed: a number"},
      {"NotANumber",
       "version: 1\nanchors: {kv_gb_at_full_ctx: .nan, kv_ref_ctx: 1_000, "
       "per_server_overhead_gb: 0, hard_floor_gb: 0, hard_ctx_cap: 0o7}\n"
       "kv_factor: {q8_0: 1.0}",
       "F:2: anchors.kv_gb_at_full_ctx: found \".nan\", allowed: a number from 0.001 to 1e+06\n"
       "F:2: anchors.kv_ref_ctx: found \"1_000\", allowed: an integer from 256 to 16777216, in "
       "plain "
       "decimal digits\n"
       "F:2: anchors.hard_ctx_cap: found \"0o7\", allowed: an integer from 256 to 16777216, "
       "in plain decimal digits"},
      {"UnknownType", kAnchors + "kv_factor: {q8_0: 1.0, q9: 1.0}",
       "F:3: kv_factor.q9: found an unknown key, allowed: f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, "
       "q4_0, "
       "iq4_nl"},
      {"NoReference", kAnchors + "kv_factor: {f16: 2.0}",
       "F:3: kv_factor.q8_0: found nothing, allowed: 1.0, because all others are relative to it"},
      {"OtherReference", kAnchors + "kv_factor: {q8_0: 2.0}",
       "F:3: kv_factor.q8_0: found \"2.0\", allowed: 1.0, because all others are relative to it"},
      {"NegativeFactor", kAnchors + "kv_factor: {q8_0: 1.0, f16: -2}",
       "F:3: kv_factor.f16: found \"-2\", allowed: a number from 0.01 to 100"},
      {"FactorsNoMapping", kAnchors + "kv_factor: [1]",
       "F:3: kv_factor: found a list, allowed: a mapping with the keys f32, f16, bf16, q8_0, q5_1, "
       "q5_0, q4_1, q4_0, iq4_nl"},
      {"UnknownMeta", kAnchors + "meta: {author: x}\nkv_factor: {q8_0: 1.0}",
       "F:3: meta.author: found an unknown key, allowed: reference_model_class, "
       "reference_host_class"},
  };
  for (const Mistake& test : kCases) EXPECT_EQ(TableError(test.text), test.error) << test.name;
}

// In a sweep file.

constexpr const char* kRest = "matrix: {ctx: 4096, parallel: 4}\nworkset: {builtin: smoke}\n";

TEST(SweepRegistryTest, AnAliasBringsPathTypeFlagsDigestAndProgram) {
  SweepFolder folder;
  folder.WriteProgram("site/bin/server");
  folder.Write(
      "site/models.yaml",
      "version: 1\ndefaults: {server_bin: bin/server, server_flags: [-t, \"1\"]}\nmodels:\n"
      "  - {alias: coder, gguf: \"{MODELS_DIR}/m.gguf\", kv: q8_0, dense_smoke: true,\n"
      "     sha256: " +
          std::string(64, '0') + "}\n");
  const Result<Sweep> sweep =
      folder.Load("registry: site/models.yaml\nmodels: [coder]\n" + std::string(kRest));
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  const ModelConfig& model = sweep->models.at(0);
  EXPECT_EQ(model.id, "coder");
  EXPECT_EQ(model.path, folder.path() / "m.gguf");
  EXPECT_EQ(model.kv, "q8_0");
  EXPECT_THAT(model.flags, ElementsAre("-t", "1"));
  EXPECT_EQ(model.sha256, std::string(64, '0'));
  EXPECT_EQ(sweep->server.binary, folder.path() / "site/bin/server");
  EXPECT_EQ(sweep->dense_baseline, "coder");
  EXPECT_EQ(sweep->cells.at(0).cell.kv_label, "q8_0");
}

TEST(SweepRegistryTest, WhatTheSweepFileSaysWins) {
  SweepFolder folder;
  folder.WriteProgram("mine");
  folder.Write("n.gguf", "x");
  folder.Write(
      "models.yaml",
      "version: 1\nmodels:\n"
      "  - {alias: a, gguf: m.gguf, kv: q8_0, server_flags: [-t, \"1\"], server_bin: x/y,\n"
      "     dense_smoke: true}\n"
      "  - {alias: b, gguf: m.gguf, kv: q8_0, server_flags: [-t, \"2\"]}\n");
  const Result<Sweep> sweep = folder.Load(
      "registry: models.yaml\nserver: {binary: ./mine}\ndense_baseline: b\nmodels:\n"
      "  - {id: a, path: n.gguf, kv: f16, flags: [-x]}\n  - b\n  - {id: c, path: n.gguf}\n" +
      std::string(kRest));
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->models[0].path, folder.path() / "n.gguf");
  EXPECT_EQ(sweep->models[0].kv, "f16");
  EXPECT_THAT(sweep->models[0].flags, ElementsAre("-x"));
  EXPECT_THAT(sweep->models[1].flags, ElementsAre("-t", "2"));
  EXPECT_EQ(sweep->models[2].path, folder.path() / "n.gguf") << "needs no alias";
  EXPECT_EQ(sweep->server.binary, folder.path() / "mine");
  EXPECT_EQ(sweep->dense_baseline, "b");

  const Result<Sweep> flags =
      folder.Load("registry: models.yaml\nserver: {binary: ./mine, flags: [-y]}\nmodels: [b]\n" +
                  std::string(kRest));
  ASSERT_TRUE(flags.ok()) << flags.error().Text();
  EXPECT_THAT(flags->models[0].flags, IsEmpty()) << "flags of the sweep leave none of the registry";
}

TEST(SweepRegistryTest, TheVariableWinsOverTheProgramOfTheRegistry) {
  SweepFolder folder;
  folder.WriteProgram("site/server");
  folder.WriteProgram("mine");
  folder.Write("models.yaml",
               "version: 1\nmodels: [{alias: a, gguf: m.gguf, server_bin: site/server}]\n");
  const std::string sweep = "registry: models.yaml\nmodels: [a]\n" + std::string(kRest);
  EXPECT_EQ(folder.Load(sweep)->server.binary, folder.path() / "site/server");
  folder.env["BI_TEST_LLAMA_SERVER"] = (folder.path() / "mine").string();
  EXPECT_EQ(folder.Load(sweep)->server.binary, folder.path() / "mine");
}

TEST(SweepRegistryTest, Mistakes) {
  SweepFolder folder;
  folder.Write("models.yaml",
               "version: 1\nmodels:\n"
               "  - {alias: coder-a, gguf: m.gguf, server_bin: x/one, dense_smoke: true}\n"
               "  - {alias: coder-b, gguf: m.gguf, server_bin: x/two}\n"
               "  - {alias: coder-c, gguf: gone.gguf, server_bin: x/one, dense_smoke: true}\n");
  folder.Write("bad.yaml", "version: 3\nmodels: [{alias: a}]\n");
  const Mistake kCases[] = {
      {"UnknownAlias", "registry: models.yaml\nmodels: [coder-x]\n",
       "DIR/cells.yaml:2: models[0]: found \"coder-x\", allowed: a path, or an alias of the "
       "registry: "
       "coder-a, coder-b, coder-c (did you mean \"coder-a\"?)"},
      {"MissingRegistry", "registry: no.yaml\nmodels: [m]\n",
       "DIR/cells.yaml:1: registry: DIR/no.yaml: found no such file, allowed: a model registry "
       "(copy "
       "samples/spark/models.yaml of bi_test there and write your models into it)"},
      {"BrokenRegistry", "registry: bad.yaml\nmodels: [m]\n",
       "DIR/cells.yaml:1: registry: DIR/bad.yaml:1: version: found \"3\", allowed: an integer from "
       "1 to "
       "1\nDIR/cells.yaml:1: registry: DIR/bad.yaml:2: models[0].gguf: found nothing, allowed: the "
       "path "
       "of a weight file"},
      {"MissingModelFile", "registry: models.yaml\nmodels: [coder-c]\n",
       "DIR/cells.yaml:2: models[0]: found \"DIR/gone.gguf\", which does not exist, allowed: the "
       "path "
       "of a model file"},
      {"TwoPrograms", "registry: models.yaml\nmodels: [coder-a, coder-b]\n",
       "DIR/cells.yaml:2: models: found models of two programs, \"DIR/x/one\" and \"DIR/x/two\", "
       "allowed: one program in a sweep (name it in server.binary, or write two sweeps)"},
      {"TwoDenseBaselines",
       "registry: models.yaml\nmodels: [coder-a, {id: coder-c, path: m.gguf}]\n",
       "DIR/cells.yaml:2: models: found two dense baselines, \"coder-a\" and \"coder-c\", allowed: "
       "one "
       "(name it in dense_baseline)"},
      {"OtherKind",
       "server: {kind: vllm}\nregistry: models.yaml\nmodels: [{id: m, path: m.gguf}]\n",
       "DIR/cells.yaml:2: registry: found a registry of files for kind vllm, allowed: one for kind "
       "llama.cpp"},
  };
  for (const Mistake& test : kCases) {
    EXPECT_EQ(folder.LoadError(test.text + kRest), test.error) << test.name;
  }
}

TEST(SweepKvProfilesTest, TheTableIsUsedWhereTheGuardSectionDoesNotSay) {
  SweepFolder folder;
  folder.Write("kv.yaml",
               "version: 1\nanchors: {kv_gb_at_full_ctx: 26, kv_ref_ctx: 65536, "
               "per_server_overhead_gb: 2, hard_floor_gb: 3, hard_ctx_cap: 8192}\n"
               "kv_factor: {q8_0: 1.0, f16: 1.9}\n");
  const Result<Sweep> sweep = folder.LoadWith("guard: {max_ctx: 4096, kv_profiles: kv.yaml}");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->guard.kv_table, (KvTable{26.0, 65536, 2.0, {{"q8_0", 1.0}, {"f16", 1.9}}}));
  EXPECT_EQ(sweep->guard.memory_floor_gib, 3.0);
  EXPECT_EQ(sweep->guard.max_ctx, 4096);
  EXPECT_EQ(
      folder.LoadErrorWith("guard: {kv_profiles: gone.yaml}"),
      "DIR/cells.yaml:4: guard.kv_profiles: DIR/gone.yaml: found no such file, allowed: a KV table "
      "(samples/spark/kv_profiles.yaml of bi_test is one)");
}

}  // namespace
}  // namespace bi_test::config
