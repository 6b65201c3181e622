#include "run/arms.h"

#include "base/try.h"
#include "bi_test/judge.h"

namespace bi_test::run {

Status Arms::Run() {
  if (servers_.broken()) return Measure(nullptr);
  BI_TRY_SET(ServerHandle server, servers_.Launch(plan_.context.cell.cell.dispatch_n, "N"));
  BI_TRY(plan_.CountTokens(server.identity()));
  BI_TRY(Measure(&server));
  return server.Stop();
}

Status Arms::Measure(ServerHandle* server) {
  BI_TRY(servers_.Run(server, plan_.Serial(Arm::kB, 0)));
  BI_TRY(Concurrent(server));
  return servers_.Run(server, plan_.Control(Arm::kB, 1));
}

Status Arms::Concurrent(ServerHandle* server) {
  const double latency = MeanLatency(recorder_.record().trials, Arm::kB).value_or(0.0);
  for (int pass = 0; pass < plan_.sweep.run.passes; ++pass) {
    BI_TRY(servers_.Run(server, plan_.Concurrent(pass, latency)));
    if (plan_.context.options.fail_fast && DivergedBy(pass)) {
      recorder_.NoteStopAfter(pass);
      break;
    }
  }
  return {};
}

bool Arms::DivergedBy(int pass) const {
  Record so_far = recorder_.record();
  so_far.header["plan"]["passes"] = pass + 1;
  so_far.complete.reset();
  return Judge(so_far, plan_.sweep.policy).verdict == Verdict::kRed;
}

}  // namespace bi_test::run
