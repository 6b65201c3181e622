#include "driver/prepared_item.h"

#include <utility>

#include "core/sha256.h"

namespace bi_test::driver {

Result<std::vector<PreparedItem>> PrepareItems(const Sweep& sweep, const SweepCell& cell,
                                               const server::Dialect& dialect) {
  Result<std::vector<config::Item>> items =
      config::ExpandItems(sweep.workset, cell.cell.model, cell.cell.ctx, sweep.run.reps);
  if (!items.ok()) return items.error();
  std::vector<PreparedItem> out;
  out.reserve(items->size());
  for (config::Item& item : *items) {
    const WorksetRow& row = sweep.workset.rows[item.row];
    PreparedItem& prepared = out.emplace_back();
    prepared.body = dialect.RequestBody(row, item.seed, sweep.run);
    prepared.request_sha256 = Sha256Hex(prepared.body);
    prepared.prompt_sha256 = Sha256Hex(row.system.value_or("") + '\0' + row.prompt);
    prepared.item = std::move(item);
  }
  return out;
}

}  // namespace bi_test::driver
