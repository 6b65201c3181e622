#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "bi_test/driver.h"
#include "bi_test/judge.h"
#include "bi_test/sanitize.h"
#include "bi_test/version.h"
#include "files/atomic_file.h"
#include "process/interrupt.h"
#include "run/answer_scorer.h"
#include "run/arm.h"
#include "run/arrival.h"
#include "run/attempts.h"
#include "run/baseline.h"
#include "run/cell_files.h"
#include "run/dispatch_order.h"
#include "run/fragile_workset.h"
#include "run/launcher.h"
#include "run/made_workset.h"
#include "run/prepared_item.h"
#include "run/provenance.h"
#include "run/request_json.h"
#include "run/server_handle.h"
#include "run/spark_workset.h"
#include "run/token_counts.h"
#include "server/dialects/registry.h"
#include "trace/trace.h"
#include "verdict/pass_name.h"

namespace bi_test {
namespace run {
namespace {

using std::chrono::microseconds;

/// One run of one cell, from the out dir to the cert. Lives for one call.
class CellRunner {
 public:
  CellRunner(const Sweep& sweep, const SweepCell& cell, const RunOptions& options,
             const Launcher& launcher)
      : own_(sweep.spark || sweep.made ? std::optional(sweep) : std::nullopt),
        sweep_(own_ ? *own_ : sweep),
        cell_(cell),
        model_(sweep.models[cell.model_index]),
        options_(options),
        launcher_(launcher) {
    clock_.deadline = clock_.start + sweep.run.run_timeout;
    run_.cell = cell.cell;
    run_.record.cell = cell.cell;
    run_.record.source = launcher.source();
    run_id_ = NewRunId();
    started_utc_ = NowUtc();
  }

  CellRun Run() {
    const std::filesystem::path& out_dir =
        options_.out_dir.empty() ? sweep_.output.dir : options_.out_dir;
    Result<CellFiles> files = NameCellFiles(out_dir, cell_.cell, run_id_);
    if (!files.ok()) return Refuse(files.error());
    files_ = std::move(*files);
    Result<AttemptLedger> ledger = AttemptLedger::Open(files_.attempts);
    if (!ledger.ok()) return Refuse(ledger.error());
    ledger_.emplace(std::move(*ledger));
    if (Status status = SetEarlierRunAside(files_, *ledger_); !status.ok()) {
      return Refuse(status.error());
    }

    if (sweep_.guard.require_acknowledgement && !options_.acknowledged && launcher_.loads_model()) {
      return Refuse(
          Error{ErrorCode::kRefused,
                "guard.require_acknowledgement is set and nobody acknowledged the launch: "
                "nothing was launched; look at `bi-test plan`, then run with "
                "--acknowledge (bi-test) or --bi_test_acknowledge (test program)",
                sweep_.file});
    }
    if (Status status = Measure(); !status.ok()) return Refuse(status.error());
    Report("judge", 0, 1);
    if (Status status = JudgeAndWrite(); !status.ok()) return Refuse(status.error());
    run_.wall_s = Elapsed();
    return std::move(run_);
  }

 private:
  double Elapsed() const { return clock_.Seconds(Clock::now()); }

  void Report(const std::string& arm, int done, int total) const {
    if (!options_.on_progress) return;
    options_.on_progress(Progress{cell_.test_name, arm, done, total, Elapsed()});
  }

  CellRun Refuse(const Error& error) {
    run_.error = error;
    run_.judgement = Judgement{};
    if (!files_.dir.empty()) {
      const Status written = WriteRefusal(files_, cell_.cell, error, NowUtc());
      if (written.ok()) {
        run_.refusal_path = files_.refusal.string();
      } else {
        run_.error->message +=
            "; the refusal file could not be written either: " + written.error().Text();
      }
    }
    // A launch that a guard refused has no log.
    std::erase_if(run_.server_logs, [](const std::string& log) {
      std::error_code code;
      return !std::filesystem::exists(log, code);
    });
    if (trace_ != nullptr) run_.trace_path = files_.trace.string();
    run_.wall_s = Elapsed();
    return std::move(run_);
  }

  Status PrepareItems() {
    Result<const server::Dialect*> dialect = server::FindDialect(sweep_.server.kind);
    if (!dialect.ok()) return dialect.error();
    dialect_ = *dialect;
    Result<std::unique_ptr<AnswerScorer>> scorer = MakeAnswerScorer(sweep_, clock_);
    if (!scorer.ok()) return scorer.error();
    scorer_ = *std::move(scorer);
    Result<Json> identity = ScorerIdentity(sweep_);
    if (!identity.ok()) return identity.error();
    scorer_identity_ = *std::move(identity);
    if (Status status = ReadModel(); !status.ok()) return status;
    if (Status status = MakeWorkset(); !status.ok()) return status;
    Result<std::vector<PreparedItem>> items = run::PrepareItems(sweep_, cell_, *dialect_);
    if (!items.ok()) return items.error();
    items_ = std::move(*items);
    return {};
  }

  Status ReadModel() {
    if (!launcher_.loads_model()) return {};
    Result<ModelFacts> facts = ReadModelFacts(model_.path);
    if (!facts.ok()) return facts.error();
    model_facts_ = std::move(*facts);
    if (model_.sha256.empty() || model_.sha256 == model_facts_.sha256) return {};
    return Error{ErrorCode::kRefused,
                 "found the SHA-256 " + model_facts_.sha256 + ", the registry says " +
                     model_.sha256 +
                     ": fetch the file again, or write its digest into the registry",
                 model_.path.string()};
  }

  /// Rows that are made for the cell need its tokenizer: the 1-slot server is launched for it and
  /// stays up for arm A. Before the baseline is looked for, because the bytes of the requests are
  /// in its key.
  Status MakeWorkset() {
    if (!own_) return {};
    Result<ServerHandle> server = Launch(1, "A");
    if (!server.ok()) return server.error();
    Report("make work-set", 0, 1);
    Result<Workset> workset = MakeRows(*server);
    if (!workset.ok()) return workset.error();
    own_->workset = std::move(*workset);
    first_server_ = std::move(*server);
    return {};
  }

  Result<Workset> MakeRows(ServerHandle& server) {
    if (sweep_.spark) {
      return MakeSparkWorkset(sweep_, cell_.cell, *dialect_, server.identity(), clock_);
    }
    if (sweep_.made->kind == MadeWorkset::Kind::kLengths) {
      return MakeLengths(sweep_, cell_, *dialect_, server.identity(), clock_);
    }
    std::filesystem::path trace = files_.trace;
    trace.replace_filename(files_.stem + ".pool.trace.jsonl");
    Result<FragileChoice> choice = MakeFragile(
        {sweep_, cell_, *dialect_, *scorer_, server, clock_, trace,
         [this](const std::string& label, int done, int total) { Report(label, done, total); }});
    if (!choice.ok()) return choice.error();
    run_.requests_sent += choice->requests_sent;
    return std::move(choice->workset);
  }

  Result<ServerHandle> Launch(int slots, const std::string& role) {
    Report("launch " + role, 0, 1);
    server::LaunchSpec spec;
    spec.server = &sweep_.server;
    spec.model = &model_;
    spec.guard = &sweep_.guard;
    spec.ctx = cell_.cell.ctx;
    spec.slots = slots;
    spec.role = role;
    spec.run_deadline = clock_.deadline;
    spec.log_file = files_.ServerLog(role);
    run_.server_logs.push_back(spec.log_file.string());
    Result<ServerHandle> server = launcher_.Launch(spec);
    if (!server.ok()) return server;
    if (Status status = CheckSameProgram(server->identity(), role); !status.ok()) {
      return status.error();  // The handle stops its server.
    }
    launches_.push_back(server->identity());
    return server;
  }

  /// Arms of two programs are no experiment on batching.
  Status CheckSameProgram(const server::ServerIdentity& now, const std::string& role) const {
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
                 cell_.test_name};
  }

  Status CountTokens(ServerHandle& server) {
    for (PreparedItem& item : items_) item.prompt_tokens_measured.reset();
    return MeasurePromptTokens(*dialect_, server.identity(), sweep_, cell_.cell, clock_, items_);
  }

  /// All arms. An error means that no verdict can be given; faults of single requests are trials.
  Status Measure() {
    if (Status status = PrepareItems(); !status.ok()) return status;
    if (Status status = MeasureBaseline(); !status.ok()) return status;
    {
      Result<ServerHandle> server = Launch(cell_.cell.dispatch_n, "N");
      if (!server.ok()) return server.error();
      if (Status status = CountTokens(*server); !status.ok()) return status;
      if (Status status = Serial(*server, Arm::kB, 0, "B"); !status.ok()) return status;
      if (Status status = Concurrent(*server); !status.ok()) return status;
      if (Status status = Sample(*server, Arm::kB, 1, "B2"); !status.ok()) return status;
      if (Status status = server->Stop(); !status.ok()) return status;
    }
    return {};
  }

  /// Arms A, A2 and A3: the first two from an earlier cell where one measured the very same, the
  /// last always on a launch of its own.
  Status MeasureBaseline() {
    std::optional<BaselineStore> store;
    if (options_.reuse_baseline && launcher_.loads_model()) {
      Result<Json> subject = BaselineSubject(sweep_, cell_, model_facts_, items_);
      if (!subject.ok()) return subject.error();
      const std::filesystem::path dir =
          options_.baseline_dir.empty() ? files_.dir / "baselines" : options_.baseline_dir;
      Report("wait for baseline", 0, 1);
      Result<BaselineStore> opened = BaselineStore::Open(dir, *subject, clock_);
      if (!opened.ok()) return opened.error();
      store.emplace(std::move(*opened));
    }
    std::optional<ServerHandle> server;
    if (Status status = LaunchAndCount("A", server); !status.ok()) return status;
    std::optional<Record> kept;
    if (store) kept = store->Load(server->identity(), items_);
    NoteBaseline(store, kept);
    if (Status status = OpenTrace(); !status.ok()) return status;
    if (kept) {
      if (Status status = Replay(std::move(*kept)); !status.ok()) return status;
    } else {
      if (Status status = Serial(*server, Arm::kA, 0, "A"); !status.ok()) return status;
      if (Status status = Serial(*server, Arm::kA, 1, "A2"); !status.ok()) return status;
      const server::ServerIdentity identity = server->identity();
      if (Status status = server->Stop(); !status.ok()) return status;
      server.reset();
      if (broken_ != ArmStop::kNone) return {};
      if (store) {
        if (Status status = store->Store(run_.record, identity); !status.ok()) return status;
      }
      if (Status status = LaunchAndCount("A3", server); !status.ok()) return status;
    }
    if (Status status = Sample(*server, Arm::kA, 2, "A3"); !status.ok()) return status;
    if (store && RestartDiffers()) store->Discard();
    return server->Stop();
  }

  Status LaunchAndCount(const std::string& role, std::optional<ServerHandle>& out) {
    if (first_server_) {
      out = std::exchange(first_server_, std::nullopt);
      return CountTokens(*out);
    }
    Result<ServerHandle> server = Launch(1, role);
    if (!server.ok()) return server.error();
    out.emplace(std::move(*server));
    return CountTokens(*out);
  }

  void NoteBaseline(const std::optional<BaselineStore>& store, const std::optional<Record>& kept) {
    Json& out = baseline_;
    out["reused"] = kept.has_value();
    out["key"] = store ? Json(store->key()) : Json();
    out["not_reused_because"] =
        store && !store->why_not().empty() ? Json(store->why_not()) : Json();
    const Json* origin = kept ? kept->header.Find("provenance") : nullptr;
    for (const char* key : {"run_id", "finished_utc"}) {
      const Json* value = origin == nullptr ? nullptr : origin->Find(key);
      out[key] = value == nullptr ? Json() : *value;
    }
  }

  /// Takes trials and evidence of an earlier cell into this one.
  Status Replay(Record&& kept) {
    for (const Trial& trial : kept.trials) {
      if (Status status = trace_->Write(trace::TrialLine(trial)); !status.ok()) return status;
    }
    for (const PassEvidence& evidence : kept.evidence) {
      if (Status status = trace_->Write(trace::EvidenceLine(evidence)); !status.ok()) return status;
    }
    std::ranges::move(kept.trials, std::back_inserter(run_.record.trials));
    std::ranges::move(kept.evidence, std::back_inserter(run_.record.evidence));
    return {};
  }

  /// Whether the fresh launch answered otherwise: then no other cell may build on this baseline.
  bool RestartDiffers() const {
    std::map<std::string_view, const Trial*> first;
    for (const Trial& trial : run_.record.trials) {
      if (trial.arm == Arm::kA && trial.pass == 0) first.emplace(trial.test_id, &trial);
    }
    return std::ranges::any_of(run_.record.trials, [&first](const Trial& trial) {
      if (trial.arm != Arm::kA || trial.pass != 2) return false;
      const auto it = first.find(trial.test_id);
      return it == first.end() || !(it->second->content == trial.content) ||
             it->second->token_ids != trial.token_ids || !trial.phase.empty();
    });
  }

  Json Header() const {
    Json header;
    header["expects_end"] = true;
    header["reps"] = sweep_.run.reps;
    header["plan"]["passes"] = sweep_.run.passes;
    header["plan"]["items"] = items_.size();
    header["plan"]["fail_fast"] = options_.fail_fast;
    if (options_.pass_plan != PassPlan::kDefault) {
      header["plan"]["pass_plan"] = PassPlanName(options_.pass_plan);
    }
    header["policy"] = PolicyJson(sweep_.policy);
    header["workset"]["sha256"] = sweep_.workset.sha256;
    header["workset"]["profile"] = sweep_.workset.name;
    header["workset"]["corner"] = nullptr;
    if (const Json::Object* stamp = sweep_.workset.stamp.if_object()) {
      for (const auto& [key, value] : *stamp) header["workset"][key] = value;
    }
    header["workset"]["n_rows"] = sweep_.workset.rows.size();
    header["workset"]["n_items"] = items_.size();
    header["workset"]["seed"] = sweep_.run.seed;
    header["scorer"] = scorer_identity_;
    header["request"] = RequestJson(sweep_);
    header["retries"]["a"] = 0;
    header["retries"]["a2"] = 0;
    header["retries"]["b"] = 0;
    header["retries"]["c"] =
        Json(Json::Array(static_cast<std::size_t>(sweep_.run.passes), Json(0)));
    Json::Array arrivals;
    for (int pass = 0; pass < sweep_.run.passes; ++pass) {
      arrivals.push_back(ArrivalName(ArrivalOfPass(pass, options_.pass_plan)));
    }
    header["plan"]["arrivals"] = std::move(arrivals);
    header["provenance"]["run_id"] = run_id_;
    header["provenance"]["tool_version"] = BI_TEST_VERSION;
    header["provenance"]["host_hash"] = HostHash();
    header["provenance"]["started_utc"] = started_utc_;
    header["server"] = ServerJson(sweep_, cell_, model_facts_, launches_);
    header["attempts"] =
        ledger_->Summary(SubjectDigest(sweep_, cell_, model_facts_, launches_.front()));
    header["baseline"] = baseline_;
    header["dense_baseline"] = sweep_.dense_baseline;
    header["plan"]["a3_sample"] = SampleOrder().size();
    header["plan"]["b2_sample"] = SampleOrder().size();
    return header;
  }

  Status OpenTrace() {
    run_.record.header = Header();
    Result<std::unique_ptr<trace::TraceWriter>> trace = trace::TraceWriter::Create(files_.trace);
    if (!trace.ok()) return trace.error();
    trace_ = std::move(*trace);
    run_.trace_path = files_.trace.string();
    return trace_->Write(trace::HeaderLine(run_.record));
  }

  ArmContext Context() {
    return ArmContext{
        sweep_,
        *dialect_,
        *scorer_,
        items_,
        *trace_,
        clock_,
        [this](const std::string& label, int done, int total) { Report(label, done, total); }};
  }

  /// Books a finished pass. An error only when going on makes no sense at all.
  Status Book(ArmResult&& result) {
    run_.server_busy_s += result.busy_s;
    run_.requests_sent += result.requests_sent;
    if (result.stop == ArmStop::kInterrupted) {
      return Error{ErrorCode::kInterrupted, result.stop_text, cell_.test_name};
    }
    if (result.stop == ArmStop::kTraceFailed) {
      return Error{ErrorCode::kIo, result.stop_text, files_.trace.string()};
    }
    if (result.stop == ArmStop::kServerDied || result.stop == ArmStop::kNotIdle) {
      broken_ = result.stop;
      broken_text_ = result.stop_text;
    }
    run_.record.evidence.push_back(result.evidence);
    std::move(result.trials.begin(), result.trials.end(), std::back_inserter(run_.record.trials));
    return trace_->Write(trace::EvidenceLine(run_.record.evidence.back()));
  }

  Status Pass(ServerHandle& server, ArmPlan plan) {
    const ArmContext context = Context();
    Report(plan.label, 0, static_cast<int>(plan.order.size()));
    return Book(broken_ == ArmStop::kNone ? RunArm(context, server, plan)
                                          : SkipArm(context, plan, broken_, broken_text_));
  }

  Status Serial(ServerHandle& server, Arm arm, int pass, const std::string& label) {
    return SerialOf(server, arm, pass, label, SpreadSample(items_.size(), items_.size()));
  }

  /// The controls that ask a few items again.
  Status Sample(ServerHandle& server, Arm arm, int pass, const std::string& label) {
    return SerialOf(server, arm, pass, label, SampleOrder());
  }

  std::vector<std::size_t> SampleOrder() const {
    return SpreadSample(items_.size(), static_cast<std::size_t>(sweep_.run.control_sample));
  }

  Status SerialOf(ServerHandle& server, Arm arm, int pass, const std::string& label,
                  std::vector<std::size_t> order) {
    ArmPlan plan;
    plan.arm = arm;
    plan.pass = pass;
    plan.label = label;
    plan.order = std::move(order);
    return Pass(server, std::move(plan));
  }

  /// Mean time of one request served alone on the N-slot server (arm B).
  microseconds SerialLatency() const {
    double sum = 0.0;
    int n = 0;
    for (const Trial& trial : run_.record.trials) {
      if (trial.arm != Arm::kB || trial.pass != 0 || !trial.dispatch_ts || !trial.complete_ts)
        continue;
      sum += *trial.complete_ts - *trial.dispatch_ts;
      ++n;
    }
    return microseconds{n == 0 ? 0 : static_cast<std::int64_t>(sum / n * 1e6)};
  }

  Status Concurrent(ServerHandle& server) {
    std::vector<std::size_t> lengths;
    for (const PreparedItem& item : items_) {
      lengths.push_back(item.body.size());
    }
    const microseconds latency = SerialLatency();
    for (int pass = 0; pass < sweep_.run.passes; ++pass) {
      const Arrival arrival = ArrivalOfPass(pass, options_.pass_plan);
      ArmPlan plan;
      plan.arm = Arm::kC;
      plan.pass = pass;
      plan.label = PassName(pass);
      plan.width = static_cast<std::size_t>(cell_.cell.dispatch_n);
      plan.sample_slots = true;
      plan.order = DispatchOrder(items_.size() / static_cast<std::size_t>(sweep_.run.reps),
                                 static_cast<std::size_t>(sweep_.run.reps), sweep_.run.seed, pass);
      if (options_.pass_plan == PassPlan::kPlain) std::ranges::sort(plan.order);
      if (arrival == Arrival::kMixed) plan.order = MixLengths(plan.order, lengths);
      plan.gaps =
          ArrivalGaps(arrival, plan.order.size(), plan.width, latency, sweep_.run.seed, pass);
      if (Status status = Pass(server, std::move(plan)); !status.ok()) return status;
      if (options_.fail_fast && DivergedAlready(pass)) {
        run_.record.header["plan"]["stopped_after_pass"] = pass;
        break;
      }
    }
    return {};
  }

  bool DivergedAlready(int pass) const {
    Record so_far = run_.record;
    so_far.header["plan"]["passes"] = pass + 1;
    so_far.complete.reset();
    return Judge(so_far, sweep_.policy).verdict == Verdict::kRed;
  }

  Status JudgeAndWrite() {
    run_.record.header["server"] = ServerJson(sweep_, cell_, model_facts_, launches_);
    run_.record.header["provenance"]["finished_utc"] = NowUtc();
    run_.record.complete = true;
    if (Status status = trace_->Write(trace::EndLine(run_.record)); !status.ok()) return status;
    Result<std::string> digest = trace_->Close();
    if (!digest.ok()) return digest.error();

    // Through the same door as `bi-test judge`: what is certified is what the file says.
    Result<CellRun> judged = JudgeTrace(files_.trace, sweep_.policy);
    if (!judged.ok()) return judged.error();
    run_.record = std::move(judged->record);
    run_.judgement = std::move(judged->judgement);
    run_.cert = std::move(judged->cert);
    // The history first: a RED that is on the disk can then no longer be forgotten.
    if (Status status = ledger_->Append(run_.cert); !status.ok()) return status;
    if (Status status = files::WriteFileAtomically(files_.cert, CertText(run_.cert));
        !status.ok()) {
      return status;
    }
    run_.cert_path = files_.cert.string();
    return {};
  }

  std::optional<Sweep> own_;  ///< With the work-set of this cell, where that is made for the cell.
  const Sweep& sweep_;
  const SweepCell& cell_;
  const ModelConfig& model_;
  const RunOptions& options_;
  const Launcher& launcher_;
  RunClock clock_;
  CellRun run_;
  std::string run_id_;
  std::string started_utc_;
  CellFiles files_;
  std::optional<AttemptLedger> ledger_;
  Json baseline_;
  /// Launched to make the work-set, until arm A takes it.
  std::optional<ServerHandle> first_server_;
  const server::Dialect* dialect_ = nullptr;
  std::unique_ptr<AnswerScorer> scorer_;
  Json scorer_identity_;
  std::vector<PreparedItem> items_;
  ModelFacts model_facts_;
  std::vector<server::ServerIdentity> launches_;
  std::unique_ptr<trace::TraceWriter> trace_;
  ArmStop broken_ = ArmStop::kNone;
  std::string broken_text_;
};

}  // namespace

CellRun RunCellWith(const Sweep& sweep, const SweepCell& cell, const RunOptions& options,
                    const Launcher& launcher) {
  return CellRunner(sweep, cell, options, launcher).Run();
}

}  // namespace run

const char* PassPlanName(PassPlan plan) {
  switch (plan) {
    case PassPlan::kPlain:
      return "plain";
    case PassPlan::kShuffled:
      return "shuffled";
    case PassPlan::kStaggered:
      return "staggered";
    case PassPlan::kMixed:
      return "mixed";
    case PassPlan::kDefault:
      break;
  }
  return "default";
}

CellRun RunCell(const Sweep& sweep, const SweepCell& cell, const RunOptions& options) {
  return run::RunCellWith(sweep, cell, options, run::OwnedServerLauncher());
}

}  // namespace bi_test
