#include "driver/provenance.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <tuple>

#include "core/sha256.h"
#include "server/gguf_header.h"
#include "wire/atomic_file.h"

namespace bi_test::driver {
namespace {

using FileKey = std::tuple<std::string, std::uint64_t, std::int64_t, std::int64_t, std::uint64_t>;

[[nodiscard]] Json Texts(const std::vector<std::string>& texts) {
  return Json(Json::Array(texts.begin(), texts.end()));
}

}  // namespace

std::string NewRunId() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(device());
  }
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

std::string NowUtc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string HostHash() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  std::string id;
  std::ifstream file("/etc/machine-id");
  std::getline(file, id);
  return Sha256Hex(std::string(name) + "\n" + id);
}

Result<ModelFacts> ReadModelFacts(const std::filesystem::path& model) {
  static std::mutex mutex;
  static std::map<FileKey, ModelFacts> known;

  struct stat info {};
  if (stat(model.c_str(), &info) != 0) {
    return Error{ErrorCode::kNotFound, std::string("cannot read the model: ") + strerror(errno),
                 model.string()};
  }
  const FileKey key{model.string(), static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec,
                    info.st_mtim.tv_nsec, static_cast<std::uint64_t>(info.st_ino)};
  {
    const std::lock_guard lock(mutex);
    if (const auto it = known.find(key); it != known.end()) return it->second;
  }
  ModelFacts facts;
  facts.bytes = static_cast<std::uint64_t>(info.st_size);
  Result<std::string> digest = wire::FileSha256(model);
  if (!digest.ok()) return digest.error();
  facts.sha256 = *digest;
  const Result<server::GgufHeader> header = server::ReadGgufHeader(model);
  if (header.ok()) facts.experts = header->experts;
  const std::lock_guard lock(mutex);
  known[key] = facts;
  return facts;
}

std::string SubjectDigest(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model,
                          const server::ServerIdentity& identity) {
  Json out;
  out["kind"] = sweep.server.kind;
  out["binary_sha256"] = identity.binary_sha256;
  out["program_sha256"] = identity.program_sha256;
  out["libraries_sha256"] = identity.libraries_sha256;
  out["build"] = identity.build;
  out["model"] = cell.cell.model;
  out["model_sha256"] = model.sha256;
  out["flags"] = Texts(sweep.server.flags);
  out["model_flags"] = Texts(sweep.models[cell.model_index].flags);
  out["env"] = Json::Object{};
  for (const auto& [name, value] : sweep.server.env) out["env"][name] = value;
  out["ctx"] = cell.cell.ctx;
  out["dispatch_n"] = cell.cell.dispatch_n;
  out["kv"] = cell.cell.kv_label;
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
    one["total_slots"] = launch.total_slots;
    one["n_ctx_slot"] = launch.n_ctx_slot;
    one["props"] = launch.props;
    each.push_back(std::move(one));
  }
  const server::ServerIdentity& last = launches.back();
  out["build"] = same_build ? Json(last.build) : Json();
  out["argv"] = std::move(argv);
  out["launches"] = std::move(each);
  out["total_slots"] = last.total_slots;
  out["n_ctx_slot"] = last.n_ctx_slot;
  out["pid_verified"] = verified;
  out["program_sha256"] = last.program_sha256;
  out["libraries_sha256"] = last.libraries_sha256;
  out["binary"] = last.binary;
  out["binary_bytes"] = last.binary_bytes;
  out["binary_sha256"] = last.binary_sha256;
  return out;
}

}  // namespace bi_test::driver
