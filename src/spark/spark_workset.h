#pragma once

#include "bi_test/spark.h"
#include "bi_test/workset_maker.h"

namespace bi_test::spark {

/// The maker behind `SparkWorkset`.
class SparkMaker final : public WorksetMaker {
 public:
  explicit SparkMaker(SparkConfig config) : config_(std::move(config)) {}

  [[nodiscard]] const SparkConfig& config() const { return config_; }
  [[nodiscard]] Result<Workset> Make(const WorksetRequest& request) const override;

 private:
  SparkConfig config_;
};

}  // namespace bi_test::spark
