#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bi_test/result.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// A running server of any type. Move-only; destroying it stops the server. Not thread safe.
class ServerHandle {
 public:
  template <typename Server>
  explicit ServerHandle(std::unique_ptr<Server> running)
      : model_(std::make_unique<Model<Server>>(std::move(running))) {}

  [[nodiscard]] const server::ServerIdentity& identity() const { return model_->Identity(); }
  /// Readable once the server is gone; -1 when the server cannot go away on its own.
  [[nodiscard]] int exit_fd() const { return model_->ExitFd(); }
  [[nodiscard]] std::optional<std::string> ExitReport() { return model_->ExitReport(); }
  [[nodiscard]] std::string LogTail(std::size_t max_bytes) const {
    return model_->LogTail(max_bytes);
  }
  [[nodiscard]] Status Stop() { return model_->Stop(); }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual const server::ServerIdentity& Identity() const = 0;
    virtual int ExitFd() const = 0;
    virtual std::optional<std::string> ExitReport() = 0;
    virtual std::string LogTail(std::size_t max_bytes) const = 0;
    virtual Status Stop() = 0;
  };
  template <typename Server>
  struct Model final : Concept {
    explicit Model(std::unique_ptr<Server> running) : server(std::move(running)) {}
    const server::ServerIdentity& Identity() const override { return server->identity(); }
    int ExitFd() const override { return server->exit_fd(); }
    std::optional<std::string> ExitReport() override { return server->ExitReport(); }
    std::string LogTail(std::size_t max_bytes) const override { return server->LogTail(max_bytes); }
    Status Stop() override { return server->Stop(); }
    std::unique_ptr<Server> server;
  };
  std::unique_ptr<Concept> model_;
};

}  // namespace bi_test::run
