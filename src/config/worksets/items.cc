#include "config/worksets/items.h"

#include <unordered_set>

#include "base/safe_text.h"
#include "config/worksets/item_identity.h"

namespace bi_test::config {

ScorerItem Item::ForScorer() const {
  return {test_id, prompt, system, family, position, rep, fill_ratio, {}};
}

Result<std::vector<Item>> ExpandItems(const Workset& workset, std::string_view model, int ctx,
                                      int reps) {
  if (reps < 1) {
    return Error{ErrorCode::kUsage, "found " + std::to_string(reps) + ", allowed: at least 1",
                 "reps"};
  }
  // Rows that are repetitions of one row, each with a prompt of its own, count as one row.
  const auto in_rows = static_cast<std::size_t>(workset.reps_in_rows);
  if (in_rows > 1 && in_rows != static_cast<std::size_t>(reps)) {
    return Error{ErrorCode::kUsage,
                 "found " + std::to_string(reps) + ", allowed: " + std::to_string(in_rows) +
                     ", for which the rows were made",
                 "reps"};
  }
  const std::size_t rows = workset.rows.size() / in_rows;
  if (rows > kMostItems / static_cast<std::size_t>(reps)) {
    return Error{ErrorCode::kUsage,
                 "found " + std::to_string(rows) + " rows in " + std::to_string(reps) +
                     " repetitions, allowed: " + std::to_string(kMostItems) + " items",
                 workset.name};
  }
  std::vector<Item> items;
  items.reserve(rows * static_cast<std::size_t>(reps));
  std::unordered_set<std::string> seen;
  for (std::size_t row = 0; row < rows; ++row) {
    for (int rep = 0; rep < reps; ++rep) {
      Item item;
      item.row = in_rows > 1 ? row * in_rows + static_cast<std::size_t>(rep) : row;
      const WorksetRow& source = workset.rows[item.row];
      item.rep = rep;
      item.position = RowPosition(row, rows);
      item.test_id = TestId(model, ctx, source.family, item.position, rep, source.fill);
      item.seed = ItemSeed(model, ctx, source.family, item.position, rep);
      item.family = source.family;
      item.fill_ratio = source.fill;
      item.expected_answer = source.expected_answer;
      item.prompt = source.prompt;
      item.system = source.system;
      if (!seen.insert(item.test_id).second) {
        return Error{ErrorCode::kInvalidFile,
                     "row " + std::to_string(row) + ": found the test_id " +
                         Quoted(item.test_id, 200) +
                         " a second time, allowed: another family, fill or number of rows",
                     workset.name};
      }
      items.push_back(std::move(item));
    }
  }
  return items;
}

}  // namespace bi_test::config
