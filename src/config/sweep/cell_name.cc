#include "config/sweep/cell_name.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/ascii.h"
#include "base/blake2b.h"
#include "base/hex.h"
#include "config/name_match.h"

namespace bi_test::config {
namespace {

constexpr std::size_t kMostBytes = 100;
constexpr std::size_t kHashBytes = 8;  // of the digest, two digits each

bool IsPlain(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

std::string Digits(std::string_view id) {
  std::array<std::uint8_t, kHashBytes> digest{};
  Blake2b(id, digest);
  std::string out;
  for (const std::uint8_t byte : digest) AppendHex(out, byte, 2);
  return out;
}

// One `_` for a whole UTF-8 sequence, so that a letter with an accent is one character here too.
std::string Plain(std::string_view id) {
  std::string out;
  for (const char c : id) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    out += IsPlain(c) ? c : '_';
  }
  if (out.empty() || !IsLetter(out.front()) || out.starts_with("DISABLED_")) out.insert(0, "m_");
  return out;
}

std::string WithSuffix(const std::string& plain, std::string_view id, std::size_t digits) {
  return plain.substr(0, kMostBytes - digits - 2) + "_h" + Digits(id).substr(0, digits);
}

}  // namespace

std::vector<std::string> ModelTestNames(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(Plain(id));
  std::vector<std::size_t> digits(ids.size(), 0);
  // A suffixed name may meet the plain name of another model, hence the repetition: each round only
  // ever lengthens suffixes, up to the whole digest.
  for (std::size_t round = 0; round < 2 * ids.size() + 2; ++round) {
    std::map<std::string, int> uses;
    for (const std::string& name : names) ++uses[name];
    bool changed = false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool shared = uses[names[i]] > 1;
      const bool too_long = names[i].size() > kMostBytes;
      if ((!shared && !too_long) || digits[i] == 2 * kHashBytes) continue;
      digits[i] = digits[i] == 0 ? kHashBytes : 2 * kHashBytes;
      names[i] = WithSuffix(Plain(ids[i]), ids[i], digits[i]);
      changed = true;
    }
    if (!changed) break;
  }
  return names;
}

std::string CellTestName(std::string_view model_test_name, int ctx, int dispatch_n) {
  std::string name(model_test_name);
  name.append("__ctx").append(std::to_string(ctx)).append("__n").append(std::to_string(dispatch_n));
  return name;
}

const SweepCell* FindCell(const std::vector<SweepCell>& cells, std::string_view name) {
  const auto is_meant = [name](const SweepCell& cell) {
    if (cell.test_name == name) return true;
    const std::string path = cell.cell.model + "/" + std::to_string(cell.cell.ctx) + "/" +
                             std::to_string(cell.cell.dispatch_n);
    return path == name;
  };
  const auto hit = std::ranges::find_if(cells, is_meant);
  return hit == cells.end() ? nullptr : &*hit;
}

std::vector<std::string> NearCells(const std::vector<SweepCell>& cells, std::string_view name,
                                   std::size_t most) {
  std::vector<std::string> names;
  for (const SweepCell& cell : cells) names.push_back(cell.test_name);
  return NearNames(name, names, most);
}

}  // namespace bi_test::config
