#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/version.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/workset_command.h"
#include "make_model/make_model.h"

namespace {

constexpr const char* kJsonHelp = "print one JSON object, of an error too ({\"error\": {...}})";

/// A wrong command line cannot be asked whether it wants JSON, so its words are looked at.
bool WantsJson(int argc, char** argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* word) { return std::string_view(word) == "--json"; });
}

/// A page of help below the one line that matters would hide it.
std::string WithoutTheHelp(const CLI::App* app, const CLI::Error& error) {
  std::string command = "bi-test";
  for (const CLI::App* named = app; !named->get_subcommands().empty();) {
    named = named->get_subcommands().front();
    command += " " + named->get_name();
  }
  std::string what = error.what();
  if (command == "bi-test") {  // No command was named, or one that is none.
    for (const CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) {
      what += (what.ends_with("required") ? ": " : ", ") + sub->get_name();
    }
  }
  return command + ": " + what + "; `" + command + " --help` lists what there is\n";
}

int Dispatch(int argc, char** argv) {
  CLI::App app{
      "bi-test: does serving N requests at once give exactly the outputs that serving them one at "
      "a "
      "time gives?"};
  app.set_version_flag("--version", BI_TEST_VERSION);
  app.require_subcommand(1);
  app.failure_message(WithoutTheHelp);

  int code = bi_test::kExitOk;

  bi_test::cli::RunArguments run;
  CLI::App* run_command = app.add_subcommand("run", "run the cells of a sweep file");
  run_command->add_option("SWEEP", run.sweep, "sweep file (YAML)")->required();
  run_command->add_option("--model", run.models, "only these models")->delimiter(',');
  run_command->add_option("--ctx", run.ctx, "only these contexts")->delimiter(',');
  run_command->add_option("--parallel", run.parallel, "only these N")->delimiter(',');
  run_command->add_option("--out-dir", run.out_dir, "where certs, traces and logs go");
  run_command->add_option("--server-binary", run.server_binary, "server program to start");
  run_command->add_option("--passes", run.passes, "concurrent passes per cell");
  run_command->add_option("--junit", run.junit, "JUnit file (default: OUT_DIR/junit.xml)");
  run_command->add_option("--known-verdicts", run.known_verdicts,
                          "known-verdicts file (default: known_verdicts of the sweep file)");
  run_command->add_flag("--fail-fast", run.fail_fast, "end a cell at its first divergent pass");
  run_command->add_flag("--acknowledge", run.acknowledge,
                        "launch what a sweep with guard.require_acknowledgement holds back");
  run_command->add_flag("--list", run.list, "name the selected cells and start nothing");
  bool dry_run = false;
  run_command->add_flag("--dry-run", dry_run, "print the plan, as `bi-test plan` does");
  run_command->callback(
      [&] { code = dry_run ? bi_test::cli::PlanCommand(run) : bi_test::cli::RunCommand(run); });

  CLI::App* plan =
      app.add_subcommand("plan", "what a run would need, ask and be able to see; starts nothing");
  plan->add_option("SWEEP", run.sweep, "sweep file (YAML)")->required();
  plan->add_option("--model", run.models, "only these models")->delimiter(',');
  plan->add_option("--ctx", run.ctx, "only these contexts")->delimiter(',');
  plan->add_option("--parallel", run.parallel, "only these N")->delimiter(',');
  plan->add_option("--out-dir", run.out_dir, "where the run would write");
  plan->add_option("--server-binary", run.server_binary, "server program to start");
  plan->add_option("--passes", run.passes, "concurrent passes per cell");
  plan->add_flag("--json", run.json, kJsonHelp);
  plan->callback([&] { code = bi_test::cli::PlanCommand(run); });

  std::string trace, cert;
  bool json = false;
  CLI::App* judge = app.add_subcommand("judge", "judge a recorded trace again and print its cert");
  judge->add_option("TRACE", trace, "trace file (JSON Lines)")->required();
  judge->add_flag("--json", json,
                  "the cert is JSON already; with this an error is one JSON object too");
  judge->callback([&] { code = bi_test::cli::JudgeCommand(trace, json); });

  CLI::App* verify =
      app.add_subcommand("verify", "recompute a cert from its trace and name every difference");
  verify->add_option("CERT", cert, "cert file")->required();
  verify->add_option("--trace", trace, "its trace (default: beside the cert)");
  verify->add_flag("--json", json, kJsonHelp);
  verify->callback([&] { code = bi_test::cli::VerifyCommand(cert, trace, json); });

  bi_test::cli::PromoteArguments gate;
  gate.cell.kv_label.clear();
  CLI::App* promote = app.add_subcommand(
      "promote", "the deployment gate: exit 0 only for a promotable, verified cert");
  promote->add_option("--cert-dir", gate.cert_dir, "folder of the certs")->required();
  promote->add_option("--model", gate.cell.model, "model id")->required();
  promote->add_option("--ctx", gate.cell.ctx, "context of one slot")->required();
  promote->add_option("--parallel", gate.cell.dispatch_n, "N")->required();
  promote->add_option("--kv", gate.cell.kv_label, "KV cache type (default: the cert's)");
  promote->add_option("--sweep", gate.sweep,
                      "sweep file: the cert must be about its program, model file and flags");
  promote->add_flag("--json", gate.json, kJsonHelp);
  promote->callback([&] { code = bi_test::cli::PromoteCommand(gate); });

  bi_test::cli::ReportArguments merged;
  CLI::App* report = app.add_subcommand(
      "report", "one page, one summary and one JUnit file from the certs of many folders");
  report->add_option("DIR", merged.dirs, "out dirs of runs")->required();
  report->add_option("--out", merged.out, "where the files go (default: the only DIR)");
  report->add_option("--junit", merged.junit, "JUnit file (default: OUT/junit.xml)");
  report->add_option("--sweep", merged.sweep,
                     "sweep file: its cells are expected, its sign-offs count");
  report->add_flag("--json", merged.json, kJsonHelp);
  report->callback([&] { code = bi_test::cli::ReportCommand(merged); });

  bi_test::cli::KnownArguments known;
  CLI::App* known_command =
      app.add_subcommand("known", "the verdicts that a repository knows and lives with");
  known_command->require_subcommand(1);
  CLI::App* known_check =
      known_command->add_subcommand("check", "name every cell whose cert says something else");
  CLI::App* known_write =
      known_command->add_subcommand("write", "take the verdicts of certs over into the file");
  for (CLI::App* command : {known_check, known_write}) {
    command->add_option("FILE", known.file, "known-verdicts file (YAML)")->required();
    command->add_option("DIR", known.dirs, "out dirs of runs")->required();
    command->add_flag("--json", known.json, kJsonHelp);
  }
  known_write->add_option("--reason", known.reason,
                          "why new and changed verdicts other than GREEN are lived with");
  known_check->callback([&] { code = bi_test::cli::KnownCheckCommand(known); });
  known_write->callback([&] { code = bi_test::cli::KnownWriteCommand(known); });

  CLI::App* show = app.add_subcommand("show", "one screen about a cert");
  show->add_option("CERT", cert, "cert file")->required();
  show->add_flag("--json", json, kJsonHelp);
  show->callback([&] { code = bi_test::cli::ShowCommand(cert, json); });

  bi_test::cli::WorksetArguments workset;
  CLI::App* worksets = app.add_subcommand("workset", "look at a work-set file; starts nothing");
  worksets->require_subcommand(1);
  const auto add_workset_command = [&](const char* name, const char* help,
                                       int (*command)(const bi_test::cli::WorksetArguments&)) {
    CLI::App* sub = worksets->add_subcommand(name, help);
    sub->add_option("FILE", workset.file, "work-set file (JSON, or YAML by its name)");
    sub->add_option("--builtin", workset.builtin, "a built-in work-set in place of a file");
    sub->add_option("--kind", workset.kind, "also check that a server of this kind can be asked");
    sub->add_flag("--json", workset.json, kJsonHelp);
    sub->callback([&code, &workset, command] { code = command(workset); });
    return sub;
  };
  add_workset_command("check", "name every mistake in it", bi_test::cli::WorksetCheckCommand);
  add_workset_command("show", "its rows, one line each", bi_test::cli::WorksetShowCommand)
      ->add_option("--row", workset.row, "only this row (from 0), in full, as JSON");
  CLI::App* stats = add_workset_command("stats", "what it consists of, and what a run could see",
                                        bi_test::cli::WorksetStatsCommand);
  stats->add_option("--passes", workset.passes, "concurrent passes (default 8)");
  stats->add_option("--reps", workset.reps, "repetitions of each row (default 1)");

  CLI::App* make_model =
      app.add_subcommand("make-model", "write a tiny seeded GGUF model (--help lists its flags)");
  make_model->prefix_command();
  make_model->set_help_flag();
  make_model->callback([&] {
    // Its flags have their own, stricter reader.
    code = bi_test::make_model::MakeModelMain(argc - 1, argv + 1, std::cout, std::cerr);
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    if (status == 0) return bi_test::kExitOk;
    if (WantsJson(argc, argv)) bi_test::cli::PrintJsonError("usage", error.what(), "");
    return bi_test::kExitUsage;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe and a full quota are errors of that write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int code = Dispatch(argc, argv);
    std::cout.flush();
    if (std::cout.good()) return code;
    std::cerr << "bi-test: cannot write standard output\n";
    return bi_test::kExitError;
  } catch (const std::exception& error) {
    if (WantsJson(argc, argv)) bi_test::cli::PrintJsonError("internal", error.what(), "");
    std::cerr << "bi-test: " << error.what() << '\n';
    return bi_test::kExitError;
  }
}
