#include "server/model/gguf_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/ascii.h"
#include "base/safe_text.h"

namespace bi_test::server {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF is read as little-endian");

constexpr std::uint64_t kMaxMetadata = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxKeys = 65'536;
constexpr std::uint64_t kMaxString = std::uint64_t{16} << 20;
constexpr std::size_t kMaxKvHeadList = 4'096;
constexpr int kMaxNesting = 4;

// Value types of the format.
enum class Type : std::uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

// Bytes of one value of a fixed-size type; 0 for string, array and unknown numbers.
std::uint64_t FixedSize(std::uint32_t type) {
  constexpr std::array<std::uint64_t, 13> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < kSizes.size() ? kSizes[type] : 0;
}

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  bool Bytes(void* target, std::uint64_t size) {
    if (!Room(size)) return false;
    in_.read(static_cast<char*>(target), static_cast<std::streamsize>(size));
    if (static_cast<std::uint64_t>(in_.gcount()) != size) return Fail("the file ends");
    offset_ += size;
    return true;
  }
  template <typename T>
  bool Number(T& value) {
    return Bytes(&value, sizeof value);
  }
  bool Skip(std::uint64_t size) {
    if (!Room(size)) return false;
    in_.ignore(static_cast<std::streamsize>(size));
    if (static_cast<std::uint64_t>(in_.gcount()) != size) return Fail("the file ends");
    offset_ += size;
    return true;
  }
  // Grows in steps, so that a length that lies costs no memory.
  bool String(std::string& text) {
    std::uint64_t size = 0;
    if (!Number(size)) return false;
    if (size > kMaxString) return Fail("a string of " + std::to_string(size) + " bytes");
    text.clear();
    while (text.size() < size) {
      const std::uint64_t step = std::min<std::uint64_t>(size - text.size(), 65'536);
      const std::size_t old = text.size();
      text.resize(old + step);
      if (!Bytes(text.data() + old, step)) return false;
    }
    return true;
  }
  bool Fail(const std::string& what) {
    if (trouble_.empty()) trouble_ = what + " at byte " + std::to_string(offset_);
    return false;
  }

 private:
  bool Room(std::uint64_t size) {
    if (size <= kMaxMetadata - offset_) return true;
    return Fail("metadata above " + std::to_string(kMaxMetadata >> 20) + " MiB");
  }

  std::istream& in_;
  std::uint64_t offset_ = 0;
  std::string trouble_;
};

// A value as far as the guards care: unsigned numbers, strings, short lists of numbers.
struct Value {
  std::optional<std::uint64_t> number;
  std::optional<std::string> text;
  std::vector<std::uint64_t> list;
};

template <typename T>
bool ReadUnsigned(Reader& in, std::optional<std::uint64_t>& number) {
  T value{};
  if (!in.Number(value)) return false;
  if (value >= T{0}) number = static_cast<std::uint64_t>(value);
  return true;
}

bool ReadScalar(Reader& in, std::uint32_t type, std::optional<std::uint64_t>& number) {
  switch (static_cast<Type>(type)) {
    case Type::kUint8:
      return ReadUnsigned<std::uint8_t>(in, number);
    case Type::kInt8:
      return ReadUnsigned<std::int8_t>(in, number);
    case Type::kUint16:
      return ReadUnsigned<std::uint16_t>(in, number);
    case Type::kInt16:
      return ReadUnsigned<std::int16_t>(in, number);
    case Type::kUint32:
      return ReadUnsigned<std::uint32_t>(in, number);
    case Type::kInt32:
      return ReadUnsigned<std::int32_t>(in, number);
    case Type::kUint64:
      return ReadUnsigned<std::uint64_t>(in, number);
    case Type::kInt64:
      return ReadUnsigned<std::int64_t>(in, number);
    case Type::kFloat32:
    case Type::kFloat64:
    case Type::kBool:
      return in.Skip(FixedSize(type));
    case Type::kString:
    case Type::kArray:
      break;
  }
  return in.Fail("unknown value type " + std::to_string(type));
}

bool ReadArray(Reader& in, Value& value, int depth);

bool ReadValue(Reader& in, std::uint32_t type, Value& value, int depth) {
  if (type == static_cast<std::uint32_t>(Type::kString)) {
    return in.String(value.text.emplace());
  }
  if (type == static_cast<std::uint32_t>(Type::kArray)) return ReadArray(in, value, depth + 1);
  return ReadScalar(in, type, value.number);
}

bool ReadArray(Reader& in, Value& value, int depth) {
  if (depth > kMaxNesting) return in.Fail("lists nested too deeply");
  std::uint32_t type = 0;
  std::uint64_t count = 0;
  if (!in.Number(type) || !in.Number(count)) return false;
  const std::uint64_t size = FixedSize(type);
  if (size != 0 && count > kMaxKvHeadList) {
    if (count > kMaxMetadata / size)
      return in.Fail("a list of " + std::to_string(count) + " values");
    return in.Skip(size * count);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    Value item;
    if (!ReadValue(in, type, item, depth)) return false;
    if (item.number && value.list.size() < kMaxKvHeadList) value.list.push_back(*item.number);
  }
  return true;
}

void Store(GgufHeader& header, std::string_view key, Value&& value) {
  if (key == "general.architecture" && value.text) header.architecture = std::move(*value.text);
  if (key == "general.name" && value.text) header.name = std::move(*value.text);
  // The other keys start with the architecture, which always comes first in the files there are; by
  // the rest of the name they are found in any order.
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return;
  const std::string_view rest = key.substr(dot + 1);
  const auto set = [&](std::string_view wanted, std::uint64_t& field) {
    if (rest == wanted && value.number) field = *value.number;
  };
  set("block_count", header.layers);
  set("embedding_length", header.embedding);
  set("attention.key_length", header.key_length);
  set("attention.value_length", header.value_length);
  set("context_length", header.train_context);
  set("expert_count", header.experts);
  set("attention.head_count", header.heads);
  if (rest == "attention.head_count" && !value.list.empty()) {
    header.heads = *std::max_element(value.list.begin(), value.list.end());
  }
  if (rest == "attention.head_count_kv") {
    if (value.number) header.kv_heads = {*value.number};
    if (!value.list.empty()) header.kv_heads = std::move(value.list);
  }
}

bool ReadAll(Reader& in, GgufHeader& header) {
  std::array<char, 4> magic{};
  if (!in.Bytes(magic.data(), magic.size())) return false;
  if (std::string_view(magic.data(), 4) != "GGUF") {
    return in.Fail("no GGUF file: it starts with `" + Printable({magic.data(), 4}) + "`");
  }
  std::uint64_t keys = 0;
  if (!in.Number(header.version)) return false;
  if (header.version != 2 && header.version != 3) {
    return in.Fail("GGUF version " + std::to_string(header.version) + " (known: 2 and 3)");
  }
  if (!in.Number(header.tensor_count) || !in.Number(keys)) return false;
  if (keys > kMaxKeys) return in.Fail(std::to_string(keys) + " metadata keys");
  std::string key;
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint32_t type = 0;
    Value value;
    if (!in.String(key) || !in.Number(type) || !ReadValue(in, type, value, 0)) return false;
    Store(header, key, std::move(value));
  }
  return true;
}

Result<GgufHeader> ReadStream(std::istream& in, const std::string& where) {
  Reader reader(in);
  GgufHeader header;
  if (ReadAll(reader, header)) return header;
  return Error{
      ErrorCode::kInvalidFile,
      "the model file cannot be used: " + reader.trouble() + "; download or convert it again",
      where};
}

double ElementsPerToken(const GgufHeader& header, std::uint64_t head_length) {
  const std::uint64_t per_head =
      head_length != 0 ? head_length : (header.heads != 0 ? header.embedding / header.heads : 0);
  double heads = 0;
  if (header.kv_heads.size() > 1) {
    for (const std::uint64_t layer : header.kv_heads) heads += static_cast<double>(layer);
  } else {
    const std::uint64_t each = header.kv_heads.empty() ? header.heads : header.kv_heads.front();
    heads = static_cast<double>(each) * static_cast<double>(header.layers);
  }
  return heads * static_cast<double>(per_head);
}

}  // namespace

double GgufHeader::KeyElementsPerToken() const { return ElementsPerToken(*this, key_length); }
double GgufHeader::ValueElementsPerToken() const { return ElementsPerToken(*this, value_length); }

Result<GgufHeader> ReadGgufHeader(const std::filesystem::path& file) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) {
    return Error{ErrorCode::kNotFound, "the model file does not exist; check the model's path",
                 file.string()};
  }
  if (!std::filesystem::is_regular_file(status)) {
    return Error{ErrorCode::kNotFound, "the model is no regular file; give the .gguf file itself",
                 file.string()};
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return Error{ErrorCode::kNotFound, "the model file cannot be opened; check its permissions",
                 file.string()};
  }
  return ReadStream(in, file.string());
}

Result<GgufHeader> ParseGgufHeader(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  return ReadStream(in, {});
}

Result<std::uint64_t> ModelBytes(const std::filesystem::path& file) {
  std::error_code failure;
  std::uint64_t total = std::filesystem::file_size(file, failure);
  if (failure) {
    return Error{ErrorCode::kNotFound,
                 "the size of the model file cannot be read: " + failure.message() +
                     "; check the model's path",
                 file.string()};
  }
  // name-00001-of-00003.gguf
  const std::string name = file.filename().string();
  constexpr std::size_t kSuffix = sizeof "-00001-of-00003.gguf" - 1;
  if (name.size() <= kSuffix) return total;
  const std::string stem = name.substr(0, name.size() - kSuffix);
  const std::string suffix = name.substr(stem.size());
  const std::string count = suffix.substr(10, 5);
  const auto is_number = [](std::string_view text) { return std::ranges::all_of(text, IsDigit); };
  if (suffix[0] != '-' || suffix.substr(6, 4) != "-of-" || suffix.substr(15) != ".gguf" ||
      !is_number(count) || !is_number(suffix.substr(1, 5))) {
    return total;
  }
  for (int part = 1; part <= std::stoi(count); ++part) {
    std::string number = std::to_string(part);
    number.insert(0, 5 - number.size(), '0');
    const std::filesystem::path sibling =
        file.parent_path() / (stem + "-" + number + "-of-" + count + ".gguf");
    if (sibling.filename() == file.filename()) continue;
    const std::uint64_t bytes = std::filesystem::file_size(sibling, failure);
    if (!failure) total += bytes;
  }
  return total;
}

}  // namespace bi_test::server
