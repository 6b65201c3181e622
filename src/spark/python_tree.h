#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::spark {

/// Syntax tree of a source in a subset of Python: functions, assignments, `return`, `if`, `for`,
/// `while`, `pass`, `break`, `continue`, and expressions without `await`, `yield` and `:=`.
struct PythonNode {
  enum class Kind : std::uint8_t {
    kModule,
    kFunction,   ///< `value`: its name. Children: parameters, kReturns if annotated, kBody.
    kParameter,  ///< `value`: stars and name, or `/`. Children: kAnnotation, kDefault, if any.
    kAnnotation,
    kDefault,
    kReturns,
    kBody,  ///< Statements.
    kReturn,
    kAssign,      ///< Children: targets, the value last.
    kAugmented,   ///< `value`: the operator, `+` for `+=`.
    kExpression,  ///< An expression as statement.
    kIf,          ///< Children: condition, kBody, and kBody of what is done else.
    kFor,         ///< Children: target, iterable, kBody, kBody of `else`.
    kWhile,
    kPass,
    kBreak,
    kContinue,
    kConditional,  ///< Children: condition, value, other value.
    kBoolean,      ///< `value`: `and`, `or`. Children: all operands.
    kCompare,      ///< Children: operand, kComparator, operand, ...
    kComparator,   ///< `value`: `<`, `not in`, ...
    kBinary,       ///< `value`: the operator.
    kUnary,        ///< `value`: `+`, `-`, `~`, `not`.
    kCall,         ///< Children: function, arguments.
    kKeyword,      ///< `value`: name of the argument; empty for `**`.
    kStarred,
    kSubscript,
    kSlice,      ///< Children: three, kAbsent where nothing stands.
    kAttribute,  ///< `value`: its name.
    kTuple,
    kList,
    kSet,
    kDict,           ///< Children: key, value, ...; the key of `**x` is kAbsent.
    kComprehension,  ///< `value`: `list`, `set`, `dict`, `generator`. Children: what it makes,
                     ///< kClause, ...
    kClause,         ///< Children: target, iterable, conditions.
    kLambda,         ///< Children: parameters, the value last.
    kName,
    kConstant,  ///< `value`: its type and value.
    kAbsent,
  };
  Kind kind = Kind::kAbsent;
  std::string value;
  std::vector<std::uint32_t> children;  ///< Into PythonTree::nodes.
};

struct PythonTree {
  std::vector<PythonNode> nodes;
  std::uint32_t root = 0;
};

/// False when the source is outside the subset, nested more than 200 levels deep, or longer than
/// kMostPythonTokens tokens. `range(0, x)` is read as `range(x)`. Linear time, bounded stack.
[[nodiscard]] bool ParsePython(std::string_view source, PythonTree& tree);

[[nodiscard]] bool SameTree(const PythonTree& x, const PythonTree& y);

/// All comparators, operators and constants of the tree, each with its kind, sorted.
[[nodiscard]] std::vector<std::string> OperatorsAndConstants(const PythonTree& tree);

}  // namespace bi_test::spark
