#include "make_model/make_model.h"

#include <memory>
#include <utility>

#include "make_model/byte_sink.h"
#include "make_model/gguf_writer.h"
#include "make_model/spec_check.h"

namespace bi_test::make_model {
namespace {

Status Check(const ModelSpec& spec) {
  std::string text;
  for (const std::string& error : Validate(spec)) text += (text.empty() ? "" : "\n") + error;
  if (text.empty()) return {};
  return Error{ErrorCode::kUsage, text, ""};
}

}  // namespace

Result<WrittenModel> Write(const ModelSpec& spec, const std::string& path) {
  if (Status status = Check(spec); !status) return status.error();
  Result<std::unique_ptr<AtomicFileSink>> sink = AtomicFileSink::Open(path);
  if (!sink) return sink.error();
  if (Status status = WriteGguf(spec, **sink); !status) return status.error();
  if (Status status = (*sink)->Commit(); !status) return status.error();
  return WrittenModel{(*sink)->size(), (*sink)->sha256()};
}

Result<std::string> ToBytes(const ModelSpec& spec) {
  if (Status status = Check(spec); !status) return status.error();
  StringSink sink;
  if (Status status = WriteGguf(spec, sink); !status) return status.error();
  return std::move(sink).Take();
}

}  // namespace bi_test::make_model
