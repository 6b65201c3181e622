#pragma once

#include <chrono>

#include "bi_test/result.h"
#include "run/cell_plan.h"
#include "run/cell_servers.h"
#include "run/recorder.h"
#include "run/server_handle.h"

namespace bi_test::run {

/// The arms on N slots, all on one launch: B, then C in all its passes, then B2.
class Arms {
 public:
  Arms(CellPlan& plan, CellServers& servers, Recorder& recorder)
      : plan_(plan), servers_(servers), recorder_(recorder) {}

  /// Launches nothing when the baseline broke: there is nothing to compare with, and a model with
  /// the memory of N slots is dear.
  [[nodiscard]] Status Run();

 private:
  [[nodiscard]] Status Measure(ServerHandle* server);
  [[nodiscard]] Status Concurrent(ServerHandle* server);
  [[nodiscard]] bool DivergedBy(int pass) const;

  CellPlan& plan_;
  CellServers& servers_;
  Recorder& recorder_;
};

}  // namespace bi_test::run
