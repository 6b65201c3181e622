#include "base/trim.h"

#include <algorithm>
#include <array>

namespace bi_test {
namespace {

using namespace std::string_view_literals;

// White_Space of the Unicode character database. No entry is the beginning or the end of another.
constexpr std::array kWhiteSpace = {" "sv,
                                    "\t"sv,
                                    "\n"sv,
                                    "\v"sv,
                                    "\f"sv,
                                    "\r"sv,
                                    "\xC2\x85"sv,
                                    "\xC2\xA0"sv,
                                    "\xE1\x9A\x80"sv,
                                    "\xE2\x80\x80"sv,
                                    "\xE2\x80\x81"sv,
                                    "\xE2\x80\x82"sv,
                                    "\xE2\x80\x83"sv,
                                    "\xE2\x80\x84"sv,
                                    "\xE2\x80\x85"sv,
                                    "\xE2\x80\x86"sv,
                                    "\xE2\x80\x87"sv,
                                    "\xE2\x80\x88"sv,
                                    "\xE2\x80\x89"sv,
                                    "\xE2\x80\x8A"sv,
                                    "\xE2\x80\xA8"sv,
                                    "\xE2\x80\xA9"sv,
                                    "\xE2\x80\xAF"sv,
                                    "\xE2\x81\x9F"sv,
                                    "\xE3\x80\x80"sv};

}  // namespace

std::string_view Trim(std::string_view text) {
  const auto leads = [&text](std::string_view space) { return text.starts_with(space); };
  const auto trails = [&text](std::string_view space) { return text.ends_with(space); };
  for (auto hit = std::ranges::find_if(kWhiteSpace, leads); hit != kWhiteSpace.end();
       hit = std::ranges::find_if(kWhiteSpace, leads)) {
    text.remove_prefix(hit->size());
  }
  for (auto hit = std::ranges::find_if(kWhiteSpace, trails); hit != kWhiteSpace.end();
       hit = std::ranges::find_if(kWhiteSpace, trails)) {
    text.remove_suffix(hit->size());
  }
  return text;
}

}  // namespace bi_test
