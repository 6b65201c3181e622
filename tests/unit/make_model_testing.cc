#include "unit/make_model_testing.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace bi_test::make_model {
namespace {

class GgufReader {
 public:
  explicit GgufReader(std::string_view bytes) : bytes_(bytes) {}

  Gguf Read() {
    Gguf gguf;
    if (Take(4) != "GGUF") throw std::runtime_error("magic");
    gguf.version = static_cast<std::uint32_t>(Number(4));
    const std::uint64_t tensor_count = Number(8);
    const std::uint64_t key_count = Number(8);
    for (std::uint64_t i = 0; i < key_count; ++i) {
      const std::string key = Text();
      const std::uint64_t type = Number(4);
      if (type == 9) {
        const std::uint64_t element = Number(4);
        const std::uint64_t count = Number(8);
        for (std::uint64_t k = 0; k < count; ++k) gguf.arrays[key].push_back(Scalar(element));
        gguf.values[key] = std::to_string(count);
      } else if (!gguf.values.emplace(key, Scalar(type)).second) {
        throw std::runtime_error("key twice: " + key);
      }
    }
    for (std::uint64_t i = 0; i < tensor_count; ++i) {
      const std::string name = Text();
      GgufTensor tensor;
      tensor.dims.resize(Number(4));
      for (std::uint64_t& dim : tensor.dims) dim = Number(8);
      tensor.type = static_cast<std::uint32_t>(Number(4));
      tensor.offset = Number(8);
      gguf.tensor_names.push_back(name);
      if (!gguf.tensors.emplace(name, tensor).second)
        throw std::runtime_error("tensor twice: " + name);
    }
    gguf.data_at = (at_ + 31) / 32 * 32;
    return gguf;
  }

 private:
  std::string_view Take(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("short file");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::uint64_t Number(std::size_t width) {
    std::uint64_t value = 0;
    const std::string_view bytes = Take(width);
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  std::string Text() { return std::string(Take(static_cast<std::size_t>(Number(8)))); }
  std::string Scalar(std::uint64_t type) {
    switch (type) {
      case 4:
        return std::to_string(Number(4));
      case 5:
        return std::to_string(static_cast<std::int32_t>(Number(4)));
      case 6: {
        std::ostringstream out;
        out << std::bit_cast<float>(static_cast<std::uint32_t>(Number(4)));
        return out.str();
      }
      case 7:
        return Number(1) != 0 ? "true" : "false";
      case 8:
        return Text();
      case 10:
        return std::to_string(Number(8));
      default:
        throw std::runtime_error("value type " + std::to_string(type));
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) {
    hex.push_back("0123456789abcdef"[digest[i] >> 4]);
    hex.push_back("0123456789abcdef"[digest[i] & 15]);
  }
  return hex;
}

ModelSpec Tiny() {
  ModelSpec spec;
  spec.dim = 64;
  spec.hidden = 96;
  spec.layers = 1;
  spec.heads = 4;
  spec.kv_heads = 2;
  spec.ctx = 512;
  spec.vocab = 512;
  return spec;
}

ModelSpec TinyMoe() {
  ModelSpec spec = Tiny();
  spec.arch = Arch::kMoe;
  spec.experts = 4;
  return spec;
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "make_model_test.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Gguf ReadGguf(std::string_view bytes) { return GgufReader(bytes).Read(); }

std::uint64_t BytesOf(const GgufTensor& tensor) {
  const std::uint64_t count = std::accumulate(tensor.dims.begin(), tensor.dims.end(),
                                              std::uint64_t{1}, std::multiplies<>());
  switch (tensor.type) {
    case 0:
      return count * 4;
    case 1:
      return count * 2;
    case 2:
      return count / 32 * 18;
    case 8:
      return count / 32 * 34;
    default:
      throw std::runtime_error("tensor type " + std::to_string(tensor.type));
  }
}

std::vector<float> Decode(const std::string& bytes, const Gguf& gguf, const std::string& name) {
  const GgufTensor& tensor = gguf.tensors.at(name);
  const std::string_view data =
      std::string_view(bytes).substr(gguf.data_at + tensor.offset, BytesOf(tensor));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(data[i]); };
  const auto half = [&](std::size_t i) {
    const unsigned bits = byte(i) | static_cast<unsigned>(byte(i + 1)) << 8;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto mantissa = static_cast<float>(bits & 1023);
    const float magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  };
  std::vector<float> values;
  switch (tensor.type) {
    case 0:
      for (std::size_t i = 0; i < data.size(); i += 4) {
        values.push_back(std::bit_cast<float>(byte(i) |
                                              static_cast<std::uint32_t>(byte(i + 1)) << 8 |
                                              static_cast<std::uint32_t>(byte(i + 2)) << 16 |
                                              static_cast<std::uint32_t>(byte(i + 3)) << 24));
      }
      break;
    case 1:
      for (std::size_t i = 0; i < data.size(); i += 2) values.push_back(half(i));
      break;
    case 2:
      for (std::size_t at = 0; at < data.size(); at += 18) {
        for (std::size_t i = 0; i < 32; ++i) {
          const int packed = byte(at + 2 + i % 16);
          values.push_back(half(at) * static_cast<float>((i < 16 ? packed & 15 : packed >> 4) - 8));
        }
      }
      break;
    case 8:
      for (std::size_t at = 0; at < data.size(); at += 34) {
        for (std::size_t i = 0; i < 32; ++i) {
          values.push_back(half(at) *
                           static_cast<float>(static_cast<signed char>(byte(at + 2 + i))));
        }
      }
      break;
    default:
      break;
  }
  return values;
}

}  // namespace bi_test::make_model
