#include "run/provenance.h"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "base/utc_time.h"
#include "files/file_digest.h"
#include "server/model/gguf_header.h"
#include "server/model/model_config.h"
#include "server/model/model_folder.h"

namespace bi_test::run {
namespace {

/// A number that the server told; null when it did not.
Json Reported(int number) { return number > 0 ? Json(number) : Json(); }

[[nodiscard]] Json Texts(const std::vector<std::string>& texts) {
  return Json(Json::Array(texts.begin(), texts.end()));
}

}  // namespace

std::string NowUtc() { return UtcText(std::time(nullptr)); }

std::string HostHash() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  std::string id;
  std::ifstream file("/etc/machine-id");
  std::getline(file, id);
  return Sha256Hex(std::string(name) + "\n" + id);
}

Result<ModelFacts> ReadModelFacts(const std::filesystem::path& model) {
  std::error_code failure;
  const bool folder = std::filesystem::is_directory(model, failure);
  ModelFacts facts;
  if (folder) {
    BI_TRY_SET(server::ModelFolder files, server::DigestModelFolder(model));
    facts.bytes = files.bytes;
    facts.sha256 = std::move(files.sha256);
  } else {
    BI_TRY_SET(files::FileDigest file, files::DigestFile(model));
    facts.bytes = file.bytes;
    facts.sha256 = std::move(file.sha256);
  }
  const Result<server::GgufHeader> header =
      folder ? server::ReadModelConfig(model) : server::ReadGgufHeader(model);
  if (header.ok()) facts.experts = header->experts;
  return facts;
}

Json SetUpJson(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model) {
  Json out;
  out["kind"] = sweep.server.kind;
  out["model"] = cell.cell.model;
  out["model_sha256"] = model.sha256;
  out["flags"] = Texts(sweep.server.flags);
  out["model_flags"] = Texts(sweep.models[cell.model_index].flags);
  out["ctx"] = cell.cell.ctx;
  out["kv"] = cell.cell.kv_label;
  return out;
}

std::string SubjectDigest(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model,
                          const server::ServerIdentity& identity) {
  Json out = SetUpJson(sweep, cell, model);
  out["binary_sha256"] = identity.binary_sha256;
  out["program_sha256"] = identity.program_sha256;
  out["libraries_sha256"] = identity.libraries_sha256;
  out["build"] = identity.build;
  out["env"] = Json::Object{};
  for (const auto& [name, value] : sweep.server.env) {
    if (name != kDeviceChoice) out["env"][name] = value;
  }
  out["dispatch_n"] = cell.cell.dispatch_n;
  return Sha256Hex(CompactText(out));
}

Json ServerJson(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model,
                const std::vector<server::ServerIdentity>& launches) {
  Json out;
  out["kind"] = sweep.server.kind;
  out["flags"] = Texts(sweep.server.flags);
  out["model_flags"] = Texts(sweep.models[cell.model_index].flags);
  Json::Array env_names;
  for (const auto& variable : sweep.server.env) env_names.push_back(variable.first);
  out["env_names"] = std::move(env_names);
  out["model_bytes"] = model.bytes;
  out["model_sha256"] = model.sha256;
  out["n_expert"] = model.experts;
  out["n_swa"] = nullptr;
  if (launches.empty()) return out;

  bool verified = true;
  bool same_build = true;
  Json::Array argv, each;
  for (const server::ServerIdentity& launch : launches) {
    verified = verified && launch.pid_verified;
    same_build = same_build && launch.build == launches.front().build;
    argv.push_back(Json(Json::Array(launch.argv.begin(), launch.argv.end())));
    Json one;
    one["pid"] = launch.pid;
    one["port"] = static_cast<int>(launch.port);
    one["total_slots"] = Reported(launch.total_slots);
    one["n_ctx_slot"] = Reported(launch.n_ctx_slot);
    one["props"] = launch.props;
    Json environment(Json::Object{});
    for (const auto& [name, value] : launch.environment) environment[name] = value;
    one["environment"] = std::move(environment);
    each.push_back(std::move(one));
  }
  const server::ServerIdentity& last = launches.back();
  out["build"] = same_build ? Json(last.build) : Json();
  out["argv"] = std::move(argv);
  out["launches"] = std::move(each);
  out["total_slots"] = Reported(last.total_slots);
  out["n_ctx_slot"] = Reported(last.n_ctx_slot);
  out["width_hint"] = last.width_hint.empty() ? Json() : Json(last.width_hint);
  out["pid_verified"] = verified;
  out["program_sha256"] = last.program_sha256;
  out["libraries_sha256"] = last.libraries_sha256;
  if (const Json* window = last.props.Find("n_swa")) out["n_swa"] = *window;
  out["binary"] = last.binary;
  out["binary_bytes"] = last.binary_bytes;
  out["binary_sha256"] = last.binary_sha256;
  return out;
}

}  // namespace bi_test::run
