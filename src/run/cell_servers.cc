#include "run/cell_servers.h"

#include <utility>

#include "base/try.h"
#include "bi_test/sanitize.h"

namespace bi_test::run {

server::LaunchSpec LaunchSpecOf(const Sweep& sweep, const SweepCell& cell, int slots,
                                const std::string& role) {
  server::LaunchSpec spec;
  spec.server = &sweep.server;
  spec.model = &sweep.models[cell.model_index];
  spec.guard = &sweep.guard;
  spec.ctx = cell.cell.ctx;
  spec.slots = slots;
  spec.role = role;
  return spec;
}

Result<ServerHandle> CellServers::Launch(int slots, const std::string& role) {
  plan_.context.Report("launch " + role, 0, 1);
  server::LaunchSpec spec = LaunchSpecOf(plan_.sweep, plan_.context.cell, slots, role);
  spec.run_deadline = plan_.context.clock.deadline;
  spec.log_file = recorder_.ServerLog(role);
  Result<ServerHandle> server = plan_.context.launcher.Launch(spec);
  if (!server.ok()) return server;
  BI_TRY(CheckSameProgram(server->identity(), role));  // The handle stops its server.
  launches_.push_back(server->identity());
  return server;
}

Status CellServers::Run(ServerHandle* server, const Pass& pass) {
  plan_.context.Report(pass.label, 0, pass.order.size());
  const PassContext context{plan_.context, plan_.sweep, *plan_.dialect,
                            *plan_.scorer, plan_.items, recorder_.trace()};
  PassResult result =
      broken() ? SkipPass(context, pass, broken_, why_) : RunPass(context, *server, pass);
  if (result.stop == PassStop::kServerDied || result.stop == PassStop::kNotIdle) {
    broken_ = result.stop;
    why_ = result.stop_text;
  }
  return recorder_.Add(std::move(result));
}

Status CellServers::CheckSameProgram(const server::ServerIdentity& now,
                                     const std::string& role) const {
  if (launches_.empty()) return {};
  const server::ServerIdentity& first = launches_.front();
  const bool same_file = now.program_sha256 == first.program_sha256;
  if (same_file && now.build == first.build) return {};
  return Error{ErrorCode::kServer,
               "server " + role + " is not the program of the first launch: " +
                   (same_file ? "it reports the build `" + SanitizeText(now.build, 200) +
                                    "`, the first was `" + SanitizeText(first.build, 200) + "`"
                              : std::string("its file has another digest")) +
                   "; leave the server program alone while a cell runs, then run it again",
               plan_.context.cell.test_name};
}

}  // namespace bi_test::run
