#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/sanitize.h"
#include "bi_test/sweep.h"
#include "cert/earlier_reds.h"
#include "cert/read_cert.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "run/attempts.h"
#include "run/cert_file.h"
#include "run/provenance.h"
#include "run/subject_points.h"

namespace bi_test::cli {
namespace {

/// Points that the cert's own trace raises: a cert that cannot be recomputed promotes nothing.
std::vector<std::string> TracePoints(const Cert& cert, const std::filesystem::path& trace) {
  if (run::HasNoTrace(cert, trace)) {
    return {
        "NO_TRACE: a cert of an older kind (no schema_version): there is no trace to recompute "
        "it from; run the cell again"};
  }
  const Result<std::vector<std::string>> differences = run::DifferencesFromTrace(cert, trace);
  if (!differences.ok()) {
    return {"TRACE_UNREADABLE: the cert cannot be recomputed: " + differences.error().Text()};
  }
  std::vector<std::string> points;
  for (const std::string& difference : *differences) {
    points.push_back("NOT_VERIFIED: " + difference);
  }
  return points;
}

/// REDs of the history beside the cert that the cert itself does not tell of. The run of the cert
/// stands in that history too, and is no earlier one.
void AddHistory(const CellFacts& facts, const std::filesystem::path& path,
                std::vector<std::string>& unmet) {
  const Json history = run::AttemptsBeside(path);
  const Json* earlier = history.Find("earlier");
  if (earlier == nullptr) return;
  if (!(*history.Find("readable") == Json(true))) {
    unmet.push_back("ATTEMPTS: the history beside the cert cannot be read as a whole");
  }
  Json::Array others;
  if (const Json::Array* all = earlier->if_array()) {
    std::ranges::copy_if(*all, std::back_inserter(others), [&facts](const Json& attempt) {
      const Json* of = attempt.Find("cert_digest");
      return facts.cert_digest.empty() || of == nullptr || *of != Json(facts.cert_digest);
    });
  }
  for (std::string& red : EarlierReds(Json(std::move(others)), facts.subject)) {
    if (std::ranges::find(unmet, red) == unmet.end()) unmet.push_back(std::move(red));
  }
}

/// Whether the cert is about the set-up that will serve.
Status AddSetUp(const Cert& cert, const PromoteArguments& arguments, const Cell& cell,
                std::vector<std::string>& unmet) {
  if (arguments.sweep.empty()) {
    for (std::string& point : run::BinaryPoints(cert)) unmet.push_back(std::move(point));
    return {};
  }
  const Result<Sweep> sweep = LoadSweep(arguments.sweep, ProcessEnvironment(), SweepUse::kPlan);
  if (!sweep.ok()) return sweep.error();
  for (const SweepCell& one : sweep->cells) {
    if (one.cell.model != cell.model || one.cell.ctx != cell.ctx ||
        one.cell.dispatch_n != cell.dispatch_n) {
      continue;
    }
    Result<std::vector<std::string>> points = run::SubjectPoints(cert, *sweep, one);
    if (!points.ok()) return points.error();
    for (std::string& point : *points) unmet.push_back(std::move(point));
    return {};
  }
  return Error{ErrorCode::kUsage, "it has no cell " + Describe(cell), arguments.sweep};
}

/// Names what the folder does hold, for an absent cert is mostly a wrong N or folder.
Error NoCert(const PromoteArguments& arguments, const std::filesystem::path& path) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator file(arguments.cert_dir, code), end;
       !code && file != end; file.increment(code)) {
    const std::string name = file->path().filename().string();
    if (name.ends_with(".json") && name.find("__ctx") != name.npos) names.push_back(name);
  }
  std::ranges::sort(names);
  std::string there;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    there += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNamed) {
    there += " and " + std::to_string(names.size() - kMostNamed) + " more";
  }
  return Error{ErrorCode::kNotFound,
               "found no cert of " + Describe(arguments.cell) +
                   ", expected one: run the cell, or name the folder of its cert; " +
                   (there.empty() ? "the folder has none" : "the folder has " + there),
               path.string()};
}

}  // namespace

int PromoteCommand(const PromoteArguments& arguments) {
  const bool json = arguments.json;
  const std::filesystem::path path = run::CertPath(arguments.cert_dir, arguments.cell);
  if (path.empty()) {
    return Fail("promote",
                Error{ErrorCode::kUsage,
                      "no cell can be called " + Describe(arguments.cell) +
                          ": a non-empty model, ctx >= 1 and N >= 2 are needed",
                      {}},
                json, kExitUsage);
  }
  std::error_code code;
  if (std::filesystem::symlink_status(path, code).type() == std::filesystem::file_type::not_found) {
    return Fail("promote", NoCert(arguments, path), json, kExitError);
  }
  const Result<Cert> cert = run::LoadCert(path);
  if (!cert.ok()) return Fail("promote", cert.error(), json, kExitError);
  const CellFacts facts = ReadCert(cert->document);
  Cell cell = arguments.cell;
  if (cell.kv_label.empty()) {
    cell.kv_label = facts.cell.kv_label;
  }
  std::vector<std::string> unmet = UnmetPromotionPoints(*cert, cell, {}, run::NowUtc());
  AddHistory(facts, path, unmet);
  if (const Status status = AddSetUp(*cert, arguments, cell, unmet); !status.ok()) {
    const bool usage =
        status.error().code == ErrorCode::kUsage || status.error().code == ErrorCode::kInvalidFile;
    return Fail("promote", status.error(), json, usage ? kExitUsage : kExitError);
  }
  for (std::string& point : TracePoints(*cert, run::TraceOfCert(path))) {
    unmet.push_back(std::move(point));
  }
  if (json) {
    Json out;
    out["cert"] = path.string();
    out["promotable"] = unmet.empty();
    out["unmet"] = Json(Json::Array(unmet.begin(), unmet.end()));
    PrintJson(out);
  } else if (unmet.empty()) {
    std::cout << "promotable: " << SanitizeText(Describe(cell), 2000) << '\n';
  } else {
    for (const std::string& point : unmet) std::cout << SanitizeText(point, 2000) << '\n';
  }
  return unmet.empty() ? kExitOk : kExitNo;
}

}  // namespace bi_test::cli
