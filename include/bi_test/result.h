#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace bi_test {

/// What kind of trouble an `Error` reports. Decides exit codes and the JUnit element, never text.
enum class ErrorCode {
  kUsage,        ///< The caller asked for something that does not exist (flag, key, value).
  kInvalidFile,  ///< A file was read and is wrong (syntax, type, range, unknown key).
  kNotFound,     ///< A file or program is missing or unreadable.
  kRefused,      ///< A guard said no before anything was launched.
  kServer,       ///< The server we own did not start, died or is not what was launched.
  kTransport,    ///< The wire failed.
  kDeadline,     ///< A deadline passed.
  kIo,           ///< Writing or reading a file failed.
  kInterrupted,  ///< A signal asked us to stop.
};

/// `usage`, `invalid_file`, ...: the code as it stands in refusal files and reports.
[[nodiscard]] const char* ErrorCodeName(ErrorCode code);

/// Expected trouble: what was found, what was expected, what to do next, and where.
struct Error {
  ErrorCode code = ErrorCode::kUsage;
  /// One sentence or more, no final newline.
  std::string message;
  /// `file:line:key`, an arm and id, or empty.
  std::string where;

  /// `where: message`, or `message` when `where` is empty.
  [[nodiscard]] std::string Text() const {
    return where.empty() ? message : where + ": " + message;
  }

  friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an `Error`. Asking for the one that is not there aborts: it is a bug of the caller.
///
///     const bi_test::Result<bi_test::Policy> policy = bi_test::ParsePolicyJson(json);
///     if (!policy.ok()) return policy.error();
///     Use(policy->min_effective_prompts);
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& { return Get(); }
  [[nodiscard]] T& value() & { return const_cast<T&>(Get()); }
  [[nodiscard]] T&& value() && { return std::move(const_cast<T&>(Get())); }
  const T& operator*() const& { return Get(); }
  T& operator*() & { return const_cast<T&>(Get()); }
  T&& operator*() && { return std::move(const_cast<T&>(Get())); }
  const T* operator->() const { return &Get(); }
  T* operator->() { return const_cast<T*>(&Get()); }

  [[nodiscard]] const Error& error() const {
    if (ok()) std::abort();
    return *std::get_if<1>(&state_);
  }

 private:
  const T& Get() const {
    if (!ok()) std::abort();
    return *std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// Success without a value, or an `Error`.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const {
    if (ok()) std::abort();
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace bi_test
