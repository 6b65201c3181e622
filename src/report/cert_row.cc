#include "report/cert_row.h"

#include <memory>
#include <utility>

#include "cert/advice.h"
#include "cert/read_cert.h"

namespace bi_test::report {
namespace {

CellResult DamagedRow(const CellFacts& facts, const std::string& damage) {
  CellResult row;
  row.cell = facts.cell;
  row.state = CellState::kError;
  row.damaged = true;
  row.error_code = ErrorCode::kInvalidFile;
  row.cert_path = facts.files.cert;
  row.run_id = facts.set_up.run_id;
  row.ts_utc = facts.ts_utc;
  row.message = "damaged cert: " + damage;
  row.explanation = row.message + "\n" + row.cert_path;
  row.next_step = AdviceOnDamage();
  return row;
}

}  // namespace

CellResult RowFromCert(const Cert& cert, const Cell& cell, const std::string& path) {
  CellFacts facts = ReadCert(cert.document);
  facts.cell = cell;
  facts.files.cert = path;
  if (const std::string damage = DamageOf(cert); !damage.empty()) {
    return DamagedRow(facts, damage);
  }
  CellResult row;
  FillFromFacts(facts, row);
  auto detail = std::make_shared<CellDetail>();
  detail->facts = std::move(facts);
  detail->no_trace = "the trace was not read";
  row.detail = std::move(detail);
  return row;
}

CellResult RowFromRefusal(const Json& document, const Cell& cell, const std::string& path) {
  CellFacts facts = ReadRefusal(document);
  facts.cell = cell;
  facts.files.refusal = path;
  CellResult row;
  FillFromFacts(facts, row);
  return row;
}

}  // namespace bi_test::report
