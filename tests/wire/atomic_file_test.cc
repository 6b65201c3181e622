#include "files/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/sha256.h"
#include "support/temp_dir.h"

namespace bi_test::http {
namespace {

using test_support::TempDir;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::string> Names(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(AtomicFile, MakesDirectoriesAndLeavesOnlyTheFile) {
  const TempDir dir;
  const fs::path file = dir.path() / "a" / "b" / "c.json";
  ASSERT_TRUE(files::WriteFileAtomically(file, "one").ok());
  ASSERT_TRUE(files::WriteFileAtomically(file, std::string("t\0o", 3)).ok());
  EXPECT_EQ(*files::ReadFile(file, 100), std::string("t\0o", 3)) << "case 192";
  EXPECT_THAT(Names(file.parent_path()), ::testing::ElementsAre("c.json"));
}

TEST(AtomicFile, HasTheModeThatTheUmaskLeaves) {
  const TempDir dir;
  const mode_t old = ::umask(026);
  ASSERT_TRUE(files::WriteFileAtomically(dir.path() / "f", "x").ok());
  ::umask(old);
  struct stat info {};
  ASSERT_EQ(::stat((dir.path() / "f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0640u);
}

TEST(AtomicFile, KeepsTheOldFileWhenItFails) {
  const TempDir dir;
  fs::create_directories(dir.path() / "f" / "full");  // a directory in the way: rename fails
  const Status status = files::WriteFileAtomically(dir.path() / "f", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_THAT(status.error().Text(), HasSubstr("cannot rename the temporary file to it: "));
  EXPECT_THAT(Names(dir.path()), ::testing::ElementsAre("f"));
}

TEST(AtomicFile, NamesADirectoryThatCannotBeMade) {
  const TempDir dir;
  std::ofstream(dir.path() / "f") << "x";
  const Status status = files::WriteFileAtomically(dir.path() / "f" / "g" / "h", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().Text(), HasSubstr("cannot make the directory: ENOTDIR"));
  EXPECT_FALSE(files::WriteFileAtomically(dir.path() / "", "x").ok());
}

TEST(AtomicFile, ReadersSeeTheOldOrTheNewContentNeverAMixture) {
  const TempDir dir;
  const fs::path file = dir.path() / "f";
  const std::string a(200'000, 'a');
  const std::string b(300'000, 'b');
  ASSERT_TRUE(files::WriteFileAtomically(file, a).ok());
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i)
      EXPECT_TRUE(files::WriteFileAtomically(file, i % 2 == 0 ? b : a).ok());
    stop = true;
  });
  while (!stop) {
    const Result<std::string> content = files::ReadFile(file, 1u << 20);
    ASSERT_TRUE(content.ok()) << content.error().Text();
    EXPECT_TRUE(*content == a || *content == b) << "case 191";
  }
  writer.join();
}

TEST(ReadFile, RefusesWhatIsTooLargeMissingOrNoRegularFile) {
  const TempDir dir;
  std::ofstream(dir.path() / "f") << "1234";
  EXPECT_EQ(*files::ReadFile(dir.path() / "f", 4), "1234");
  const Result<std::string> large = files::ReadFile(dir.path() / "f", 3);
  EXPECT_EQ(large.error().message, "the file has more than the allowed 3 bytes");
  EXPECT_EQ(large.error().code, ErrorCode::kInvalidFile);
  EXPECT_EQ(files::ReadFile(dir.path() / "no", 3).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(files::ReadFile(dir.path(), 3).error().message,
            "found a directory, expected a regular file");
  ASSERT_EQ(::mkfifo((dir.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(files::ReadFile(dir.path() / "pipe", 3).error().message,
            "found a special file, expected a regular file");
}

TEST(Sha256, MatchesPublishedVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex("\xED\xA0\x80").substr(0, 12), "91a681b99855");
  Sha256 sha;
  sha.Update("a");
  sha.Update("");
  sha.Update("bc");
  EXPECT_EQ(sha.Hex(), Sha256Hex("abc"));
}

TEST(FileSha256, StreamsTheFile) {
  const TempDir dir;
  const std::string content(3'500'000, 'q');
  std::ofstream(dir.path() / "f") << content;
  EXPECT_EQ(*files::FileSha256(dir.path() / "f"), Sha256Hex(content));
  EXPECT_FALSE(files::FileSha256(dir.path() / "no").ok());
}

}  // namespace
}  // namespace bi_test::http
