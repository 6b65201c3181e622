#include <charconv>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "make_model/make_model.h"

namespace bi_test::make_model {
namespace {

constexpr std::string_view kUsage =
    R"(usage: bi-test make-model OUT.gguf [flags]

Writes a tiny language model with random weights that llama-server loads. The bytes of the file
depend on the flags alone.

  --seed S             any number from 0 to 18446744073709551615 (default 1)
  --arch ARCH          dense | moe (default dense)
  --type TYPE          f32 | f16 | q8_0 | q4_0: how matrices are stored (default q8_0)
  --margin MARGIN      plain: rounding may change the text; wide: it cannot (default plain)
  --dim D              width of the model (default 256)
  --hidden H           width of the feed-forward part, of each expert with --arch moe (default 512)
  --layers L           number of blocks (default 4)
  --heads N            attention heads; D / N must be even (default 8)
  --kv-heads N         key and value heads, a divisor of --heads (default 4)
  --ctx N              longest context the model claims to be trained for (default 4096)
  --vocab N            number of tokens (default 1024)
  --experts N          with --arch moe: experts per block (default 8)
  --experts-used N     with --arch moe: experts used per token (default 2)
  --help               this text

Exit status: 0 written, 1 the file could not be written, 2 wrong usage.
)";

// Sets `into` to the one of `values` called `text`; else returns what is allowed.
template <typename Enum>
std::optional<std::string> ParseChoice(std::string_view text, std::initializer_list<Enum> values,
                                       Enum& into) {
  std::string allowed;
  for (const Enum value : values) {
    if (Name(value) == text) {
      into = value;
      return std::nullopt;
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(Name(value));
  }
  return allowed;
}

// Sets `into` to the number that is all of `text`: digits, for signed types after an optional
// minus.
template <typename Integer>
std::optional<std::string> ParseNumber(std::string_view text, std::string_view allowed,
                                       Integer& into) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::string(allowed);
  into = value;
  return std::nullopt;
}

struct Flag {
  std::string_view name;
  int ModelSpec::*number;  // null for the flags below that are not an int
};

constexpr Flag kFlags[] = {
    {"--seed", nullptr},
    {"--arch", nullptr},
    {"--type", nullptr},
    {"--margin", nullptr},
    {"--dim", &ModelSpec::dim},
    {"--hidden", &ModelSpec::hidden},
    {"--layers", &ModelSpec::layers},
    {"--heads", &ModelSpec::heads},
    {"--kv-heads", &ModelSpec::kv_heads},
    {"--ctx", &ModelSpec::ctx},
    {"--vocab", &ModelSpec::vocab},
    {"--experts", &ModelSpec::experts},
    {"--experts-used", &ModelSpec::experts_used},
};

// Sets what `flag` is for; else returns what is allowed.
std::optional<std::string> Set(const Flag& flag, std::string_view text, ModelSpec& spec) {
  if (flag.number != nullptr) return ParseNumber(text, "whole numbers", spec.*flag.number);
  if (flag.name == "--arch") return ParseChoice(text, {Arch::kDense, Arch::kMoe}, spec.arch);
  if (flag.name == "--margin")
    return ParseChoice(text, {Margin::kPlain, Margin::kWide}, spec.margin);
  if (flag.name == "--type") {
    return ParseChoice(text,
                       {TensorType::kF32, TensorType::kF16, TensorType::kQ8_0, TensorType::kQ4_0},
                       spec.type);
  }
  return ParseNumber(text, "whole numbers from 0 to 18446744073709551615", spec.seed);
}

const Flag* FindFlag(std::string_view name) {
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

std::string AllFlags() {
  std::string names;
  for (const Flag& flag : kFlags) names += std::string(flag.name) + ", ";
  return names + "--help";
}

struct Request {
  bool help = false;
  std::string path;
  ModelSpec spec;
};

Error Usage(std::string message) { return {ErrorCode::kUsage, std::move(message), ""}; }

Result<Request> Parse(std::span<const char* const> arguments) {
  Request request;
  std::vector<std::string_view> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      request.help = true;
      return request;
    }
    if (!argument.starts_with('-')) {
      if (!request.path.empty()) {
        return Usage("two files named, '" + request.path + "' and '" + std::string(argument) +
                     "'; exactly one is allowed");
      }
      if (argument.empty()) return Usage("the name of the file is empty");
      request.path = argument;
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const Flag* flag = FindFlag(name);
    if (flag == nullptr) {
      return Usage("unknown flag " + std::string(name) + "; allowed are " + AllFlags());
    }
    for (const std::string_view earlier : given) {
      if (earlier == name) return Usage(std::string(name) + " is given twice; allowed is once");
    }
    given.push_back(name);
    if (equals == std::string_view::npos && i + 1 == arguments.size()) {
      return Usage(std::string(name) + " has no value");
    }
    const std::string_view text =
        equals == std::string_view::npos ? arguments[++i] : argument.substr(equals + 1);
    if (const auto allowed = Set(*flag, text, request.spec)) {
      return Usage(std::string(name) + " is '" + std::string(text) + "'; allowed are " + *allowed);
    }
  }
  if (request.path.empty())
    return Usage("no file named; usage: bi-test make-model OUT.gguf [flags]");
  for (const std::string_view name : given) {
    if (name.starts_with("--experts") && request.spec.arch != Arch::kMoe) {
      return Usage(std::string(name) + " is given with --arch dense; allowed with --arch moe only");
    }
  }
  return request;
}

void Complain(const Error& error, std::ostream& err) {
  std::string_view rest = error.message;
  while (!rest.empty()) {  // one message per line
    const std::size_t end = rest.find('\n');
    err << "bi-test make-model: " << (error.where.empty() ? "" : error.where + ": ")
        << rest.substr(0, end) << '\n';
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
}

}  // namespace

int MakeModelMain(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  constexpr int kOk = 0;
  constexpr int kFailed = 1;
  constexpr int kWrongUsage = 2;
  std::span<const char* const> arguments(argv, argc > 0 ? static_cast<std::size_t>(argc) : 0);
  const Result<Request> request = Parse(arguments.empty() ? arguments : arguments.subspan(1));
  if (!request) {
    Complain(request.error(), err);
    return kWrongUsage;
  }
  if (request->help) {
    out << kUsage;
    return kOk;
  }
  const Result<WrittenModel> written = Write(request->spec, request->path);
  if (!written) {
    Complain(written.error(), err);
    return written.error().code == ErrorCode::kUsage ? kWrongUsage : kFailed;
  }
  out << request->path << ": " << written->size << " bytes, sha256 " << written->sha256 << '\n'
      << request->spec << '\n';
  return kOk;
}

}  // namespace bi_test::make_model
