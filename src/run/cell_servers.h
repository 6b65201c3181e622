#pragma once

#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/cell_plan.h"
#include "run/pass.h"
#include "run/recorder.h"
#include "run/server_handle.h"
#include "server/launch_spec.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// What every launch with so many slots has in common; `sweep` has to outlive it.
[[nodiscard]] server::LaunchSpec LaunchSpecOf(const Sweep& sweep, const SweepCell& cell, int slots,
                                              const std::string& role);

/// The servers of one cell: one at a time, all one program (arms of two programs are no experiment
/// on batching), asked pass after pass. Once a pass found its server dead, or busy for good, no
/// later one is asked anything: all its trials are recorded as never sent.
class CellServers {
 public:
  CellServers(const CellPlan& plan, Recorder& recorder) : plan_(plan), recorder_(recorder) {}

  /// `role`: `A`, `A3`, `N`, for progress and the name of the log.
  [[nodiscard]] Result<ServerHandle> Launch(int slots, const std::string& role);

  /// `server` may be null once `broken()`. Errors: those after which no verdict can be given;
  /// faults of single requests are trials.
  [[nodiscard]] Status Run(ServerHandle* server, const Pass& pass);

  [[nodiscard]] bool broken() const { return broken_ != PassStop::kNone; }
  /// Of all launches so far.
  [[nodiscard]] const std::vector<server::ServerIdentity>& launches() const { return launches_; }

 private:
  [[nodiscard]] Status CheckSameProgram(const server::ServerIdentity& now,
                                        const std::string& role) const;

  const CellPlan& plan_;
  Recorder& recorder_;
  std::vector<server::ServerIdentity> launches_;
  PassStop broken_ = PassStop::kNone;
  std::string why_;
};

}  // namespace bi_test::run
