#include "unit/approved.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

namespace bi_test::testing_support {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string Normalised(const std::string& text) {
  static const std::regex kUtc("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z?");
  static const std::regex kTime(" time=\"[0-9]+\\.[0-9]+\"");
  return std::regex_replace(std::regex_replace(text, kUtc, "<utc>"), kTime, " time=\"*\"");
}

void ExpectApproved(const std::string& file, const std::string& text) {
  const std::string approved = std::string(BI_TEST_APPROVED_DIR "/").append(file);
  const std::string normalised = Normalised(text);
  if (normalised == ReadFile(approved)) return;
  const std::string received = testing::TempDir().append("received_").append(file);
  std::ofstream(received, std::ios::binary) << normalised;
  ADD_FAILURE() << "not as approved; compare: diff " << approved << " " << received;
}

}  // namespace bi_test::testing_support
