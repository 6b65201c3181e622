#include "spark/python_tree.h"

#include <algorithm>
#include <utility>

namespace bi_test::spark {

bool SameTree(const PythonTree& x, const PythonTree& y) {
  // A list of pairs instead of recursion: a long sum is a deep tree.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{x.root, y.root}};
  while (!open.empty()) {
    const PythonNode& a = x.nodes[open.back().first];
    const PythonNode& b = y.nodes[open.back().second];
    open.pop_back();
    if (a.kind != b.kind || a.value != b.value || a.children.size() != b.children.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.children.size(); ++i) {
      open.emplace_back(a.children[i], b.children[i]);
    }
  }
  return true;
}

std::vector<std::string> OperatorsAndConstants(const PythonTree& tree) {
  using Kind = PythonNode::Kind;
  std::vector<std::string> out;
  std::vector<std::uint32_t> open = {tree.root};
  while (!open.empty()) {
    const PythonNode& node = tree.nodes[open.back()];
    open.pop_back();
    open.insert(open.end(), node.children.begin(), node.children.end());
    switch (node.kind) {
      case Kind::kComparator:
      case Kind::kBinary:
      case Kind::kUnary:
      case Kind::kBoolean:
      case Kind::kAugmented:
      case Kind::kConstant:
        out.push_back(std::to_string(static_cast<int>(node.kind)) + ' ' + node.value);
        break;
      default:
        break;
    }
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace bi_test::spark
