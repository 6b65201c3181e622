#include "run/subject_points.h"

#include <filesystem>
#include <system_error>

#include "base/try.h"
#include "bi_test/sanitize.h"
#include "cert/read_cert.h"
#include "run/provenance.h"
#include "server/program_identity.h"

namespace bi_test::run {
namespace {

constexpr std::size_t kMaxShown = 300;

[[nodiscard]] std::string Shown(const Json* value) {
  return value == nullptr ? "nothing" : SanitizeText(CompactText(*value), kMaxShown);
}

/// The list without the choice of a device, which ctest makes on a GPU runner.
[[nodiscard]] Json WithoutDeviceChoice(const Json& names) {
  if (!names.is_array()) return names;
  Json::Array kept;
  for (const Json& name : *names.if_array()) {
    if (name.if_string() == nullptr || *name.if_string() != kDeviceChoice) kept.push_back(name);
  }
  return Json(std::move(kept));
}

}  // namespace

Result<std::vector<std::string>> SubjectPoints(const Cert& cert, const Sweep& sweep,
                                               const SweepCell& cell) {
  BI_TRY(server::RequireBinary(sweep.server));
  server::ServerIdentity program;
  BI_TRY(server::DescribeBinary(sweep.server.binary, program));
  BI_TRY_SET(const ModelFacts model, ReadModelFacts(sweep.models[cell.model_index].path));
  Json now = ServerJson(sweep, cell, model, {});
  now["binary_sha256"] = program.binary_sha256;

  std::vector<std::string> points;
  const Json server = ReadCert(cert.document).server;
  const struct {
    const char* code;
    const char* key;
  } parts[] = {{"BINARY_DIGEST", "binary_sha256"},
               {"MODEL_DIGEST", "model_sha256"},
               {"SERVER_KIND", "kind"},
               {"FLAGS", "flags"},
               {"FLAGS", "model_flags"},
               {"ENVIRONMENT", "env_names"}};
  for (const auto& [code, key] : parts) {
    const Json* stored = server.Find(key);
    const Json* wanted = now.Find(key);
    if (stored != nullptr && wanted != nullptr &&
        WithoutDeviceChoice(*stored) == WithoutDeviceChoice(*wanted)) {
      continue;
    }
    points.push_back(std::string(code) + ": server." + key + ": the cert was earned with " +
                     Shown(stored) + ", the sweep file has " + Shown(wanted) +
                     "; run the cell again");
  }
  return points;
}

std::vector<std::string> BinaryPoints(const Cert& cert) {
  const CellFacts facts = ReadCert(cert.document);
  const std::string& path = facts.set_up.server_binary;
  std::error_code code;
  if (path.empty() || !std::filesystem::is_regular_file(path, code)) return {};
  server::ServerIdentity program;
  const Status status = server::DescribeBinary(path, program);
  if (!status.ok()) return {"BINARY_DIGEST: " + status.error().Text()};
  const Json* stored = facts.server.Find("binary_sha256");
  if (stored != nullptr && *stored == Json(program.binary_sha256)) return {};
  return {"BINARY_DIGEST: server.binary_sha256: the cert was earned with " + Shown(stored) +
          ", the program there now has \"" + program.binary_sha256 + "\"; run the cell again"};
}

}  // namespace bi_test::run
