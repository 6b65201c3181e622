#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "base/safe_text.h"
#include "base/utf8.h"
#include "trace/trace.h"
#include "trace/trial_columns.h"

namespace bi_test::trace {
namespace {

/// Random records, with the values that break writers and readers of JSON.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Record MakeRecord() {
    Record record;
    record.cell = {Text(), Int(1, 1 << 20), Int(2, 64), Text()};
    record.source = Chance(2) ? "live" : "mock";
    record.header = Json::Object{};
    for (int i = Int(0, 3); i > 0; --i) record.header["h" + Text()] = Value(3);
    if (Chance(2)) record.header["expects_end"] = true;
    record.header = FullHeader(record);
    for (int i = Int(0, 12); i > 0; --i) record.trials.push_back(MakeTrial(i));
    for (int i = Int(0, 3); i > 0; --i) record.evidence.push_back(MakeEvidence(i));
    if (Chance(2)) {
      record.complete = true;
    } else if (record.header.Find("expects_end") != nullptr) {
      record.complete = false;
    }
    return record;
  }

  std::string Text() {
    static const std::string kPieces[] = {"a",
                                          "\"",
                                          "\\",
                                          "\n",
                                          "\x7F",
                                          "\xC3\xA9",
                                          "\xFF",
                                          "\xED\xA0\x80",
                                          "\xED\xB0\x80",
                                          "\xEF\xB7\x90",
                                          "\xC2\x80",
                                          "\xC3\xBF",
                                          "\xF0\x9F\x99\x82",
                                          "\xE2\x80\xA8",
                                          std::string(1, '\0'),
                                          "\\ud800"};
    std::string out;
    for (int i = Int(0, 6); i > 0; --i) {
      out += kPieces[static_cast<std::size_t>(Int(0, static_cast<int>(std::size(kPieces)) - 1))];
    }
    return out;
  }

 private:
  int Int(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool Chance(int in) { return Int(1, in) == 1; }
  double Finite() {
    for (;;) {
      const double value = Chance(4) ? 0.1 * Int(-100, 100) : std::bit_cast<double>(random_());
      if (std::isfinite(value)) return value;
    }
  }
  std::int64_t Integer() { return Chance(2) ? Int(-5, 5) : static_cast<std::int64_t>(random_()); }

  Json Value(int depth) {
    switch (Int(0, depth > 0 ? 9 : 7)) {
      case 0:
        return {};
      case 1:
        return Chance(2);
      case 2:
        return Integer();
      case 3:
        return random_();
      case 4:
        return Finite();
      case 5:
        return std::copysign(INFINITY, Chance(2) ? 1.0 : -1.0);
      case 6:
      case 7:
        return Text();
      case 8: {
        Json::Array array;
        for (int i = Int(0, 3); i > 0; --i) array.push_back(Value(depth - 1));
        return array;
      }
      default: {
        Json::Object object;
        for (int i = Int(0, 3); i > 0; --i) object[Text()] = Value(depth - 1);
        return object;
      }
    }
  }

  Trial MakeTrial(int number) {
    Trial trial;
    trial.arm = static_cast<Arm>(Int(0, 2));
    trial.pass = Int(0, 3);
    trial.test_id = std::to_string(number) + Text();
    if (Chance(8)) {
      Json row = Value(2);
      trial.malformed_row = row.is_object() ? Json() : row;
      return trial;
    }
    for (const TrialColumn& column : TrialColumns()) {
      if (Chance(2)) continue;
      if (column.json != nullptr) {
        trial.*column.json = column.strict ? Json(Text()) : Value(3);
      }
      if (column.number != nullptr) trial.*column.number = Finite();
      if (column.integer != nullptr) trial.*column.integer = Integer();
      if (column.words != nullptr) trial.*column.words = Text();
      if (column.integers != nullptr) {
        (trial.*column.integers).emplace();
        for (int i = Int(0, 3); i > 0; --i) (trial.*column.integers)->push_back(Integer());
      }
      if (column.numbers != nullptr) {
        (trial.*column.numbers).emplace();
        for (int i = Int(0, 3); i > 0; --i) (trial.*column.numbers)->push_back(Finite());
      }
    }
    trial.retry_attempts = Int(0, 2);
    return trial;
  }

  PassEvidence MakeEvidence(int pass) {
    PassEvidence evidence;
    evidence.pass = pass;
    if (Chance(2)) evidence.server_peak_busy_slots = Integer();
    if (Chance(2)) evidence.mean_busy_slots = Finite();
    if (Chance(2)) evidence.decode_calls = Integer();
    if (Chance(2)) evidence.tokens_decoded = Integer();
    if (Chance(2)) evidence.polls = Integer();
    if (Chance(2)) evidence.missed_polls = Integer();
    evidence.counter_reset = Chance(2);
    if (Chance(2)) evidence.wall_s = Finite();
    return evidence;
  }

  std::mt19937_64 random_;
};

std::string WrittenTrace(const Record& record) {
  std::string text = HeaderLine(record);
  for (const Trial& trial : record.trials) text += TrialLine(trial);
  for (const PassEvidence& evidence : record.evidence) text += EvidenceLine(evidence);
  if (record.complete == true) text += EndLine(record);
  return text;
}

TEST(TraceProperty, ReadingWhatWasWrittenGivesTheSameRecord) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Record record = Generator(seed).MakeRecord();
    const std::string text = WrittenTrace(record);
    const Result<Record> read = ParseTrace(text);
    ASSERT_TRUE(read.ok()) << read.error().Text() << "\n" << Printable(text, 4000);
    ASSERT_TRUE(*read == record) << Printable(text, 4000);
  }
}

TEST(TraceProperty, WhatIsWrittenIsUtf8WithoutControlCharacters) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string text = WrittenTrace(Generator(seed).MakeRecord());
    EXPECT_EQ(FindInvalidUtf8(text), std::nullopt) << "seed " << seed;
    for (const char c : text) {
      ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << "seed " << seed;
    }
  }
}

TEST(TraceProperty, EveryCutIsNoticedOrKeepsWholeLines) {
  const std::string text = WrittenTrace(Generator(3).MakeRecord());
  const std::size_t header = text.find('\n');
  for (std::size_t n = 1; n < text.size(); ++n) {
    const Result<Record> read = ParseTrace(text.substr(0, n));
    const bool at_line_end = text[n - 1] == '\n' || text[n] == '\n';
    EXPECT_EQ(read.ok(), at_line_end && n >= header) << n;
  }
}

TEST(TraceProperty, TheTextOfATrialIsNeverTakenForAnotherText) {
  // Pairs that other escapings confuse.
  const std::string texts[] = {"\xFF",
                               "\xC3\xBF",
                               "\xEF\xB7\x90\xC3\xBF",
                               "\xED\xB3\xBF",
                               "\xEF\xB7\x90",
                               "\xEF\xB7\x90\xEF\xB7\x90",
                               "\\ufdd0\\u00ff",
                               "\xED\xA0\x80\xED\xB0\x80",
                               "\xF0\x90\x80\x80"};
  for (const std::string& text : texts) {
    Record record;
    record.cell = {"m", 1, 2, "f16"};
    record.header = FullHeader(record);
    record.trials.resize(1);
    record.trials[0].content = text;
    const Result<Record> read = ParseTrace(WrittenTrace(record));
    ASSERT_TRUE(read.ok()) << read.error().Text();
    EXPECT_EQ(*read->trials[0].content.if_string(), text);
  }
}

}  // namespace
}  // namespace bi_test::trace
