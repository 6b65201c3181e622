// `bi-test make-model`: the program beside bi-test does it, and no other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;

testing_support::BinaryResult RunProgram(const fs::path& program,
                                         std::vector<std::string> arguments) {
  testing_support::BinaryOptions options;
  options.args = std::move(arguments);
  return testing_support::RunBinary(program.string(), options);
}

TEST(CliMakeModelTest, ArgumentsAndExitCodeArePassedOn) {
  const auto help = RunProgram(BI_TEST_PROGRAM, {"make-model", "--help"});
  EXPECT_EQ(help.exit_code, 0) << help;
  EXPECT_THAT(help.out, testing::StartsWith("usage: bi-test make-model OUT.gguf [flags]\n"));
  const auto wrong = RunProgram(BI_TEST_PROGRAM, {"make-model", "a.gguf", "--heads", "many"});
  EXPECT_EQ(wrong.exit_code, 2) << wrong;
  EXPECT_EQ(wrong.err, "bi-test make-model: --heads is 'many'; allowed are whole numbers\n");
}

TEST(CliMakeModelTest, WithoutTheOtherProgramItSaysWhatToDo) {
  const test_support::TempDir dir;
  const fs::path alone = dir.path() / "bi-test";
  fs::copy_file(BI_TEST_PROGRAM, alone);
  // One in the working directory or on the PATH is not taken.
  const auto result = RunProgram(alone, {"make-model", "--help"});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "bi-test make-model: cannot start " + dir.path().lexically_normal().string() +
                "/bi-test-make-model: No such file or directory; it belongs beside bi-test: build "
                "the target bi_test_make_model_cli, or install bi_test as a whole\n");
}

}  // namespace
}  // namespace bi_test
