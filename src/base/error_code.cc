#include "bi_test/result.h"

namespace bi_test {

const char* ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kInvalidFile:
      return "invalid_file";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kServer:
      return "server";
    case ErrorCode::kTransport:
      return "transport";
    case ErrorCode::kDeadline:
      return "deadline";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kInterrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace bi_test
