#pragma once

#include "bi_test/driver.h"
#include "bi_test/result.h"
#include "run/server_handle.h"
#include "server/owned_server.h"

namespace bi_test::run {

/// Provenance follows from the type of the server: only a process that our own launcher started is
/// `live`; every other type is `mock`, and there is no option that says otherwise.
template <typename Server>
struct SourceOf {
  static constexpr const char* kValue = "mock";
};
template <>
struct SourceOf<server::OwnedServer> {
  static constexpr const char* kValue = "live";
};

/// Brings up the server of a launch. What `source()` says follows from the type of server it makes.
class Launcher {
 public:
  virtual ~Launcher() = default;
  [[nodiscard]] virtual const char* source() const = 0;
  /// Whether the server of this launcher loads the model file, so that it has to be there.
  [[nodiscard]] virtual bool loads_model() const = 0;
  [[nodiscard]] virtual Result<ServerHandle> Launch(const server::LaunchSpec& spec) const = 0;
};

/// A launcher of `Server`, which has `static Result<std::unique_ptr<Server>> Launch(const
/// LaunchSpec&)`.
template <typename Server>
class LauncherOf : public Launcher {
 public:
  [[nodiscard]] const char* source() const final { return SourceOf<Server>::kValue; }
  [[nodiscard]] Result<ServerHandle> Launch(const server::LaunchSpec& spec) const final {
    Result<std::unique_ptr<Server>> server = Start(spec);
    if (!server.ok()) return server.error();
    return ServerHandle(std::move(*server));
  }

 protected:
  [[nodiscard]] virtual Result<std::unique_ptr<Server>> Start(
      const server::LaunchSpec& spec) const = 0;
};

/// Real servers, started from an executable file.
class OwnedServerLauncher final : public LauncherOf<server::OwnedServer> {
 public:
  [[nodiscard]] bool loads_model() const override { return true; }

 protected:
  [[nodiscard]] Result<std::unique_ptr<server::OwnedServer>> Start(
      const server::LaunchSpec& spec) const override {
    return server::OwnedServer::Launch(spec);
  }
};

/// RunCell with any launcher: the door for the in-process mock.
[[nodiscard]] CellRun RunCellWith(const Sweep& sweep, const SweepCell& cell,
                                  const RunOptions& options, const Launcher& launcher);

}  // namespace bi_test::run
