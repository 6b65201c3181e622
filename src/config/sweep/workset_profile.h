#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "config/sweep/sweep_reader.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {

/// A kind of work-set that another component brings: `workset: {profile: NAME, ...}`.
struct WorksetProfile {
  std::string name;
  /// Reads the mapping `workset`, which has this profile: sets the maker and the name of the
  /// work-set, and adds its mistakes.
  void (*read)(const SweepReader& reader, const YamlNode& workset) = nullptr;
};

/// Makes a profile known by its name. Fails on a name that is taken. Call it before sweep files are
/// read: there is no lock.
[[nodiscard]] Status RegisterProfile(WorksetProfile profile);

/// Null for a name that nobody registered.
[[nodiscard]] const WorksetProfile* FindProfile(std::string_view name);

/// What is allowed as `profile` in this program, and for `spark` how a program gets it.
[[nodiscard]] std::string AllowedProfiles();

}  // namespace bi_test::config
