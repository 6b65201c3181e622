#include "config/sweep/workset_profile.h"

#include <utility>

namespace bi_test::config {
namespace {

std::vector<WorksetProfile>& Profiles() {
  static auto* const profiles = new std::vector<WorksetProfile>();  // outlives every static user
  return *profiles;
}

}  // namespace

Status RegisterProfile(WorksetProfile profile) {
  if (FindProfile(profile.name) != nullptr) {
    return Error{ErrorCode::kUsage,
                 "found a second profile named \"" + profile.name + "\", allowed: one of each name",
                 "RegisterProfile"};
  }
  Profiles().push_back(std::move(profile));
  return {};
}

const WorksetProfile* FindProfile(std::string_view name) {
  for (const WorksetProfile& profile : Profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

std::string AllowedProfiles() {
  std::vector<std::string> names;
  for (const WorksetProfile& profile : Profiles()) names.push_back(profile.name);
  if (FindProfile("spark") != nullptr) return Joined(names);
  return (names.empty() ? "none, for this program has no profile" : Joined(names)) +
         "; spark is the component bi_test::spark: build bi_test with -DBI_TEST_SPARK=ON, and in a "
         "program of your own link it and call bi_test::RegisterSpark() first (docs/spark.md)";
}

}  // namespace bi_test::config
