#include "support/recorded_run.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bi_test/driver.h"
#include "run/cert_file.h"
#include "run/provenance.h"
#include "trace/trace.h"

namespace bi_test::testing_support {

std::string TraceText(Record record) {
  record.header["expects_end"] = true;
  std::string text = trace::HeaderLine(record);
  for (const Trial& trial : record.trials) text += trace::TrialLine(trial);
  for (const PassEvidence& evidence : record.evidence) text += trace::EvidenceLine(evidence);
  return text + trace::EndLine(record);
}

RecordedRun WriteRun(const std::filesystem::path& dir, Record record) {
  record.header["provenance"]["finished_utc"] = run::NowUtc();
  RecordedRun out;
  out.cert = run::CertPath(dir, record.cell);
  out.trace = run::TraceOfCert(out.cert);
  WriteText(out.trace, TraceText(std::move(record)));
  Result<CellRun> judged = JudgeTrace(out.trace);
  if (!judged.ok()) {
    std::cerr << judged.error().Text() << '\n';
    std::abort();
  }
  out.run = std::move(judged).value();
  WriteText(out.cert, CertText(out.run.cert));
  return out;
}

void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out.good()) std::abort();
}

std::string ReadText(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace bi_test::testing_support
