#include "spark/answer_text.h"

#include <algorithm>
#include <charconv>

#include "base/trim.h"
#include "base/utf8.h"
#include "spark/family.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

constexpr std::size_t kMostDigits = 18;
constexpr std::size_t kCodeLength = 8;

bool IsCodeCharacter(char c) { return IsDigit(c) || (c >= 'A' && c <= 'Z'); }

// Letters of other alphabets; signs such as a multiplication cross or a quotation mark are none.
bool IsForeignLetter(std::uint32_t c) {
  return (c >= 0xC0 && c <= 0x1FFF && c != 0xD7 && c != 0xF7) || (c >= 0x3040 && c <= 0xD7FF);
}

// Whether a number may begin at `at`.
bool BeginsNumber(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (static_cast<unsigned char>(before) < 0x80) return !IsWordCharacter(before) && before != '.';
  const Utf8Step step = NextUtf8(text, SequenceStart(text, at - 1));
  return !step.valid || !IsForeignLetter(step.code_point);
}

// Whether the text before a number says that it is the answer.
bool IsMarked(std::string_view before) {
  constexpr std::string_view kBetween = " \t*_`\"'$(:";
  const std::size_t end = before.find_last_not_of(kBetween);
  if (end == before.npos) return false;
  if (before[end] == '=') return true;
  before = before.substr(0, end + 1);
  for (const std::string_view word : {std::string_view("is"), std::string_view("answer")}) {
    if (before.size() < word.size()) continue;
    const std::size_t begin = before.size() - word.size();
    if (LowerAscii(before.substr(begin)) != word) continue;
    if (begin == 0 || !IsWordCharacter(before[begin - 1])) return true;
  }
  return false;
}

std::size_t CountDigits(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && IsDigit(text[at + n])) ++n;
  return n;
}

// A number written at one place, whatever its kind.
struct Numeral {
  std::string digits;
  std::size_t end = 0;
  bool integer = true;
};

// `separate_until`: up to there commas part numbers, because an earlier look at them said so;
// without it a long list would be looked at again from each of its numbers.
Numeral ReadNumeral(std::string_view text, std::size_t at, std::size_t& separate_until) {
  Numeral out;
  std::size_t n = CountDigits(text, at);
  out.digits = text.substr(at, n);
  out.end = at + n;
  // `1,234`: groups of three only, and none longer.
  if (n <= 3 && at >= separate_until) {
    std::string grouped = out.digits;
    std::size_t end = out.end;
    while (end < text.size() && text[end] == ',' && CountDigits(text, end + 1) == 3) {
      grouped += text.substr(end + 1, 3);
      end += 4;
    }
    const bool goes_on =
        end < text.size() && text[end] == ',' && CountDigits(text, end + 1) > 0 && end > out.end;
    if (goes_on) {
      separate_until = end;
    } else {
      out.digits = std::move(grouped);
      out.end = end;
    }
  }
  if (out.end < text.size() && text[out.end] == '.' && CountDigits(text, out.end + 1) > 0) {
    n = CountDigits(text, out.end + 1);
    out.integer = text.substr(out.end + 1, n).find_first_not_of('0') == text.npos;
    out.end += 1 + n;
  }
  if (out.end < text.size() && (text[out.end] == 'e' || text[out.end] == 'E')) {
    std::size_t exponent = out.end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    n = CountDigits(text, exponent);
    if (n > 0) {
      out.integer = false;
      out.end = exponent + n;
    }
  }
  return out;
}

// The month a word names, 1 to 12, in full or by its first three letters; 0 for any other word.
int MonthOf(std::string_view word) {
  const std::string lower = LowerAscii(word);
  int month = 0;
  for (const std::string_view name : MonthNames()) {
    ++month;
    const std::string full = LowerAscii(name);
    if (lower == full || (lower.size() == 3 && full.starts_with(lower))) return month;
  }
  return 0;
}

struct Word {
  std::string_view text;
  bool is_number = false;
  int value = 0;
};

// Letters and digits apart: `5th` is 5 and th. Other characters only separate, but a hyphen between
// numbers is kept, for dates written with it.
std::vector<Word> SplitWords(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (IsDigit(text[i])) {
      end = i + CountDigits(text, i);
      Word word{text.substr(i, end - i), true, 0};
      if (word.text.size() <= 4) {
        std::from_chars(word.text.data(), word.text.data() + word.text.size(), word.value);
      }
      words.push_back(word);
    } else if (IsLetter(text[i])) {
      while (end < text.size() && IsLetter(text[end])) ++end;
      words.push_back({text.substr(i, end - i)});
    } else if (text[i] == '-') {
      words.push_back({text.substr(i, 1)});
    }
    i = end;
  }
  return words;
}

bool IsOrdinalEnd(std::string_view word) {
  const std::string lower = LowerAscii(word);
  return lower == "st" || lower == "nd" || lower == "rd" || lower == "th";
}

}  // namespace

std::string Normalised(std::string_view text) {
  constexpr std::string_view kMarks = " \t\r\n\"'`.,;:!?()[]{}<>";
  text = Trim(text);
  const std::size_t begin = text.find_first_not_of(kMarks);
  if (begin == text.npos) return {};
  text = text.substr(begin, text.find_last_not_of(kMarks) - begin + 1);
  return LowerAscii(Trim(text));
}

std::vector<FoundInteger> FindIntegers(std::string_view text) {
  std::vector<FoundInteger> out;
  std::size_t separate_until = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    const Numeral numeral = ReadNumeral(text, at, separate_until);
    const bool counts =
        BeginsNumber(text, at) && numeral.integer && numeral.digits.size() <= kMostDigits;
    if (counts) {
      std::size_t begin = at;
      if (at > 0 && text[at - 1] == '-') {
        constexpr std::string_view kClosing = ")]}";
        const bool subtracts =
            at > 1 && (IsDigit(text[at - 2]) || kClosing.find(text[at - 2]) != kClosing.npos);
        if (!subtracts) begin = at - 1;
      }
      FoundInteger found;
      std::from_chars(numeral.digits.data(), numeral.digits.data() + numeral.digits.size(),
                      found.value);
      if (begin < at) found.value = -found.value;
      found.marked = IsMarked(text.substr(0, begin));
      out.push_back(found);
    }
    at = numeral.end;
  }
  return out;
}

std::optional<std::int64_t> AnswerInteger(std::string_view text) {
  const std::vector<FoundInteger> found = FindIntegers(text);
  if (found.empty()) return std::nullopt;
  const auto marked = std::find_if(found.rbegin(), found.rend(),
                                   [](const FoundInteger& integer) { return integer.marked; });
  return marked == found.rend() ? found.back().value : marked->value;
}

std::vector<std::string> FindCodes(std::string_view text) {
  std::vector<std::string> codes;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordCharacter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.size() == kCodeLength && std::ranges::all_of(word, IsCodeCharacter)) {
      codes.emplace_back(word);
    }
    at = end + 1;
  }
  return codes;
}

std::vector<CalendarDay> FindDates(std::string_view text) {
  std::vector<CalendarDay> dates;
  std::vector<Word> words = SplitWords(text);
  std::erase_if(words, [](const Word& word) { return IsOrdinalEnd(word.text); });
  const auto number = [&words](std::size_t i) { return i < words.size() && words[i].is_number; };
  const auto add = [&dates](int year, int month, int day) {
    if (year < 1000 || month < 1 || month > 12 || day < 1 || day > 31) return;
    dates.push_back({year, month, day});
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].is_number) {
      const int month = MonthOf(words[i].text);
      if (month == 0) continue;
      if (number(i + 1) && number(i + 2)) {
        add(words[i + 2].value, month, words[i + 1].value);
      } else if (i > 0 && words[i - 1].is_number && number(i + 1)) {
        add(words[i + 1].value, month, words[i - 1].value);
      }
    } else if (i + 4 < words.size() && words[i + 1].text == "-" && number(i + 2) &&
               words[i + 3].text == "-" && number(i + 4)) {
      add(words[i].value, words[i + 2].value, words[i + 4].value);
    }
  }
  return dates;
}

FoundJson FindObject(std::string_view text) {
  JsonLimits limits = kAnswerLimits;
  limits.tolerate_broken_text = false;
  return FindFirstJson(text, "{", limits);
}

std::string_view FirstLine(std::string_view text) {
  text = Trim(text);
  return Trim(text.substr(0, text.find_first_of("\r\n")));
}

std::string JoinedWords(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

}  // namespace bi_test::spark
