#include "http/chat_reply_reader.h"

#include <algorithm>
#include <utility>

#include "base/safe_text.h"
#include "base/trim.h"
#include "http/reply_assembler.h"

namespace bi_test::http {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxLeadingSpace = 64u << 10;

}  // namespace

struct ChatReplyReader::State {
  explicit State(Limits chosen) : limits(chosen), assembler(chosen.max_tokens) {}

  enum class Shape { kUnknown, kStream, kDocument };

  Limits limits;
  ReplyAssembler assembler;
  Shape shape = Shape::kUnknown;
  std::size_t taken = 0;  ///< Bytes of the body so far.
  std::optional<ReplyFault> fault;

  std::string buffer;             ///< Head, whole document, or the line that is not complete yet.
  std::size_t buffer_offset = 0;  ///< Of its first byte in the body.

  bool skip_line_feed = false;  ///< The last line ended with CR; an LF still belongs to it.
  bool done = false;            ///< `[DONE]` was seen.
  std::string data;             ///< Of the event being collected.
  bool has_data = false;
  bool saw_field = false;  ///< A line that belongs to an event stream was seen.
  bool is_error_event = false;
  /// Where each data line begins: in `data`, and in the body.
  std::vector<std::pair<std::size_t, std::size_t>> data_lines;

  bool Refuse(ReplyFault::Kind kind, std::string text) {
    if (!fault) fault = ReplyFault{kind, std::move(text)};
    return false;
  }

  bool Feed(std::string_view bytes);
  bool DecideShape();
  bool FeedStream(std::string_view bytes, std::size_t offset);
  bool TakeLine(std::string_view line, std::size_t offset);
  bool EndEvent();
  bool TakeEvent();
  bool FinishStream();
  std::size_t BodyOffset(std::size_t data_offset) const;
};

bool ChatReplyReader::State::Feed(std::string_view bytes) {
  if (fault) return false;
  const std::size_t offset = taken;
  if (bytes.size() > limits.max_bytes - taken) {
    return Refuse(ReplyFault::Kind::kTooLarge, "the reply has more than the allowed " +
                                                   std::to_string(limits.max_bytes) + " bytes");
  }
  taken += bytes.size();
  switch (shape) {
    case Shape::kUnknown:
      buffer += bytes;
      return DecideShape();
    case Shape::kDocument:
      buffer += bytes;
      return true;
    case Shape::kStream:
      return FeedStream(bytes, offset);
  }
  return true;
}

bool ChatReplyReader::State::DecideShape() {
  const std::string_view head = buffer;
  if (head.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(head)) return true;
  const std::size_t begin = head.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t first = std::min(head.find_first_not_of(" \t\r\n", begin), head.size());
  if (first == head.size() && first < kMaxLeadingSpace) return true;
  if (first < head.size() && (head[first] == '{' || head[first] == '[')) {
    shape = Shape::kDocument;
    buffer.erase(0, begin);
    buffer_offset = begin;
    return true;
  }
  shape = Shape::kStream;
  const std::string rest = std::exchange(buffer, {});
  return FeedStream(std::string_view(rest).substr(begin), begin);
}

bool ChatReplyReader::State::FeedStream(std::string_view bytes, std::size_t offset) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (std::exchange(skip_line_feed, false) && bytes[at] == '\n') {
      ++at;
      continue;
    }
    if (done) return true;  // nothing after the end mark counts
    const std::size_t end = bytes.find_first_of("\r\n", at);
    const std::size_t length = (end == bytes.npos ? bytes.size() : end) - at;
    if (length > limits.max_line - buffer.size()) {
      return Refuse(ReplyFault::Kind::kTooLarge, "a line of the stream has more than the allowed " +
                                                     std::to_string(limits.max_line) + " bytes");
    }
    if (buffer.empty()) buffer_offset = offset + at;
    if (end == bytes.npos) {
      buffer += bytes.substr(at);
      return true;
    }
    bool ok = true;
    if (buffer.empty()) {
      ok = TakeLine(bytes.substr(at, length), buffer_offset);
    } else {
      buffer += bytes.substr(at, length);
      const std::string line = std::exchange(buffer, {});
      ok = TakeLine(line, buffer_offset);
    }
    if (!ok) return false;
    skip_line_feed = bytes[end] == '\r';
    at = end + 1;
  }
  return true;
}

bool ChatReplyReader::State::TakeLine(std::string_view line, std::size_t offset) {
  if (line.empty()) return EndEvent();
  if (line.front() == ':') {
    saw_field = true;
    return true;
  }
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::size_t value_at = colon == line.npos ? line.size() : colon + 1;
  if (value_at < line.size() && line[value_at] == ' ') ++value_at;
  const std::string_view value = line.substr(value_at);
  saw_field = saw_field || field == "data" || field == "event" || field == "id" || field == "retry";
  if (field == "data") {
    if (has_data) data += '\n';
    data_lines.emplace_back(data.size(), offset + value_at);
    data += value;
    has_data = true;
  } else if (field == "event") {
    is_error_event = value == "error";
  } else if (field == "error") {  // how older llama.cpp sends one
    return Refuse(ReplyFault::Kind::kErrorObject,
                  "the server sent an error: " + Printable(value, 2048));
  }
  return true;
}

std::size_t ChatReplyReader::State::BodyOffset(std::size_t data_offset) const {
  std::size_t offset = data_offset;
  for (const auto& [in_data, in_body] : data_lines) {
    if (in_data > data_offset) break;
    offset = in_body + (data_offset - in_data);
  }
  return offset;
}

bool ChatReplyReader::State::EndEvent() {
  const bool ok = !has_data || TakeEvent();
  data.clear();
  data_lines.clear();
  has_data = false;
  is_error_event = false;
  return ok;
}

bool ChatReplyReader::State::TakeEvent() {
  const std::string_view text = Trim(data);
  if (text.empty()) return true;
  if (text == "[DONE]") {
    done = true;
    return true;
  }
  const auto problem = assembler.Take(data, /*streamed=*/true);
  if (problem && problem->kind == ReplyFault::Kind::kErrorObject) {
    return Refuse(problem->kind, problem->text);
  }
  if (is_error_event) {
    return Refuse(ReplyFault::Kind::kErrorObject,
                  "the server sent an error: " + Printable(text, 2048));
  }
  if (!problem) return true;
  if (problem->offset) {
    return Refuse(problem->kind, "invalid JSON at byte " +
                                     std::to_string(BodyOffset(*problem->offset)) + ": " +
                                     problem->text);
  }
  return Refuse(problem->kind,
                problem->text + " (event at byte " + std::to_string(BodyOffset(0)) + ")");
}

bool ChatReplyReader::State::FinishStream() {
  if (done) return true;
  // The last blank line is often missing, so a complete last event counts; a cut one is no syntax
  // error.
  if (!buffer.empty()) {
    const std::string line = std::exchange(buffer, {});
    if (!TakeLine(line, buffer_offset)) return false;
  }
  if (!EndEvent()) {
    if (fault->kind == ReplyFault::Kind::kMalformed) {
      fault.reset();
      return Refuse(ReplyFault::Kind::kCutShort,
                    "the stream ends inside an event, after " + std::to_string(taken) + " bytes");
    }
    return false;
  }
  if (done || assembler.saw_finish_reason()) return true;
  if (!assembler.saw_choice() && !saw_field) {
    return Refuse(ReplyFault::Kind::kMalformed,
                  "found neither a JSON document nor an event stream at byte 0");
  }
  return Refuse(ReplyFault::Kind::kCutShort, "the stream ends after " + std::to_string(taken) +
                                                 " bytes without finish_reason and without [DONE]");
}

ChatReplyReader::ChatReplyReader() : ChatReplyReader(Limits{}) {}
ChatReplyReader::ChatReplyReader(Limits limits) : state_(std::make_unique<State>(limits)) {}
ChatReplyReader::~ChatReplyReader() = default;
ChatReplyReader::ChatReplyReader(ChatReplyReader&&) noexcept = default;
ChatReplyReader& ChatReplyReader::operator=(ChatReplyReader&&) noexcept = default;

bool ChatReplyReader::Feed(std::string_view bytes) { return state_->Feed(bytes); }

bool ChatReplyReader::saw_output() const { return state_->assembler.saw_output(); }

std::variant<ChatReply, ReplyFault> ChatReplyReader::Finish() {
  State& state = *state_;
  if (state.fault) return *state.fault;
  switch (state.shape) {
    case State::Shape::kUnknown:
      state.Refuse(ReplyFault::Kind::kMalformed, "the reply is empty");
      break;
    case State::Shape::kDocument:
      if (const auto problem = state.assembler.Take(state.buffer, /*streamed=*/false)) {
        state.Refuse(problem->kind,
                     problem->offset ? "invalid JSON at byte " +
                                           std::to_string(state.buffer_offset + *problem->offset) +
                                           ": " + problem->text
                                     : problem->text);
      }
      break;
    case State::Shape::kStream:
      if (state.FinishStream() && !state.assembler.saw_choice()) {
        state.Refuse(ReplyFault::Kind::kMalformed, "the stream ends without any choice");
      }
      break;
  }
  if (state.fault) return *state.fault;
  return state.assembler.Finish();
}

}  // namespace bi_test::http
