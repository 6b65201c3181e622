#pragma once

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_limits.h"
#include "base/surrogates.h"

// The one place where RapidJSON's reader is driven. Include from .cc files of this layer only.

namespace bi_test {

/// Where and why a document was refused.
struct SaxFault {
  std::size_t offset = 0;  ///< Byte in the text that was given.
  std::string what;
  enum class Kind {
    kOther,
    kTooDeep,
    /// A surrogate escape without its partner, which RapidJSON cannot read. When broken text is
    /// tolerated, parse ReplaceLoneSurrogateEscapes(text) with a fresh handler.
    kLoneSurrogate,
  } kind = Kind::kOther;
};

/// How broken text inside strings is treated, and which numbers are allowed.
struct SaxOptions {
  /// Bytes that are not UTF-8 are kept and lone surrogate escapes become their three-byte form;
  /// else both are refused.
  bool tolerate_broken_text = false;
  /// The literals NaN, Infinity and -Infinity are numbers, as some writers of JSON spell them.
  bool allow_non_finite = false;
  int max_depth = kDocumentLimits.max_depth;
};

/// Words for RapidJSON's codes.
[[nodiscard]] const char* Describe(rapidjson::ParseErrorCode code);

/// The number token that ends at `end`.
[[nodiscard]] std::string_view NumberEndingAt(std::string_view text, std::size_t end);

/// The double nearest to a number token; nothing when it is too big for one.
[[nodiscard]] std::optional<double> ReadDouble(std::string_view token);

/// True when the integer `digits` (an optional minus and digits) is exactly the double `value`.
[[nodiscard]] bool IsExactly(std::string_view digits, double value);

/// Sits between RapidJSON and a handler: watches depth, tells integers beyond 64 bits from doubles
/// and refuses what the options refuse. The handler has
///   bool Null(); Bool(bool); Integer(int64_t); Unsigned(uint64_t); Double(double);
///   BigInteger(string_view digits, double nearest); String(string_view); Key(string_view);
///   StartObject(); EndObject(size_t members); StartArray(); EndArray(size_t elements);
///   std::string Why() const;
/// where false stops the parse and Why() says the reason.
template <typename Handler>
class SaxGuard {
 public:
  SaxGuard(std::string_view text, const rapidjson::MemoryStream& stream, const SaxOptions& options,
           Handler& handler)
      : text_(text), stream_(stream), options_(options), handler_(handler) {}

  bool Null() { return handler_.Null(); }
  bool Bool(bool value) { return handler_.Bool(value); }
  bool Int(int value) { return handler_.Integer(value); }
  bool Uint(unsigned value) { return handler_.Integer(static_cast<std::int64_t>(value)); }
  bool Int64(std::int64_t value) { return handler_.Integer(value); }
  bool Uint64(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
      return handler_.Integer(static_cast<std::int64_t>(value));
    }
    return handler_.Unsigned(value);
  }
  bool Double(double value) {
    const std::string_view token = NumberEndingAt(text_, stream_.Tell());
    if (token.empty() || token.back() < '0' || token.back() > '9') {
      return handler_.Double(value);  // NaN or Infinity
    }
    const std::optional<double> exact = ReadDouble(token);
    if (!exact) return Refuse("the number is too big for a double");
    if (token.find_first_of(".eE") == token.npos) return handler_.BigInteger(token, *exact);
    return handler_.Double(*exact);
  }
  // Never called without kParseNumbersAsStringsFlag, but named by RapidJSON's templates.
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view view(text, length);
    return TextIsAllowed(view) && handler_.String(view);
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view view(text, length);
    return TextIsAllowed(view) && handler_.Key(view);
  }
  bool StartObject() { return Deeper() && handler_.StartObject(); }
  bool EndObject(rapidjson::SizeType members) {
    --depth_;
    return handler_.EndObject(members);
  }
  bool StartArray() { return Deeper() && handler_.StartArray(); }
  bool EndArray(rapidjson::SizeType elements) {
    --depth_;
    return handler_.EndArray(elements);
  }

  /// The reason of a stop.
  [[nodiscard]] std::string Why() const { return why_.empty() ? handler_.Why() : why_; }
  [[nodiscard]] bool too_deep() const { return depth_ > options_.max_depth; }

 private:
  bool Refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool Deeper() {
    if (++depth_ <= options_.max_depth) return true;
    return Refuse("nested deeper than " + std::to_string(options_.max_depth) + " levels");
  }
  bool TextIsAllowed(std::string_view text) {
    if (options_.tolerate_broken_text || !HasSurrogateBytes(text)) return true;
    return Refuse("a surrogate escape without its partner");
  }

  std::string_view text_;
  const rapidjson::MemoryStream& stream_;
  const SaxOptions& options_;
  Handler& handler_;
  int depth_ = 0;
  std::string why_;
};

/// One pass of RapidJSON over `text`; `end` is where it stopped without a fault.
template <unsigned kFlags, typename Handler>
std::optional<SaxFault> ParseWithFlags(std::string_view text, const SaxOptions& options,
                                       Handler& handler, std::size_t& end) {
  constexpr unsigned kAlways = rapidjson::kParseIterativeFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  SaxGuard<Handler> guard(text, stream, options, handler);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kAlways | kFlags>(stream, guard);
  if (result.IsError()) {
    const rapidjson::ParseErrorCode code = result.Code();
    const bool stopped = code == rapidjson::kParseErrorTermination;
    SaxFault fault{result.Offset(), stopped ? guard.Why() : Describe(code)};
    if (guard.too_deep()) fault.kind = SaxFault::Kind::kTooDeep;
    if (code == rapidjson::kParseErrorStringUnicodeSurrogateInvalid) {
      fault.kind = SaxFault::Kind::kLoneSurrogate;
    }
    return fault;
  }
  end = stream.Tell();
  // RapidJSON takes a zero byte for the end.
  if ((kFlags & rapidjson::kParseStopWhenDoneFlag) == 0 && end != text.size()) {
    return SaxFault{end, "a zero byte"};
  }
  return std::nullopt;
}

/// Parses into `handler`, once.
template <unsigned kFlags, typename Handler>
std::optional<SaxFault> ParseSaxOnce(std::string_view text, const SaxOptions& options,
                                     Handler& handler, std::size_t& end) {
  constexpr unsigned kNumbers = kFlags | rapidjson::kParseNanAndInfFlag;
  constexpr unsigned kStrict = rapidjson::kParseValidateEncodingFlag;
  if (options.tolerate_broken_text) {
    return options.allow_non_finite ? ParseWithFlags<kNumbers>(text, options, handler, end)
                                    : ParseWithFlags<kFlags>(text, options, handler, end);
  }
  return options.allow_non_finite ? ParseWithFlags<kNumbers | kStrict>(text, options, handler, end)
                                  : ParseWithFlags<kFlags | kStrict>(text, options, handler, end);
}

/// ... and once more when the text holds lone surrogate escapes.
template <unsigned kFlags, typename Handler, typename Restart>
std::optional<SaxFault> ParseSaxTwice(std::string_view text, const SaxOptions& options,
                                      Handler& handler, Restart restart, std::size_t& end) {
  std::optional<SaxFault> fault = ParseSaxOnce<kFlags>(text, options, handler, end);
  if (!fault || fault->kind != SaxFault::Kind::kLoneSurrogate || !options.tolerate_broken_text) {
    return fault;
  }
  restart();
  fault = ParseSaxOnce<kFlags>(ReplaceLoneSurrogateEscapes(text), options, handler, end);
  std::size_t& offset = fault ? fault->offset : end;
  offset = OffsetBeforeReplacement(text, offset);
  return fault;
}

/// Parses one document into `handler`. `restart()` is called when the text has to be read again (it
/// holds lone surrogate escapes) and must put the handler back to its beginning.
template <typename Handler, typename Restart>
std::optional<SaxFault> ParseSax(std::string_view text, const SaxOptions& options, Handler& handler,
                                 Restart restart) {
  std::size_t end = 0;
  return ParseSaxTwice<0>(text, options, handler, restart, end);
}

/// The same of the value that `text` begins with; `end` is behind it.
template <typename Handler, typename Restart>
std::optional<SaxFault> ParseLeadingSax(std::string_view text, const SaxOptions& options,
                                        Handler& handler, Restart restart, std::size_t& end) {
  return ParseSaxTwice<rapidjson::kParseStopWhenDoneFlag>(text, options, handler, restart, end);
}

}  // namespace bi_test
