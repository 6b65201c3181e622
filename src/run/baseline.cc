#include "run/baseline.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "run/provenance.h"
#include "run/trace_header.h"

namespace bi_test::run {

Status Baseline::Run(std::optional<ServerHandle> server) {
  BI_TRY(OpenStore());
  BI_TRY(Ready("A", server));
  std::optional<Record> kept;
  if (store_) kept = store_->Load(server->identity(), plan_.items);
  BI_TRY(BeginTrace(kept));
  if (kept) {
    BI_TRY(recorder_.Replay(*std::move(kept)));
  } else {
    BI_TRY(Measure(server));
    if (servers_.broken()) return {};
  }
  BI_TRY(servers_.Run(&*server, plan_.Control(Arm::kA, 2)));
  if (store_ && RestartDiffers()) store_->Discard();
  return server->Stop();
}

Status Baseline::OpenStore() {
  if (!plan_.context.options.reuse_baseline || !plan_.context.launcher.loads_model()) return {};
  BI_TRY_SET(const Json subject,
             BaselineSubject(plan_.sweep, plan_.context.cell, plan_.model, plan_.items));
  const std::filesystem::path& dir = plan_.context.options.baseline_dir;
  plan_.context.Report("wait for baseline", 0, 1);
  BI_TRY_SET(store_, BaselineStore::Open(dir.empty() ? recorder_.files().dir / "baselines" : dir,
                                         subject, plan_.context.clock));
  return {};
}

Status Baseline::Ready(const char* role, std::optional<ServerHandle>& server) {
  if (!server) {
    BI_TRY_SET(server, servers_.Launch(1, role));
  }
  return plan_.CountTokens(server->identity());
}

Status Baseline::BeginTrace(const std::optional<Record>& kept) {
  Json header = TraceHeader(plan_, servers_.launches());
  header["baseline"] = Origin(kept);
  return recorder_.Begin(
      std::move(header),
      SubjectDigest(plan_.sweep, plan_.context.cell, plan_.model, servers_.launches().front()));
}

Status Baseline::Measure(std::optional<ServerHandle>& server) {
  BI_TRY(servers_.Run(&*server, plan_.Serial(Arm::kA, 0)));
  BI_TRY(servers_.Run(&*server, plan_.Serial(Arm::kA, 1)));
  const server::ServerIdentity identity = server->identity();
  BI_TRY(server->Stop());
  server.reset();
  if (servers_.broken()) return {};
  if (store_) BI_TRY(store_->Store(recorder_.record(), identity));
  return Ready("A3", server);
}

/// `baseline` of the header.
Json Baseline::Origin(const std::optional<Record>& kept) const {
  Json out;
  out["reused"] = kept.has_value();
  out["key"] = store_ ? Json(store_->key()) : Json();
  out["not_reused_because"] =
      store_ && !store_->why_not().empty() ? Json(store_->why_not()) : Json();
  const Json* origin = kept ? kept->header.Find("provenance") : nullptr;
  for (const char* key : {"run_id", "finished_utc"}) {
    const Json* value = origin == nullptr ? nullptr : origin->Find(key);
    out[key] = value == nullptr ? Json() : *value;
  }
  return out;
}

/// Whether the fresh launch answered otherwise: then no other cell may build on this baseline.
bool Baseline::RestartDiffers() const {
  const std::vector<Trial>& trials = recorder_.record().trials;
  std::map<std::string_view, const Trial*> first;
  for (const Trial& trial : trials) {
    if (trial.arm == Arm::kA && trial.pass == 0) first.emplace(trial.test_id, &trial);
  }
  return std::ranges::any_of(trials, [&first](const Trial& trial) {
    if (trial.arm != Arm::kA || trial.pass != 2) return false;
    const auto it = first.find(trial.test_id);
    return it == first.end() || !(it->second->content == trial.content) ||
           it->second->token_ids != trial.token_ids || !trial.phase.empty();
  });
}

}  // namespace bi_test::run
