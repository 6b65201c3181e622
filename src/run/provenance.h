#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// `YYYY-MM-DDTHH:MM:SSZ`, now.
[[nodiscard]] std::string NowUtc();

/// SHA-256 hex of this machine's name and machine id: tells hosts apart without naming them.
[[nodiscard]] std::string HostHash();

/// Size, SHA-256 and expert count of a model, a file or a folder (server/model/model_folder.h).
/// Digests of files are remembered per process by path, size, modification time and inode, so that
/// a sweep reads each model once.
struct ModelFacts {
  std::uint64_t bytes = 0;
  std::string sha256;
  Json experts;  ///< Number of experts from the file's header, null when it could not be read.
};
[[nodiscard]] Result<ModelFacts> ReadModelFacts(const std::filesystem::path& model);

/// The `server` object of header and cert, from the launches so far (1-slot first). Of the
/// environment only the names: values may be secrets.
[[nodiscard]] Json ServerJson(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model,
                              const std::vector<server::ServerIdentity>& launches);

/// What a cell asks of its servers, but for width, program and environment.
[[nodiscard]] Json SetUpJson(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model);

/// A variable that says which of the machine's devices to use: ctest gives each cell of a GPU
/// runner another one, and a verdict is not about one of several like devices.
inline constexpr std::string_view kDeviceChoice = "CUDA_VISIBLE_DEVICES";

/// SHA-256 hex over what a verdict is about: program, build and libraries as `identity` has them,
/// model file, flags, environment (but for `kDeviceChoice`), ctx, N and KV type. The same for two
/// runs of one cell on one set-up.
[[nodiscard]] std::string SubjectDigest(const Sweep& sweep, const SweepCell& cell,
                                        const ModelFacts& model,
                                        const server::ServerIdentity& identity);

}  // namespace bi_test::run
