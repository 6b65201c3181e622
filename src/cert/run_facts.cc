#include "cert/run_facts.h"

#include "cert/read_cert.h"

namespace bi_test {

CellFacts FactsOf(const Judgement& judgement) {
  CellFacts facts;
  facts.judgement = judgement;
  facts.ac = PairFactsOf(judgement.ac);
  facts.ab = PairFactsOf(judgement.ab);
  facts.bc = PairFactsOf(judgement.bc);
  facts.aa2 = PairFactsOf(judgement.aa2);
  if (judgement.aa3) facts.aa3 = PairFactsOf(*judgement.aa3);
  if (judgement.bb2) facts.bb2 = PairFactsOf(*judgement.bb2);
  return facts;
}

CellFacts FactsOf(const CellRun& run) {
  CellFacts facts = FactsOf(run.judgement);
  facts.cell = run.cell;
  facts.error = run.error;
  facts.source = run.record.source;
  facts.throughput = MeasureThroughput(run.record);
  ReadHeader(run.record.header, facts);
  facts.wall_s = run.wall_s;
  facts.files = {run.cert_path, run.refusal_path, run.trace_path, run.server_logs};
  return facts;
}

}  // namespace bi_test
