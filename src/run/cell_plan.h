#pragma once

#include <memory>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/answer_scorer.h"
#include "run/cell_context.h"
#include "run/pass.h"
#include "run/prepared_item.h"
#include "run/provenance.h"
#include "server/dialect.h"

namespace bi_test::run {

/// What a run of one cell asks, how answers are scored, and in which passes and orders.
struct CellPlan {
  const CellContext& context;
  Sweep sweep;  ///< With the work-set of this cell, also where that is made for it.
  const server::Dialect* dialect = nullptr;
  std::unique_ptr<AnswerScorer> scorer{};
  Json scorer_identity{};
  ModelFacts model{};  ///< Empty where the launcher loads no model.
  std::vector<PreparedItem> items{};

  /// All but the items. Errors: no such kind of server, no such scorer, a model file that cannot be
  /// read or is not the one of the registry.
  [[nodiscard]] static Result<CellPlan> Make(const Sweep& sweep, const CellContext& context);

  /// Whether the work-set is made for the cell, which takes a server that is up.
  [[nodiscard]] bool needs_workset() const { return sweep.workset_maker || sweep.made; }

  /// The bytes of every request, made once. Errors are those of run::PrepareItems.
  [[nodiscard]] Status PrepareItems();

  /// Counts the prompts by the tokenizer of the server that is up.
  [[nodiscard]] Status CountTokens(const server::ServerIdentity& identity);

  /// All items one at a time, in the order of the work-set.
  [[nodiscard]] Pass Serial(Arm arm, int number) const;
  /// The controls that ask a few items again (`run.control_sample`), spread evenly.
  [[nodiscard]] Pass Control(Arm arm, int number) const;
  /// All items, N at a time. `latency_s`: mean seconds of one request served alone.
  [[nodiscard]] Pass Concurrent(int number, double latency_s) const;
};

}  // namespace bi_test::run
