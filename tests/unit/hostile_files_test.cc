// The real program on files that are none, that never end, or that try to take all memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "base/sha256.h"
#include "bi_test/cert.h"
#include "run/cert_file.h"
#include "support/address_sanitizer.h"
#include "support/recorded_run.h"
#include "support/records.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"
#include "trace/trace.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using test_support::TempDir;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::RecordedRun;
using testing_support::WriteRun;
using testing_support::WriteText;

constexpr long kMaxRssKib = (testing_support::kAddressSanitizer ? 1200 : 300) * 1024;
constexpr const char* kLimitMemory =
    testing_support::kAddressSanitizer ? "" : "ulimit -v 1000000; ";

const std::string kHeader =
    R"({"record":"bi_test.trace/1","cell":{"model":"m","ctx":4096,"dispatch_n":4},"source":"live"})"
    "\n";

[[nodiscard]] BinaryResult BiTest(std::vector<std::string> args) {
  testing_support::BinaryOptions options;
  options.args = std::move(args);
  options.timeout = std::chrono::seconds{20};
  return testing_support::RunBinary(BI_TEST_PROGRAM, options);
}

/// `text` with the path of the file under test replaced by `FILE`.
[[nodiscard]] std::string Named(std::string text, const fs::path& file) {
  for (std::size_t at; (at = text.find(file.string())) != std::string::npos;) {
    text.replace(at, file.string().size(), "FILE");
  }
  return text;
}

class HostileFiles : public ::testing::Test {
 protected:
  TempDir dir_;
  fs::path file_ = dir_.path() / "f";
};

struct Hostile {
  const char* name;
  std::string text;
  const char* as_trace;  ///< Error of `judge`.
  const char* as_cert;   ///< Error of `show`; null: it is a JSON object, shown as no cert.
};

TEST_F(HostileFiles, TextsAreRefusedWithTheirPlace) {
  const std::string deep_object = [] {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "{\"a\":";
    return text;
  }();
  const Hostile cases[] = {
      {"empty", "",
       "FILE: the trace is empty, expected the header {\"record\":\"bi_test.trace/1\",...} first",
       "FILE: no cert: invalid JSON at byte 0: the document is empty"},
      {"zero bytes", std::string(3, '\0'),
       "FILE:1: the trace is truncated at line 1, which has no newline: invalid JSON at byte 0: "
       "the "
       "document is empty; run the cell again",
       "FILE: no cert: invalid JSON at byte 0: the document is empty"},
      {"duplicate key", "{\"record\":1,\"record\":2}\n",
       "FILE:1: invalid JSON at byte 20: the key \"record\" stands here twice",
       "FILE: no cert: invalid JSON at byte 20: the key \"record\" stands here twice"},
      {"not UTF-8", "{\"status\":\"\xFF\"}\n",
       "FILE:1: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first",
       "FILE: no cert: invalid JSON at byte 11: a string that is not UTF-8"},
      {"lone surrogate", "{\"status\":\"\\ud800\"}\n",
       "FILE:1: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first",
       "FILE: no cert: invalid JSON at byte 11: a surrogate escape without its partner"},
      {"NaN", "{\"status\":NaN}\n",
       "FILE:1: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first",
       "FILE: no cert: invalid JSON at byte 10: no JSON value"},
      {"10^400", "{\"ctx\":1e400}\n",
       "FILE:1: invalid JSON at byte 7: the number is too big for a double",
       "FILE: no cert: invalid JSON at byte 7: the number is too big for a double"},
      {"200,000 arrays", std::string(200'000, '['),
       "FILE:1: the trace is truncated at line 1, which has no newline: invalid JSON at byte 64: "
       "nested deeper than 64 levels; run the cell again",
       "FILE: no cert: invalid JSON at byte 64: nested deeper than 64 levels"},
      {"200,000 objects", deep_object,
       "FILE:1: the trace is truncated at line 1, which has no newline: invalid JSON at byte 320: "
       "nested deeper than 64 levels; run the cell again",
       "FILE: no cert: invalid JSON at byte 320: nested deeper than 64 levels"},
      {"a number", "5\n",
       "FILE:1: found 5, expected the header {\"record\":\"bi_test.trace/1\",\"cell\":{...},...} "
       "first",
       "FILE: no cert: found 5, expected a JSON object"},
      {"two documents", "{}{}\n", "FILE:1: invalid JSON at byte 2: something follows the document",
       "FILE: no cert: invalid JSON at byte 2: something follows the document"},
      {"an HTML page", "<html>\n", "FILE:1: invalid JSON at byte 0: no JSON value",
       "FILE: no cert: invalid JSON at byte 0: no JSON value"},
      {"an empty object", "{}\n",
       "FILE:1: found a line without \"record\", expected the header "
       "{\"record\":\"bi_test.trace/1\",\"cell\":{...},...} first",
       nullptr},
  };
  for (const Hostile& one : cases) {
    WriteText(file_, one.text);
    const BinaryResult judged = BiTest({"judge", file_.string()});
    EXPECT_EQ(judged.exit_code, 1) << one.name << judged;
    EXPECT_EQ(Named(judged.err, file_), "bi-test judge: " + std::string(one.as_trace) + "\n")
        << one.name;
    EXPECT_EQ(judged.out, "") << one.name;

    const BinaryResult shown = BiTest({"show", file_.string()});
    if (one.as_cert == nullptr) {
      EXPECT_EQ(shown.exit_code, 3) << one.name << shown;
      continue;
    }
    EXPECT_EQ(shown.exit_code, 1) << one.name << shown;
    EXPECT_EQ(Named(shown.err, file_), "bi-test show: " + std::string(one.as_cert) + "\n")
        << one.name;
    EXPECT_EQ(shown.out, "") << one.name;
  }
}

struct Special {
  const char* name;
  std::function<void(const fs::path&)> make;
  const char* error;
};

TEST_F(HostileFiles, WhatIsNoFileIsRefusedWithoutWaiting) {
  const Special cases[] = {
      {"missing", [](const fs::path&) {},
       "cannot open the file: ENOENT (No such file or directory)"},
      {"directory", [](const fs::path& p) { fs::create_directory(p); },
       "found a directory, expected a regular file"},
      {"pipe that nobody writes",
       [](const fs::path& p) { ASSERT_EQ(::mkfifo(p.c_str(), 0600), 0); },
       "found a special file, expected a regular file"},
      {"link to such a pipe",
       [](const fs::path& p) {
         ASSERT_EQ(::mkfifo((p.string() + ".pipe").c_str(), 0600), 0);
         fs::create_symlink(p.string() + ".pipe", p);
       },
       "found a special file, expected a regular file"},
      {"device without end", [](const fs::path& p) { fs::create_symlink("/dev/zero", p); },
       "found a special file, expected a regular file"},
      {"link to nothing", [](const fs::path& p) { fs::create_symlink("nowhere", p); },
       "cannot open the file: ENOENT (No such file or directory)"},
      {"link to itself", [](const fs::path& p) { fs::create_symlink(p.filename(), p); },
       "cannot open the file: ELOOP (Too many levels of symbolic links)"},
  };
  for (const Special& one : cases) {
    const TempDir dir;
    const fs::path file = run::CertPath(dir.path(), Cell{"m", 4096, 4, "f16"});
    one.make(file);
    const std::string error = "FILE: " + std::string(one.error) + "\n";
    const struct {
      const char* command;
      std::vector<std::string> args;
    } commands[] = {
        {"judge", {"judge", file.string()}},
        {"show", {"show", file.string()}},
        {"verify", {"verify", file.string()}},
        {"promote",
         {"promote", "--cert-dir", dir.path().string(), "--model", "m", "--ctx", "4096",
          "--parallel", "4"}},
    };
    for (const auto& command : commands) {
      const BinaryResult result = BiTest(command.args);
      EXPECT_EQ(result.exit_code, 1) << one.name << result;
      const bool absent =
          std::string_view(one.name) == "missing" && command.args.front() == "promote";
      EXPECT_EQ(
          Named(result.err, file),
          "bi-test " + std::string(command.command) + ": " +
              (absent
                   ? "FILE: found no cert of m ctx=4096 N=4, expected one: run the cell, or name the "
                     "folder of its cert; the folder has none\n"
                   : error))
          << one.name;
    }
    // The same in the place of the trace of a good cert.
    const TempDir good_dir;
    const RecordedRun good = WriteRun(good_dir.path(), testing::CleanRecord({30, 4, 1}));
    fs::remove(good.trace);
    one.make(good.trace);
    const BinaryResult promoted = BiTest({"promote", "--cert-dir", good_dir.path().string(),
                                          "--model", "m", "--ctx", "4096", "--parallel", "4"});
    EXPECT_EQ(promoted.exit_code, 3) << one.name << promoted;
    EXPECT_EQ(Named(promoted.out, good.trace),
              "TRACE_UNREADABLE: the cert cannot be recomputed: " + error)
        << one.name;
  }
}

/// A file with a hole of two GiB: quick to make, and takes no room on the disk.
void WriteSparse(const fs::path& file, const std::string& begin) {
  WriteText(file, begin);
  fs::resize_file(file, begin.size() + (std::uintmax_t{2} << 30));
}

TEST_F(HostileFiles, ALineOfTwoGibIsRefusedInBoundedMemory) {
  const struct {
    const char* name;
    std::string begin;
    const char* error;
  } cases[] = {
      {"as the header", "", "FILE:1: the line has more than the allowed 67108864 bytes\n"},
      {"after the header", kHeader, "FILE:2: the line has more than the allowed 67108864 bytes\n"},
      {"inside a text", kHeader + R"({"arm":"A","pass":0,"test_id":")",
       "FILE:2: the line has more than the allowed 67108864 bytes\n"},
  };
  for (const auto& one : cases) {
    WriteSparse(file_, one.begin);
    const BinaryResult result = BiTest({"judge", file_.string()});
    EXPECT_EQ(result.exit_code, 1) << one.name << result;
    EXPECT_EQ(Named(result.err, file_), "bi-test judge: " + std::string(one.error)) << one.name;
    EXPECT_LT(result.max_rss_kib, kMaxRssKib) << one.name;
  }
}

/// The size of a file says nothing about the trials in it: room is made for what is there.
TEST_F(HostileFiles, AHugeHoleAfterManyTrialsTakesNoMemory) {
  std::string begin = kHeader;
  for (int i = 0; i < 3000; ++i) {
    begin += R"({"arm":"A","pass":0,"test_id":")" + std::to_string(i) + "\"}\n";
  }
  WriteText(file_, begin);
  fs::resize_file(file_, std::uintmax_t{7} << 30);
  testing_support::BinaryOptions options;
  options.args = {
      "-c", std::string(kLimitMemory) + "exec " + BI_TEST_PROGRAM + " judge " + file_.string()};
  const BinaryResult result = testing_support::RunBinary("/bin/bash", options);
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(Named(result.err, file_),
            "bi-test judge: FILE:3002: the line has more than the allowed 67108864 bytes\n");
}

TEST_F(HostileFiles, ALimitOnFileSizesIsAnErrorOfTheWrite) {
  testing_support::BinaryOptions options;
  const std::string model = file_.string() + ".gguf";
  options.args = {"-c",
                  "ulimit -f 8; exec " + std::string(BI_TEST_PROGRAM) + " make-model " + model};
  const BinaryResult result = testing_support::RunBinary("/bin/bash", options);
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.err, HasSubstr("f.gguf: cannot write: File too large")) << result;
}

TEST_F(HostileFiles, ACertOfTwoGibIsRefusedInBoundedMemory) {
  WriteSparse(file_, "{");
  for (const char* command : {"show", "verify"}) {
    const BinaryResult result = BiTest({command, file_.string()});
    EXPECT_EQ(result.exit_code, 1) << result;
    EXPECT_EQ(Named(result.err, file_), "bi-test " + std::string(command) +
                                            ": FILE: the file has more than the allowed 16777216 "
                                            "bytes\n");
    EXPECT_LT(result.max_rss_kib, kMaxRssKib);
  }
}

TEST_F(HostileFiles, ACertUnderTheNameOfAnotherCellDoesNotPromoteIt) {
  const RecordedRun good = WriteRun(dir_.path(), testing::CleanRecord({30, 4, 2}));
  ASSERT_EQ(BiTest({"promote", "--cert-dir", dir_.path().string(), "--model", "m", "--ctx", "4096",
                    "--parallel", "4"})
                .exit_code,
            0);
  const Cell others[] = {
      {"m", 4096, 8, ""}, {"m", 8192, 4, ""}, {"n", 4096, 4, ""}, {"M", 4096, 4, ""}};
  for (const Cell& other : others) {
    const fs::path cert = run::CertPath(dir_.path(), other);
    fs::copy_file(good.cert, cert);
    fs::copy_file(good.trace, run::TraceOfCert(cert));
    const BinaryResult result =
        BiTest({"promote", "--cert-dir", dir_.path().string(), "--model", other.model, "--ctx",
                std::to_string(other.ctx), "--parallel", std::to_string(other.dispatch_n)});
    EXPECT_EQ(result.exit_code, 3) << other << result;
    EXPECT_THAT(result.out, AllOf(StartsWith("CELL: "), HasSubstr("promotion_scope.valid_for.")))
        << other;
    // Still a cert that its trace bears out: only the name is wrong.
    EXPECT_EQ(BiTest({"verify", cert.string()}).exit_code, 0) << other;
  }
  const BinaryResult other_kv = BiTest({"promote", "--cert-dir", dir_.path().string(), "--model",
                                        "m", "--ctx", "4096", "--parallel", "4", "--kv", "q4_0"});
  EXPECT_EQ(other_kv.exit_code, 3);
  EXPECT_EQ(other_kv.out, "CELL: kv_label: found \"f16\", expected \"q4_0\"\n");
}

TEST_F(HostileFiles, ATraceOfAnotherRunDoesNotBearACertOut) {
  const RecordedRun good = WriteRun(dir_.path(), testing::CleanRecord({30, 4, 2}));
  Record record = testing::CleanRecord({30, 4, 2});
  testing::At(record, Arm::kC, 1, "w07").score = 0.0;
  record.header["provenance"]["finished_utc"] =
      *good.run.record.header.Find("provenance")->Find("finished_utc");
  WriteText(good.trace, testing_support::TraceText(record));
  const BinaryResult result = BiTest({"promote", "--cert-dir", dir_.path().string(), "--model", "m",
                                      "--ctx", "4096", "--parallel", "4"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(
      result.out,
      AllOf(StartsWith("NOT_VERIFIED: "),
            HasSubstr("\nNOT_VERIFIED: status: stored \"green\", recomputed \"failed\"\n")));
}

/// A run that goes on while its trace is read: what is judged is what the digest covers.
TEST_F(HostileFiles, ATraceThatGrowsIsReadAsFarAsItWent) {
  WriteText(file_, kHeader);
  constexpr int kLines = 20'000;  // bounded: a reader that never stops must not fill the disk
  const auto line = [](int i) {
    return R"({"arm":"A","pass":0,"test_id":")" + std::to_string(i) + "\",\"content\":\"" +
           std::string(200, 'x') + "\"}\n";
  };
  std::atomic<bool> done = false;
  std::thread writer([&] {
    std::ofstream out(file_, std::ios::app | std::ios::binary);
    for (int i = 0; i < kLines; ++i) out << line(i) << std::flush;
    done = true;
  });
  std::map<std::size_t, std::string> digests;  // by the number of trials read
  while (!done) {
    const Result<trace::DigestedRecord> result = trace::ReadTraceAndDigest(file_);
    if (result.ok()) {
      digests[result->record.trials.size()] = result->sha256;
    } else {
      EXPECT_THAT(result.error().message, StartsWith("the trace is truncated at line "));
    }
  }
  writer.join();
  EXPECT_FALSE(digests.empty());
  const std::string whole = testing_support::ReadText(file_);
  std::size_t n_trials = 0;
  std::size_t end = kHeader.size();
  for (const auto& [n, digest] : digests) {
    for (; n_trials < n; ++n_trials) end = whole.find('\n', end) + 1;
    EXPECT_EQ(digest, Sha256Hex(std::string_view(whole).substr(0, end))) << n << " trials";
  }
}

}  // namespace
}  // namespace bi_test
