#include "make_model/byte_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "make_model/make_model.h"
#include "unit/make_model_testing.h"

namespace bi_test::make_model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WriteTest, WritesWhatToBytesReturns) {
  const Folder folder;
  const Result<WrittenModel> written = Write(Tiny(), folder / "m.gguf");
  ASSERT_TRUE(written.ok()) << written.error().Text();
  const std::string bytes = ToBytes(Tiny()).value();
  EXPECT_EQ(ReadFile(folder / "m.gguf"), bytes);
  EXPECT_EQ(*written, (WrittenModel{bytes.size(), Sha256(bytes)}));
  EXPECT_THAT(folder.Names(), ElementsAre("m.gguf"));
}

TEST(WriteTest, FileIsReadableAsTheUmaskSays) {
  const Folder folder;
  const mode_t before = umask(0027);
  const bool ok = Write(Tiny(), folder / "m.gguf").ok();
  umask(before);
  ASSERT_TRUE(ok);
  struct stat status {};
  ASSERT_EQ(stat((folder / "m.gguf").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(WriteTest, ReplacesAnOlderFile) {
  const Folder folder;
  std::ofstream(folder / "m.gguf") << "older";
  ASSERT_TRUE(Write(Tiny(), folder / "m.gguf").ok());
  EXPECT_EQ(ReadFile(folder / "m.gguf"), ToBytes(Tiny()).value());
  EXPECT_THAT(folder.Names(), ElementsAre("m.gguf"));
}

TEST(WriteTest, RefusesABadSpecWithoutTouchingThePath) {
  const Folder folder;
  const Result<WrittenModel> written =
      Write(With(Tiny(), [](ModelSpec& s) { s.heads = 0; }), folder / "m.gguf");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error(), (Error{ErrorCode::kUsage, "--heads is 0; allowed are 1 to 256", ""}));
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(WriteTest, NamesThePathThatCannotBeWritten) {
  const Folder folder;
  const struct {
    std::string path;
    std::string text;
  } cases[] = {
      {"", "the path of the model file is empty"},
      {folder / "none/m.gguf",
       (folder / "none/m.gguf") + ": cannot make a file in this folder: No such file or directory"},
      {folder / "",
       (folder / "") + ": exists and is not a regular file; name a file to be made or replaced"},
      {folder / "none/",
       (folder / "none/") + ": names a folder; name a file to be made or replaced"},
      {"/dev/null",
       "/dev/null: exists and is not a regular file; name a file to be made or replaced"},
  };
  for (const auto& c : cases) {
    const Result<WrittenModel> written = Write(Tiny(), c.path);
    ASSERT_FALSE(written.ok()) << c.path;
    EXPECT_EQ(written.error().code, ErrorCode::kIo);
    EXPECT_EQ(written.error().Text(), c.text);
  }
  EXPECT_THAT(folder.Names(), IsEmpty());
}

// Stands in for a full disk: the kernel refuses bytes beyond a limit.
TEST(WriteTest, LeavesNothingBehindWhenTheDiskIsFull) {
  const Folder folder;
  std::ofstream(folder / "m.gguf") << "older";
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<WrittenModel> written = Write(Tiny(), folder / "m.gguf");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error(),
            (Error{ErrorCode::kIo, "cannot write: File too large", folder / "m.gguf"}));
  EXPECT_EQ(ReadFile(folder / "m.gguf"), "older");
  EXPECT_THAT(folder.Names(), ElementsAre("m.gguf"));
}

TEST(WriteTest, AFileNotCommittedNeverAppears) {
  const Folder folder;
  {
    auto sink = AtomicFileSink::Open(folder / "m.gguf");
    ASSERT_TRUE(sink.ok());
    ASSERT_TRUE((*sink)->Append("half a model").ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "m.gguf"));
  }
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(WriteTest, TwoWritersDoNotShareATemporary) {
  const Folder folder;
  auto one = AtomicFileSink::Open(folder / "m.gguf");
  auto two = AtomicFileSink::Open(folder / "m.gguf");
  ASSERT_TRUE(one.ok() && two.ok());
  ASSERT_TRUE((*one)->Append("one").ok());
  ASSERT_TRUE((*two)->Append("two").ok());
  ASSERT_TRUE((*two)->Commit().ok());
  ASSERT_TRUE((*one)->Commit().ok());
  EXPECT_EQ(ReadFile(folder / "m.gguf"), "one");
  EXPECT_THAT(folder.Names(), ElementsAre("m.gguf"));
}

}  // namespace
}  // namespace bi_test::make_model
