#include "verdict/request_checks.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "bi_test/sanitize.h"
#include "verdict/divergence.h"
#include "verdict/pass_name.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxLabels = 64;

/// All passes of arm C are `C` here, and their number stands beside it as `pass 0`: these texts go
/// on the cert, whose bytes do not change. What people are shown says `c1`.
[[nodiscard]] std::string ArmLabel(const Trial& trial) {
  return trial.arm == Arm::kC ? ArmName(trial.arm) : ArmPassName(trial.arm, trial.pass);
}

class Checker {
 public:
  explicit Checker(const RecordIndex& index) : index_(index) {
    for (const RowMap* arm : {&index.a, &index.a2, &index.a3, &index.b, &index.b2}) Track(*arm);
    for (const RowMap& pass : index.passes) Track(pass);
  }

  [[nodiscard]] RequestChecks Check() {
    for (std::uint32_t id = 0; id < index_.ids.size(); ++id) {
      rows_.clear();
      for (auto& [arm, next] : arms_) {
        if (next < arm->size() && (*arm)[next].id == id) rows_.push_back((*arm)[next++].trial);
      }
      Inspect(id);
    }
    for (auto& [label, count] : labels_) {
      const std::string name = out_.status_counts.size() < kMaxLabels ? label : "(other)";
      out_.status_counts[name] += count;
    }
    if (first_fault_ != nullptr) {
      out_.first_cause =
          "arm " + ArmLabel(*first_fault_) +
          (first_fault_->arm == Arm::kC ? " pass " + std::to_string(first_fault_->pass)
                                        : std::string()) +
          " test_id \"" + SanitizeText(first_fault_->test_id, 120) +
          "\": " + FaultText(*first_fault_);
    }
    return std::move(out_);
  }

 private:
  void Track(const RowMap& arm) {
    if (!arm.empty()) arms_.emplace_back(&arm, 0);
  }

  void Inspect(std::uint32_t id) {
    const std::string* first_request = nullptr;
    bool mismatch = false;
    bool cached = false;
    for (const Trial* trial : rows_) {
      CountLabel(*trial);
      NoteFault(*trial);
      cached = cached || trial->cached_tokens.value_or(0) != 0;
      const std::string* request = trial->request_sha256.if_string();
      if (request == nullptr) continue;
      if (first_request == nullptr) first_request = request;
      mismatch = mismatch || *request != *first_request;
    }
    if (mismatch) out_.request_mismatch.push_back(id);
    if (cached) out_.cached_prompt.push_back(id);
    ComparePromptTokens(id);
  }

  void ComparePromptTokens(std::uint32_t id) {
    const Trial* reference = nullptr;
    const Trial* other = nullptr;
    std::string arms;
    for (const Trial* trial : rows_) {
      if (!trial->prompt_tokens || IsFault(*trial)) continue;
      if (reference == nullptr) {
        reference = trial;
        continue;
      }
      if (*trial->prompt_tokens == *reference->prompt_tokens) continue;
      if (other == nullptr) other = trial;
      const std::string label = ArmLabel(*trial);
      if (arms.size() >= label.size() && arms.ends_with(label)) continue;
      if (!arms.empty()) arms += ", ";
      arms += label;
    }
    if (other == nullptr) return;
    out_.prompt_truncated.push_back(id);
    if (!out_.truncation.empty()) return;
    const bool fewer = *other->prompt_tokens < *reference->prompt_tokens;
    out_.truncation = (fewer ? "prompt truncated in " : "prompt token count differs in ") + arms +
                      ": test_id \"" + SanitizeText(index_.ids[id], 120) + "\" has " +
                      std::to_string(*reference->prompt_tokens) + " prompt tokens in " +
                      ArmLabel(*reference) + ", " + std::to_string(*other->prompt_tokens) + " in " +
                      ArmLabel(*other);
  }

  void CountLabel(const Trial& trial) {
    if (last_count_ == nullptr || trial.malformed_row || !(trial.failure_mode == last_label_)) {
      const std::string* text = trial.failure_mode.if_string();
      const std::string label = trial.malformed_row ? "<row>"
                                : text != nullptr   ? *text
                                                    : CompactText(trial.failure_mode);
      last_count_ = &labels_[label];
      last_label_ =
          trial.malformed_row ? Json(std::numeric_limits<double>::quiet_NaN()) : trial.failure_mode;
    }
    ++*last_count_;
  }

  void NoteFault(const Trial& trial) {
    if (!IsFault(trial)) return;
    if (first_fault_ == nullptr || Order(trial) < Order(*first_fault_)) first_fault_ = &trial;
  }

  /// When the failure was seen; what was never sent comes last, in the order in which the arms are
  /// run.
  [[nodiscard]] static std::tuple<double, bool, Arm, int, std::string_view> Order(
      const Trial& trial) {
    double time = std::numeric_limits<double>::infinity();
    for (const auto& at : {trial.complete_ts, trial.dispatch_ts}) {
      if (at && std::isfinite(*at)) {
        time = *at;
        break;
      }
    }
    const bool b2 = trial.arm == Arm::kB && trial.pass > 0;
    return {time, b2, trial.arm, trial.pass, trial.test_id};
  }

  const RecordIndex& index_;
  std::vector<std::pair<const RowMap*, std::size_t>> arms_;
  std::vector<const Trial*> rows_;
  std::map<std::string, std::int64_t> labels_;
  Json last_label_;
  std::int64_t* last_count_ = nullptr;
  const Trial* first_fault_ = nullptr;
  RequestChecks out_;
};

}  // namespace

RequestChecks CheckRequests(const RecordIndex& index) { return Checker(index).Check(); }

}  // namespace bi_test
