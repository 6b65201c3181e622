#pragma once

#include <optional>

#include "bi_test/json.h"
#include "bi_test/record.h"
#include "bi_test/result.h"
#include "run/baseline_store.h"
#include "run/cell_plan.h"
#include "run/cell_servers.h"
#include "run/recorder.h"
#include "run/server_handle.h"

namespace bi_test::run {

/// The arms on one slot. A and A2 come from an earlier cell where one measured the very same; A3 is
/// always asked of a launch that A was not. Begins the trace.
class Baseline {
 public:
  Baseline(CellPlan& plan, CellServers& servers, Recorder& recorder)
      : plan_(plan), servers_(servers), recorder_(recorder) {}

  /// `server`: one with one slot that is up already, if any.
  [[nodiscard]] Status Run(std::optional<ServerHandle> server);

 private:
  [[nodiscard]] Status OpenStore();
  /// Launches unless `server` is up, and has the prompts counted on it.
  [[nodiscard]] Status Ready(const char* role, std::optional<ServerHandle>& server);
  [[nodiscard]] Status BeginTrace(const std::optional<Record>& kept);
  /// A and A2, and then a fresh server in the place of theirs, unless that broke.
  [[nodiscard]] Status Measure(std::optional<ServerHandle>& server);
  [[nodiscard]] Json Origin(const std::optional<Record>& kept) const;
  [[nodiscard]] bool RestartDiffers() const;

  CellPlan& plan_;
  CellServers& servers_;
  Recorder& recorder_;
  std::optional<BaselineStore> store_;
};

}  // namespace bi_test::run
