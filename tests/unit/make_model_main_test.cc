#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "make_model/make_model.h"
#include "unit/make_model_testing.h"

namespace bi_test::make_model {
namespace {

using ::testing::HasSubstr;

struct Ran {
  int status;
  std::string out;
  std::string err;
};

Ran RunMain(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "make-model");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int status = MakeModelMain(static_cast<int>(argv.size()), argv.data(), out, err);
  return {status, out.str(), err.str()};
}

const std::vector<std::string> kTinyFlags = {"--dim",    "64",  "--hidden",  "96",
                                             "--layers", "1",   "--heads=4", "--kv-heads=2",
                                             "--ctx",    "512", "--vocab",   "512"};

TEST(MakeModelMainTest, WritesAndTellsWhatItWrote) {
  const Folder folder;
  std::vector<std::string> arguments = kTinyFlags;
  arguments.push_back(folder / "m.gguf");
  arguments.insert(arguments.end(),
                   {"--seed", "1", "--arch", "dense", "--type=q8_0", "--margin", "plain"});
  const Ran ran = RunMain(arguments);
  const std::string bytes = ToBytes(Tiny()).value();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            (folder / "m.gguf") + ": " + std::to_string(bytes.size()) + " bytes, sha256 " +
                Sha256(bytes) +
                "\nseed=1 arch=dense type=q8_0 margin=plain dim=64 hidden=96 layers=1 heads=4 "
                "kv_heads=2 ctx=512 vocab=512\n");
  EXPECT_EQ(ReadFile(folder / "m.gguf"), bytes);
}

TEST(MakeModelMainTest, EachFlagReachesTheModel) {
  const Folder folder;
  const Ran ran = RunMain({folder / "m.gguf",
                           "--seed",
                           "18446744073709551615",
                           "--arch",
                           "moe",
                           "--type",
                           "q4_0",
                           "--margin",
                           "wide",
                           "--dim",
                           "96",
                           "--hidden",
                           "64",
                           "--layers",
                           "2",
                           "--heads",
                           "6",
                           "--kv-heads",
                           "3",
                           "--ctx",
                           "300",
                           "--vocab",
                           "600",
                           "--experts",
                           "3",
                           "--experts-used",
                           "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("\nseed=18446744073709551615 arch=moe type=q4_0 margin=wide dim=96 hidden=64 "
                "layers=2 heads=6 kv_heads=3 ctx=300 vocab=600 experts=3 experts_used=1\n"));
}

TEST(MakeModelMainTest, HelpGoesToOutAndNamesEveryFlag) {
  for (const char* help : {"--help", "-h"}) {
    const Ran ran = RunMain({"--dim", "64", help});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    for (const char* flag :
         {"--seed", "--arch", "--type", "--margin", "--dim", "--hidden", "--layers", "--heads",
          "--kv-heads", "--ctx", "--vocab", "--experts", "--experts-used", "--help"}) {
      EXPECT_THAT(ran.out, HasSubstr(std::string("\n  ") + flag + " "));
    }
  }
}

struct WrongUsage {
  std::vector<std::string> arguments;
  std::string err;
};

TEST(MakeModelMainTest, WrongUsageIsNamed) {
  constexpr char kSeeds[] = "whole numbers from 0 to 18446744073709551615";
  const WrongUsage cases[] = {
      {{}, "no file named; usage: bi-test make-model OUT.gguf [flags]"},
      {{""}, "the name of the file is empty"},
      {{"a", "b"}, "two files named, 'a' and 'b'; exactly one is allowed"},
      {{"a", "--size", "4"},
       "unknown flag --size; allowed are --seed, --arch, --type, --margin, --dim, --hidden, "
       "--layers, "
       "--heads, --kv-heads, --ctx, --vocab, --experts, --experts-used, --help"},
      {{"a", "--dim"}, "--dim has no value"},
      {{"a", "--dim="}, "--dim is ''; allowed are whole numbers"},
      {{"a", "--dim", "64x"}, "--dim is '64x'; allowed are whole numbers"},
      {{"a", "--dim", " 64"}, "--dim is ' 64'; allowed are whole numbers"},
      {{"a", "--dim", "+64"}, "--dim is '+64'; allowed are whole numbers"},
      {{"a", "--dim", "0x40"}, "--dim is '0x40'; allowed are whole numbers"},
      {{"a", "--dim", "6.4e1"}, "--dim is '6.4e1'; allowed are whole numbers"},
      {{"a", "--dim", "99999999999"}, "--dim is '99999999999'; allowed are whole numbers"},
      {{"a", "--dim", "-1"}, "--dim is -1; allowed are 32 to 16384"},
      {{"a", "--dim", "64", "--dim", "64"}, "--dim is given twice; allowed is once"},
      {{"a", "--seed", "-1"}, std::string("--seed is '-1'; allowed are ") + kSeeds},
      {{"a", "--seed", "18446744073709551616"},
       std::string("--seed is '18446744073709551616'; allowed are ") + kSeeds},
      {{"a", "--arch", "mamba"}, "--arch is 'mamba'; allowed are dense, moe"},
      {{"a", "--type", "q5_0"}, "--type is 'q5_0'; allowed are f32, f16, q8_0, q4_0"},
      {{"a", "--type", "F16"}, "--type is 'F16'; allowed are f32, f16, q8_0, q4_0"},
      {{"a", "--margin", ""}, "--margin is ''; allowed are plain, wide"},
      {{"a", "--experts", "4"},
       "--experts is given with --arch dense; allowed with --arch moe only"},
      {{"a", "--experts-used", "4"},
       "--experts-used is given with --arch dense; allowed with --arch moe only"},
      {{"a", "--heads", "0", "--ctx", "1"},
       "--heads is 0; allowed are 1 to 256\nbi-test make-model: --ctx is 1; allowed are 256 to "
       "1048576"},
  };
  for (const WrongUsage& c : cases) {
    const Ran ran = RunMain(c.arguments);
    EXPECT_EQ(ran.status, 2) << c.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "bi-test make-model: " + c.err + "\n");
  }
}

TEST(MakeModelMainTest, AFileThatCannotBeWrittenIsNotWrongUsage) {
  const Folder folder;
  const Ran ran = RunMain({folder / "none/m.gguf"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "bi-test make-model: " + (folder / "none/m.gguf") +
                         ": cannot make a file in this folder: No such file or directory\n");
}

TEST(MakeModelMainTest, NoArgumentsAtAllIsWrongUsage) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(MakeModelMain(0, nullptr, out, err), 2);
}

}  // namespace
}  // namespace bi_test::make_model
