#pragma once

#include <string>

namespace bi_test::testing_support {

/// Replaces what differs from run to run: UTC instants become `<utc>`, JUnit durations `time="*"`.
[[nodiscard]] std::string Normalised(const std::string& text);

/// Fails unless the normalised text equals the file of that name under tests/unit/approved. On
/// failure the text is left in the temporary folder, to be looked at and copied over if it is
/// right.
void ExpectApproved(const std::string& file, const std::string& text);

}  // namespace bi_test::testing_support
