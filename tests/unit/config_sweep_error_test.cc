#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "support/sweep_folder.h"

namespace bi_test {
namespace {

#define SCORERS                                                                                \
  "choice, code_block, contains, exact, json_equal, json_subset, needle, normalized, number, " \
  "regex, tool_call, or one that the program which runs the cells registers"

using test_support::SweepFolder;
using ::testing::HasSubstr;

/// A mistake behind three good lines, and the one line it must give after `DIR/cells.yaml:`.
struct Mistake {
  const char* name;
  const char* rest;
  const char* error;
};

void PrintTo(const Mistake& test, std::ostream* out) { *out << test.name; }

class SweepMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(SweepMistake, IsReportedWithLineKeyAndWhatIsAllowed) {
  EXPECT_EQ(SweepFolder().LoadErrorWith(GetParam().rest),
            std::string("DIR/cells.yaml:") + GetParam().error);
}

constexpr char kDurationAllowed[] =
    ", allowed: a duration such as 500ms, 120s, 2m, 4h or whole seconds, from 1ms to 168h";

const std::string kTimeoutErrors[] = {
    std::string("5: run.request_timeout: found \"1.5s\"") + kDurationAllowed,
    std::string("5: run.arm_timeout: found \"0\"") + kDurationAllowed,
    std::string("5: run.run_timeout: found \"169h\"") + kDurationAllowed,
    std::string("4: server.stop_grace: found \"5 s\"") + kDurationAllowed,
    std::string("4: server.ready_timeout: found \"120s\"") + kDurationAllowed + ", without quotes",
};

const Mistake kMistakes[] = {
    // Keys.
    {"UnknownTopKey", "runs: {}",
     "4: runs: found an unknown key, allowed: server, models, matrix, workset, scorer, run, guard, "
     "policy, sign_offs, known_verdicts, output, dense_baseline, registry (did you mean \"run\"?)"},
    // R098
    {"MisspeltKeyOfAnotherSection", "parralel: 4",
     "4: parralel: found an unknown key, allowed: server, models, matrix, workset, scorer, run, "
     "guard, policy, sign_offs, known_verdicts, output, dense_baseline, registry (did you mean \"matrix.parallel\"?)"},
    {"KeyLikeNoOther", "zzzzzzzz: 4",
     "4: zzzzzzzz: found an unknown key, allowed: server, models, matrix, workset, scorer, run, "
     "guard, policy, sign_offs, known_verdicts, output, dense_baseline, registry"},
    {"UnknownNestedKey", "run:\n  pases: 3",
     "5: run.pases: found an unknown key, allowed: passes, max_tokens, reps, seed, n_probs, "
     "ignore_eos, control_sample, request_timeout, arm_timeout, run_timeout (did you mean "
     "\"passes\"?)"},
    {"MergeKeyIsNoMagic", "run: {<<: {passes: 3}}",
     "4: run.<<: found an unknown key, allowed: passes, max_tokens, reps, seed, n_probs, "
     "ignore_eos, control_sample, request_timeout, arm_timeout, run_timeout"},
    {"DuplicateTopKey", "models: [m]",
     "4: models: found the key a second time, allowed: each key once, the first is on line 1"},
    {"DuplicateNestedKey", "run:\n  passes: 3\n  reps: 1\n  passes: 4",
     "7: run.passes: found the key a second time, allowed: each key once, the first is on line 5"},
    {"SectionWithoutContent", "run:",
     "4: run: found nothing, allowed: a mapping with the keys passes, max_tokens, reps, seed, "
     "n_probs, ignore_eos, control_sample, request_timeout, arm_timeout, run_timeout"},
    {"SectionThatIsAList", "output: [a]",
     "4: output: found a list, allowed: a mapping with the keys dir, keep_content"},
    {"SectionThatIsText", "guard: none",
     "4: guard: found \"none\", allowed: a mapping with the keys max_footprint_gib, "
     "memory_floor_gib, reserved_ports, reserved_pids, max_ctx, allow_unknown_memory, "
     "require_acknowledgement, kv_profiles"},
    // Numbers.
    {"WordForAnInteger", "run:\n  passes: eight",
     "5: run.passes: found \"eight\", allowed: an integer from 1 to 1000"},
    {"OctalLookingInteger", "run: {passes: 010}",
     "4: run.passes: found \"010\", allowed: an integer from 1 to 1000, in plain decimal digits"},
    {"HexInteger", "run: {passes: 0x10}",
     "4: run.passes: found \"0x10\", allowed: an integer from 1 to 1000, in plain decimal digits"},
    // R094
    {"ScientificInteger", "run: {max_tokens: 1e3}",
     "4: run.max_tokens: found \"1e3\", allowed: an integer from 1 to 1000000, in plain decimal "
     "digits"},
    {"GroupedInteger", "run: {max_tokens: 1_000}",
     "4: run.max_tokens: found \"1_000\", allowed: an integer from 1 to 1000000, in plain decimal "
     "digits"},
    {"SignedInteger", "run: {passes: +5}",
     "4: run.passes: found \"+5\", allowed: an integer from 1 to 1000, in plain decimal digits"},
    {"SexagesimalInteger", "run: {passes: 1:30}",
     "4: run.passes: found \"1:30\", allowed: an integer from 1 to 1000, in plain decimal digits"},
    {"IntegerWithPoint", "run: {passes: 8.0}",
     "4: run.passes: found \"8.0\", allowed: an integer from 1 to 1000, in plain decimal digits"},
    {"IntegerInQuotes", "run: {passes: \"8\"}",
     "4: run.passes: found \"8\", allowed: an integer from 1 to 1000, without quotes"},
    {"IntegerTooSmall", "run: {reps: 0}",
     "4: run.reps: found \"0\", allowed: an integer from 1 to 1000"},
    {"IntegerTooLarge", "run: {passes: 1001}",
     "4: run.passes: found \"1001\", allowed: an integer from 1 to 1000"},
    {"IntegerBeyondSixtyFourBits", "run: {passes: 99999999999999999999}",
     "4: run.passes: found \"99999999999999999999\", allowed: an integer from 1 to 1000, in plain "
     "decimal digits"},
    {"EmptyInteger", "run:\n  passes:\n  reps: 2",
     "5: run.passes: found nothing, allowed: an integer from 1 to 1000"},
    {"ListForAnInteger", "run: {passes: [1]}",
     "4: run.passes: found a list, allowed: an integer from 1 to 1000"},
    {"MappingForAnInteger", "run: {passes: {a: 1}}",
     "4: run.passes: found a mapping, allowed: an integer from 1 to 1000"},
    {"NegativeSeed", "run: {seed: -1}",
     "4: run.seed: found \"-1\", allowed: an integer from 0 to 18446744073709551615, in plain "
     "decimal digits"},
    {"SmallContextCeiling", "guard: {max_ctx: 8}",
     "4: guard.max_ctx: found \"8\", allowed: an integer from 256 to 2147483647"},
    {"WordForANumber", "guard: {memory_floor_gib: none}",
     "4: guard.memory_floor_gib: found \"none\", allowed: a number from 0 to 1e+06"},
    {"NotANumber", "guard: {memory_floor_gib: .nan}",
     "4: guard.memory_floor_gib: found \".nan\", allowed: a number from 0 to 1e+06"},
    {"InfiniteNumber", "guard: {memory_floor_gib: .inf}",
     "4: guard.memory_floor_gib: found \".inf\", allowed: a number from 0 to 1e+06"},
    {"OverflowingNumber", "guard: {memory_floor_gib: 1e999}",
     "4: guard.memory_floor_gib: found \"1e999\", allowed: a number from 0 to 1e+06"},
    {"NoFootprintAtAll", "guard: {max_footprint_gib: 0}",
     "4: guard.max_footprint_gib: found \"0\", allowed: a number from 0.001 to 1e+06"},
    {"NegativeNumber", "guard: {memory_floor_gib: -1}",
     "4: guard.memory_floor_gib: found \"-1\", allowed: a number from 0 to 1e+06"},
    // Booleans.
    {"YesIsNoBoolean", "run: {ignore_eos: yes}",
     "4: run.ignore_eos: found \"yes\", allowed: true or false"},
    {"CapitalTrueIsNoBoolean", "run: {ignore_eos: True}",
     "4: run.ignore_eos: found \"True\", allowed: true or false"},
    {"OneIsNoBoolean", "output: {keep_content: 1}",
     "4: output.keep_content: found \"1\", allowed: true or false"},
    {"QuotedTrueIsNoBoolean", "output: {keep_content: \"true\"}",
     "4: output.keep_content: found \"true\", allowed: true or false, without quotes"},
    // Durations.
    {"DurationWithPoint", "run:\n  request_timeout: 1.5s", kTimeoutErrors[0].c_str()},
    {"DurationOfNothing", "run:\n  arm_timeout: 0", kTimeoutErrors[1].c_str()},
    {"DurationTooLong", "run:\n  run_timeout: 169h", kTimeoutErrors[2].c_str()},
    {"DurationWithBlank", "server: {stop_grace: 5 s}", kTimeoutErrors[3].c_str()},
    {"DurationInQuotes", "server: {ready_timeout: \"120s\"}", kTimeoutErrors[4].c_str()},
    // Server.
    {"UnknownKind", "server: {kind: llamacpp}",
     "4: server.kind: found \"llamacpp\", allowed: llama.cpp, vllm, sglang, openai (did you mean "
     "\"llama.cpp\"?)"},
    {"BinaryWithoutValue", "server: {binary: }",
     "4: server.binary: found nothing, allowed: the path or name of a program"},
    {"NullBinary", "server: {binary: null}",
     "4: server.binary: found nothing, allowed: the path or name of a program"},
    {"TwoArgumentsInOneEntry", "server:\n  flags:\n    - -fa\n    - -ngl 99",
     "7: server.flags[1]: found \"-ngl 99\", allowed: one argument per entry (write the flag and "
     "its value as two entries)"},
    {"FlagsAsMapping", "server: {flags: {ngl: 99}}",
     "4: server.flags: found a mapping, allowed: a list of arguments, or one text that is split at "
     "blanks"},
    {"NestedFlags", "server: {flags: [[a]]}",
     "4: server.flags[0]: found a list, allowed: one argument, a text"},
    {"NothingAsFlag", "server:\n  flags:\n    - a\n    -\n    # more\n    - b",
     "7: server.flags[1]: found nothing, allowed: one argument, a text"},
    {"EnvAsList", "server: {env: [A=1]}",
     "4: server.env: found a list, allowed: a mapping of variable names to texts"},
    {"EnvNameWithDash", "server: {env: {A-B: 1}}",
     "4: server.env: found the name \"A-B\", allowed: letters, digits and \"_\", no digit first"},
    {"EnvThatIsAFlag", "server: {env: {LLAMA_ARG_CTX_SIZE: 1}}",
     "4: server.env.LLAMA_ARG_CTX_SIZE: found a variable that stands for a flag, allowed: the flag "
     "itself, in server.flags or models[].flags"},
    {"EnvWithoutValue", "server: {env: {A: }}",
     "4: server.env.A: found nothing, allowed: a text, \"\" for an empty one"},
    // Variables.
    {"VariableNotSet", "output: {dir: \"${NO_SUCH}/x\"}",
     "4: output.dir: found \"${NO_SUCH}\", and the environment variable NO_SUCH is not set, "
     "allowed: a variable that is set"},
    {"DollarAlone", "output: {dir: $HOME/x}",
     "4: output.dir: found a \"$\" that stands alone in \"$HOME/x\", allowed: ${NAME} for a "
     "variable, $$ for a dollar sign"},
    {"VariableWithoutEnd", "output: {dir: \"a${HOME\"}",
     "4: output.dir: found \"${HOME\", allowed: ${NAME}, NAME of letters, digits and \"_\""},
    {"VariableWithDefault", "output: {dir: \"${HOME:-x}\"}",
     "4: output.dir: found \"${HOME:-x}\", allowed: ${NAME}, NAME of letters, digits and \"_\""},
    {"VariableWithoutName", "output: {dir: \"${}\"}",
     "4: output.dir: found \"${}\", allowed: ${NAME}, NAME of letters, digits and \"_\""},
    // Scorer, guard, policy.
    {"UnknownScorer", "scorer: exakt",
     "4: scorer: found \"exakt\", allowed: " SCORERS " (did you mean \"exact\"?)"},
    {"ScorerAsList", "scorer: [exact]",
     "4: scorer: found a list, allowed: the name of a scorer, a mapping with the key name and its "
     "options, or one with the key command"},
    {"ScorerWithoutNameOrCommand", "scorer: {tolerance: 1}",
     "4: scorer: found neither of them, allowed: one of name, command"},
    {"ScorerWithNameAndCommand", "scorer: {name: exact, command: [x]}",
     "4: scorer: found name and command, allowed: one of name, command"},
    {"UnknownScorerInAMapping", "scorer:\n  tolerance: 1\n  name: numbr",
     "6: scorer.name: found \"numbr\", allowed: " SCORERS " (did you mean \"number\"?)"},
    {"UnknownScorerOption", "scorer:\n  name: number\n  tolerence: 1",
     "6: scorer.tolerence: found an unknown key, allowed: name, tolerance, relative_tolerance, "
     "which (did you mean \"tolerance\"?)"},
    {"ScorerWithoutOptions", "scorer: {name: exact, trim: true}",
     "4: scorer.trim: found an unknown key, allowed: name"},
    {"ScorerOptionOfAnotherKind", "scorer: {name: number, tolerance: [1]}",
     "4: scorer.tolerance: found a list, allowed: a number from 0.0 to 1e+300"},
    {"ScorerOptionAsQuotedNumber", "scorer: {name: number, tolerance: \"1\"}",
     "4: scorer.tolerance: found \"1\", allowed: a number from 0.0 to 1e+300"},
    {"ScorerOptionOutOfRange", "scorer: {name: number, tolerance: -1}",
     "4: scorer.tolerance: found -1, allowed: a number from 0.0 to 1e+300"},
    {"ScorerWord", "scorer: {name: number, which: best}",
     "4: scorer.which: found \"best\", allowed: last, first"},
    {"ScorerThatNeedsAnOption", "scorer: regex",
     "4: scorer.pattern: found nothing, allowed: a text that is not empty"},
    {"ScorerInAMappingThatNeedsAnOption", "scorer: {name: regex}",
     "4: scorer.pattern: found nothing, allowed: a text that is not empty"},
    {"ScorerPatternThatIsNone", "scorer:\n  name: regex\n  pattern: (a",
     "6: scorer.pattern: found \"(a\", which RE2 refuses: missing ), allowed: a regular expression "
     "of RE2 (docs/scorers.md says which)"},
    {"ScorerCommandAsMapping", "scorer: {command: {a: b}}",
     "4: scorer.command: found a mapping, allowed: a list of arguments, or one text that is split "
     "at blanks"},
    {"ScorerCommandWithoutWords", "scorer: {command: []}",
     "4: scorer.command: found 0 arguments, allowed: a program and its arguments, at most 100"},
    {"ScorerCommandOption", "scorer: {command: [x], timout: 1s}",
     "4: scorer.timout: found an unknown key, allowed: command, timeout, max_restarts, env (did you "
     "mean \"timeout\"?)"},
    {"ScorerCommandTimeout", "scorer: {command: [x], timeout: 1.5s}",
     "4: scorer.timeout: found \"1.5s\", allowed: a duration such as 500ms, 120s, 2m, 4h or whole seconds, from 1ms to 168h"},
    {"ScorerCommandRestarts", "scorer: {command: [x], max_restarts: -1}",
     "4: scorer.max_restarts: found \"-1\", allowed: an integer from 0 to 1000"},
    {"ScorerCommandEnv", "scorer: {command: [x], env: {\"A B\": 1}}",
     "4: scorer.env: found the name \"A B\", allowed: letters, digits and \"_\", no digit first"},
    {"PortZero", "guard: {reserved_ports: [0]}",
     "4: guard.reserved_ports[0]: found \"0\", allowed: an integer from 1 to 65535"},
    {"PortTooLarge", "guard: {reserved_ports: [80, 70000]}",
     "4: guard.reserved_ports[1]: found \"70000\", allowed: an integer from 1 to 65535"},
    {"PortsWithoutList", "guard: {reserved_ports: 80}",
     "4: guard.reserved_ports: found \"80\", allowed: a list of integers"},
    {"PidOfInit", "guard: {reserved_pids: [1]}",
     "4: guard.reserved_pids[0]: found \"1\", allowed: an integer from 2 to 2147483647"},
    {"LaxCoverage", "policy: {min_coverage_fraction: 0.5}",
     "4: policy.min_coverage_fraction: found \"0.5\", allowed: a number from 0.8 to 1"},
    {"LaxWidth", "policy: {min_width_fraction: 0.7}",
     "4: policy.min_width_fraction: found \"0.7\", allowed: a number from 0.75 to 1"},
    {"LaxFloor", "policy: {min_ok_fraction: 1.01}",
     "4: policy.min_ok_fraction: found \"1.01\", allowed: a number from 0.8 to 1"},
    {"FewPrompts", "policy: {min_effective_prompts: 4}",
     "4: policy.min_effective_prompts: found \"4\", allowed: an integer from 5 to 1000000"},
    {"CertsThatNeverExpire", "policy: {expires_days: 0}",
     "4: policy.expires_days: found \"0\", allowed: an integer from 1 to 3650"},
    {"NoControls", "run: {control_sample: 0}",
     "4: run.control_sample: found \"0\", allowed: an integer from 1 to 1000000"},
    {"DenseBaselineOfNoModel", "dense_baseline: other",
     "4: dense_baseline: found \"other\", allowed: the id of a model of this sweep"},
    {"FewPromotionPrompts", "policy: {min_promotion_prompts: 29}",
     "4: policy.min_promotion_prompts: found \"29\", allowed: an integer from 30 to 1000000"},
    {"UnknownLogprobPolicy", "policy: {logprobs: eval}",
     "4: policy.logprobs: found \"eval\", allowed: record, exact, eps"},
    {"NegativeEps", "policy: {logit_drift_eps: -0.1}",
     "4: policy.logit_drift_eps: found \"-0.1\", allowed: a number from 0 to 1e+06"},
    {"LogprobsThatAreNotAskedFor", "run: {n_probs: 0}\npolicy:\n  logprobs: exact",
     "6: policy.logprobs: found a comparison of log-probabilities that run.n_probs: 0 does not ask "
     "for, allowed: record, or run.n_probs of at least 1"},
    // Sign-offs.
    {"SignOffWithoutReason", "sign_offs:\n  - {cell: m/4096/4, by: lead, expires: 2030-01-31}",
     "5: sign_offs[0].reason: found nothing, allowed: why it is accepted"},
    {"SignOffWithEmptyReason",
     "sign_offs:\n  - {cell: m/4096/4, by: lead, reason: \"\", expires: 2030-01-31}",
     "5: sign_offs[0].reason: found \"\", allowed: why it is accepted"},
    {"SignOffOnAnImpossibleDay",
     "sign_offs:\n  - {cell: m/4096/4, by: lead, reason: r, expires: 2030-02-29}",
     "5: sign_offs[0].expires: found \"2030-02-29\", allowed: a date such as 2030-12-31"},
    {"SignOffWithAnotherDateForm",
     "sign_offs:\n  - {cell: m/4096/4, by: lead, reason: r, expires: 31.12.2030}",
     "5: sign_offs[0].expires: found \"31.12.2030\", allowed: a date such as 2030-12-31"},
    {"SignOffOfAnUnknownCell",
     "sign_offs:\n  - {cell: m__ctx4096__n5, by: lead, reason: r, expires: 2030-01-31}",
     "5: sign_offs[0].cell: found \"m__ctx4096__n5\", allowed: the name of a cell of this sweep, "
     "or "
     "model/ctx/N (did you mean \"m__ctx4096__n4\"?)"},
    {"TwoSignOffsOfOneCell",
     "sign_offs:\n  - {cell: m/4096/4, by: lead, reason: r, expires: 2030-01-31}\n"
     "  - {cell: m__ctx4096__n4, by: lead, reason: r, expires: 2030-01-31}",
     "6: sign_offs[1]: found a second sign-off of m__ctx4096__n4, allowed: one sign-off per cell"},
    {"SignOffsAsMapping", "sign_offs: {cell: m}",
     "4: sign_offs: found a mapping, allowed: a list of mappings with the keys cell, by, reason, "
     "expires"},
    // YAML itself.
    {"Anchor", "run: &r {passes: 3}",
     "4: run: found the anchor \"&r\", allowed: the value without an anchor"},
    {"AliasOfNothing", "run: *r",
     "4: found broken YAML (the referenced anchor is not defined), allowed: one YAML document; a "
     "text with any of , : ? # [ ] { } in it needs quotes"},
    {"Tag", "run: {passes: !!int 3}",
     "4: run.passes: found the tag \"tag:yaml.org,2002:int\", allowed: the value without a tag"},
    {"TagOfACollection", "run: !!map {passes: 3}",
     "4: run: found the tag \"tag:yaml.org,2002:map\", allowed: the value without a tag"},
    {"SecondDocument", "---\nmodels: [m]",
     "4: found a second document, allowed: one YAML document"},
    {"NullKey", "run: {~: 1}",
     "4: run: found a key that is not text, allowed: text before the colon, in quotes if it is "
     "null "
     "or ~, and every bracket closed"},
    {"ListAsKey", "? [a]\n: b",
     "4: found a key that is not text, allowed: text before the colon, in quotes if it is null or "
     "~, "
     "and every bracket closed"},
    {"TabAsIndentation", "run:\n\tpasses: 3",
     "5: found broken YAML (a tab before the first word), allowed: blanks in the place of the tab"},
    {"QuestionMarkInAFlowMapping", "scorer: {name: is it?, tolerance: 1}",
     "4: found broken YAML (unknown token), allowed: one YAML document; a text with any of "
     ", : ? # [ ] { } in it needs quotes"},
    {"TextWithoutEnd", "scorer: \"exact",
     "4: found broken YAML (illegal EOF in scalar), allowed: one YAML document; a text with any of "
     ", : ? # [ ] { } in it needs quotes"},
    {"EndOfFileByteThatYamlCppStopsAt", "scorer: exact\n\x04zzz: 1",
     "5: found the control character \"\\x04\", allowed: text, tabs and line ends"},
    {"BytesThatAreNotUtf8", "scorer: ex\xFF",
     "4: found bytes that are not UTF-8, allowed: a file in UTF-8"},
};

INSTANTIATE_TEST_SUITE_P(All, SweepMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

/// A whole file and the whole text it must give.
struct WholeFile {
  const char* name;
  const char* content;
  const char* error;
};

void PrintTo(const WholeFile& test, std::ostream* out) { *out << test.name; }

class SweepFileMistake : public ::testing::TestWithParam<WholeFile> {};

TEST_P(SweepFileMistake, IsReported) {
  EXPECT_EQ(SweepFolder().LoadError(GetParam().content), GetParam().error);
}

const WholeFile kFiles[] = {
    {"EmptyFile", "", "DIR/cells.yaml:1: found an empty file, allowed: one YAML document"},
    {"OnlyAComment", "# nothing\n",
     "DIR/cells.yaml:1: found an empty file, allowed: one YAML document"},
    {"EverythingMissing", "scorer: exact",
     "DIR/cells.yaml:1: models: found nothing, allowed: a list of models\n"
     "DIR/cells.yaml:1: matrix: found nothing, allowed: a mapping with the keys ctx, parallel, "
     "exclude\n"
     "DIR/cells.yaml:1: workset: found nothing, allowed: the path of a work-set file, or {builtin: "
     "smoke}"},
    // R098
    {"ByteOrderMarkHidesNoKey", "\xEF\xBB\xBFmodel: m\r\nn: 4\r\n",
     "DIR/cells.yaml:1: model: found an unknown key, allowed: server, models, matrix, workset, "
     "scorer, run, guard, policy, sign_offs, known_verdicts, output, dense_baseline, registry (did you mean \"models\"?)\n"
     "DIR/cells.yaml:1: models: found nothing, allowed: a list of models\n"
     "DIR/cells.yaml:1: matrix: found nothing, allowed: a mapping with the keys ctx, parallel, "
     "exclude\n"
     "DIR/cells.yaml:1: workset: found nothing, allowed: the path of a work-set file, or {builtin: "
     "smoke}\n"
     "DIR/cells.yaml:2: n: found an unknown key, allowed: server, models, matrix, workset, scorer, "
     "run, guard, policy, sign_offs, known_verdicts, output, dense_baseline, registry"},
    // R096
    {"CyclicAlias", "&x\n- *x\n",
     "DIR/cells.yaml:1: found the anchor \"&x\", allowed: the value without an anchor"},
    {"AliasBomb",
     "a: &a [z,z,z,z,z,z,z,z]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n",
     "DIR/cells.yaml:1: a: found the anchor \"&a\", allowed: the value without an anchor"},
    {"ScientificContext",
     "models: [m]\nmatrix: {ctx: 1e3, parallel: 4}\nworkset: {builtin: smoke}\n",
     "DIR/cells.yaml:2: matrix.ctx: found \"1e3\", allowed: an integer from 256 to 16777216, in "
     "plain decimal digits"},
    {"SmallContextAndOneInFlight",
     "models: [m]\nmatrix:\n  ctx: [4096, 255]\n  parallel: [1, 257, 4]\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:3: matrix.ctx[1]: found \"255\", allowed: an integer from 256 to 16777216\n"
     "DIR/cells.yaml:4: matrix.parallel[0]: found \"1\", allowed: an integer from 2 to 256\n"
     "DIR/cells.yaml:4: matrix.parallel[1]: found \"257\", allowed: an integer from 2 to 256"},
    {"EmptyMatrix", "models: [m]\nmatrix: {ctx: [], parallel: 4}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:2: matrix.ctx: found an empty list, allowed: an integer or a list of them"},
    {"MatrixWithoutParallel", "models: [m]\nmatrix: {ctx: 4096}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:2: matrix.parallel: found nothing, allowed: an integer from 2 to 256, or a "
     "list of them"},
    {"DuplicateCells",
     "models: [m]\nmatrix: {ctx: 4096, parallel: [2, 4, 2]}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:2: matrix.parallel[2]: found \"2\" a second time, allowed: each value once"},
    {"DuplicateModels",
     "models:\n  - m\n  - id: m\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:3: models[1].id: found \"m\" a second time, allowed: each id once, the first "
     "is "
     "on line 2"},
    {"NoModels", "models: []\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:1: models: found an empty list, allowed: a list of models, each an id or a "
     "mapping with the keys id, path, flags, kv, labels"},
    {"OneModelWithoutList",
     "models: m\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:1: models: found \"m\", allowed: a list of models, each an id or a mapping "
     "with "
     "the keys id, path, flags, kv, labels"},
    {"EmptyIds",
     "models:\n  - \"\"\n  -\n  - ~\n  - {id: , path: m.gguf}\nmatrix: {ctx: 4096, parallel: 2}\n"
     "workset: {builtin: smoke}",
     "DIR/cells.yaml:2: models[0]: found \"\", allowed: an id of 1 to 1000 bytes, without \"|\" "
     "and "
     "control characters\n"
     "DIR/cells.yaml:3: models[1]: found nothing, allowed: an id of 1 to 1000 bytes, without \"|\" "
     "and control characters\n"
     "DIR/cells.yaml:4: models[2]: found nothing, allowed: an id of 1 to 1000 bytes, without \"|\" "
     "and control characters\n"
     "DIR/cells.yaml:5: models[3].id: found nothing, allowed: an id of 1 to 1000 bytes, without "
     "\"|\" and control characters"},
    {"IdsThatBreakKeys",
     "models: [\"a|b\", \"a\\nb\"]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:1: models[0]: found \"a|b\", allowed: an id of 1 to 1000 bytes, without \"|\" "
     "and control characters\n"
     "DIR/cells.yaml:1: models[1]: found \"a\\x0ab\", allowed: an id of 1 to 1000 bytes, without "
     "\"|\" and control characters"},
    {"ModelFilesThatAreNotThere",
     "models:\n  - nope\n  - {id: b, path: b.gguf}\n  - {id: c, path: .}\n"
     "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:2: models[0]: found \"DIR/nope.gguf\", which does not exist, allowed: the "
     "path "
     "of a model file\n"
     "DIR/cells.yaml:3: models[1].path: found \"DIR/b.gguf\", which does not exist, allowed: the "
     "path "
     "of a model file\n"
     "DIR/cells.yaml:4: models[2].path: found \"DIR/\", which is no file, allowed: the path of a "
     "model file"},
    {"ModelOptions",
     "models:\n  - id: m\n    kv: q9\n    labels: [\"a;b\", 7, \"\"]\n    flags: [-fa on]\n"
     "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}",
     "DIR/cells.yaml:3: models[0].kv: found \"q9\", allowed: f32, f16, bf16, q8_0, q5_1, q5_0, "
     "q4_1, "
     "q4_0, iq4_nl\n"
     "DIR/cells.yaml:4: models[0].labels[0]: found \"a;b\", allowed: labels of 1 to 64 bytes, "
     "without \";\" and control characters\n"
     "DIR/cells.yaml:4: models[0].labels[2]: found \"\", allowed: labels of 1 to 64 bytes, without "
     "\";\" and control characters\n"
     "DIR/cells.yaml:5: models[0].flags[0]: found \"-fa on\", allowed: one argument per entry "
     "(write "
     "the flag and its value as two entries)"},
    {"ExclusionsThatDoNothing",
     "models: [m]\nmatrix:\n  ctx: 4096\n  parallel: [2, 4]\n  exclude:\n    - {model: M}\n"
     "    - {ctx: 8192}\n    - {}\n    - {parallel: 8, ctx: 4096}\n    - {n: 4}\n"
     "workset: {builtin: smoke}",
     "DIR/cells.yaml:6: matrix.exclude[0]: found an entry that matches no cell, allowed: model, "
     "ctx "
     "and parallel of cells of this matrix (did you mean \"m\"?)\n"
     "DIR/cells.yaml:7: matrix.exclude[1]: found an entry that matches no cell, allowed: model, "
     "ctx "
     "and parallel of cells of this matrix\n"
     "DIR/cells.yaml:8: matrix.exclude[2]: found an entry that excludes everything, allowed: at "
     "least one of model, ctx, parallel\n"
     "DIR/cells.yaml:9: matrix.exclude[3]: found an entry that matches no cell, allowed: model, "
     "ctx "
     "and parallel of cells of this matrix\n"
     "DIR/cells.yaml:10: matrix.exclude[4].n: found an unknown key, allowed: model, ctx, parallel"},
    {"EverythingExcluded",
     "models: [m]\nmatrix:\n  ctx: 4096\n  parallel: 2\n  exclude: [{model: m}]\n"
     "workset: {builtin: smoke}",
     "DIR/cells.yaml:5: matrix.exclude: found entries that exclude every cell, allowed: entries "
     "that "
     "leave at least one"},
    {"WorksetThatIsNotThere", "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: work.json\n",
     "DIR/cells.yaml:3: workset: DIR/work.json: found no such file, allowed: a JSON or YAML array "
     "of "
     "rows"},
    {"WorksetThatIsNotBuiltIn",
     "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smok}\n",
     "DIR/cells.yaml:3: workset.builtin: found \"smok\", allowed: canary, fragile, lengths, smoke "
     "(did you mean \"smoke\"?)"},
    {"WorksetTwice",
     "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke, file: a.json}\n",
     "DIR/cells.yaml:3: workset: found file and builtin, allowed: one of file, builtin, profile"},
    {"WorksetWithoutValue", "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset:\n",
     "DIR/cells.yaml:3: workset: found nothing, allowed: the path of a work-set file, a mapping "
     "with "
     "the key file, builtin or profile, or a list of rows"},
    {"NoInlineRows", "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: []\n",
     "DIR/cells.yaml:3: workset: found 0 rows, allowed: 1 to 100000 rows"},
    {"WrongInlineRows",
     "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset:\n  - fine\n  - item: ask\n"
     "    fill: 1.5\n  - 7\n  - {expected_answer: 3}\n",
     "DIR/cells.yaml:6: workset[1].fill: found 1.5, allowed: a number from 0 to 1\n"
     "DIR/cells.yaml:7: workset[2]: found 7, allowed: an object, or a text that is the prompt\n"
     "DIR/cells.yaml:8: workset[3].item: found nothing, allowed: the prompt, a text that is not "
     "empty"},
    {"OtherServersFetchNoModel",
     "server: {kind: vllm}\nmodels: [org/name, {id: b, path: gone}, {id: c, path: ../../etc/x}, "
     "{id: d, path: org/../x}]\n"
     "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\n",
     "DIR/cells.yaml:2: models[0]: found \"org/name\", which is neither here nor in the hub "
     "cache, allowed: the path of a model file or folder, or a name whose snapshot is in the hub "
     "cache\n"
     "DIR/cells.yaml:2: models[1].path: found \"gone\", which is neither here nor in the hub "
     "cache, allowed: the path of a model file or folder, or a name whose snapshot is in the hub "
     "cache\n"
     "DIR/cells.yaml:2: models[2].path: found \"../../etc/x\", which is neither here nor in the "
     "hub cache, allowed: the path of a model file or folder, or a name whose snapshot is in the "
     "hub cache\n"
     "DIR/cells.yaml:2: models[3].path: found \"org/../x\", which is neither here nor in the hub "
     "cache, allowed: the path of a model file or folder, or a name whose snapshot is in the hub "
     "cache"},
    {"OtherServersNeedAProgram",
     "server: {kind: openai}\nmodels: [m.gguf]\nmatrix: {ctx: 4096, parallel: 2}\n"
     "workset: {builtin: smoke}",
     "DIR/cells.yaml:1: server.binary: found nothing, allowed: the path or name of a program"},
};

INSTANTIATE_TEST_SUITE_P(All, SweepFileMistake, ::testing::ValuesIn(kFiles),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SweepErrorTest, AllMistakesComeAtOnceInTheOrderOfTheirLines) {
  EXPECT_EQ(SweepFolder().LoadErrorWith("output: {keep_content: 1}\nrun:\n  reps: 0\n  passes: x\n"
                                        "scorer: none\nguard: {reserved_ports: [0]}\n"),
            "DIR/cells.yaml:4: output.keep_content: found \"1\", allowed: true or false\n"
            "DIR/cells.yaml:6: run.reps: found \"0\", allowed: an integer from 1 to 1000\n"
            "DIR/cells.yaml:7: run.passes: found \"x\", allowed: an integer from 1 to 1000\n"
            "DIR/cells.yaml:8: scorer: found \"none\", allowed: " SCORERS
            "\n"
            "DIR/cells.yaml:9: guard.reserved_ports[0]: found \"0\", allowed: an integer from 1 to "
            "65535");
}

TEST(SweepErrorTest, ManyMistakesAreCounted) {
  std::string rest = "guard:\n  reserved_ports:\n";
  for (int i = 0; i < 103; ++i) rest += "    - x\n";
  const std::string error = SweepFolder().LoadErrorWith(rest);
  EXPECT_THAT(error, HasSubstr("guard.reserved_ports[99]: found"));
  EXPECT_THAT(error, Not(HasSubstr("guard.reserved_ports[100]")));
  EXPECT_THAT(error, ::testing::EndsWith("\nDIR/cells.yaml: and 3 more mistakes"));
}

TEST(SweepErrorTest, AScorerCommandHasAHundredArgumentsAtMost) {
  std::string words = "x";
  for (int i = 1; i < 100; ++i) words += ", x";
  EXPECT_EQ(SweepFolder().LoadErrorWith("scorer: {command: [" + words + "]}"), "loaded");
  EXPECT_EQ(SweepFolder().LoadErrorWith("scorer: {command: [" + words + ", x]}"),
            "DIR/cells.yaml:4: scorer.command: found 101 arguments, allowed: a program and its "
            "arguments, at most 100");
}

TEST(SweepErrorTest, HostileTextIsClippedAndEscaped) {
  const std::string error =
      SweepFolder().LoadErrorWith("run: {passes: \"" + std::string(5'000, 'x') + "\\x1b[31m\"}");
  EXPECT_LT(error.size(), 250u);
  EXPECT_THAT(SweepFolder().LoadErrorWith("run: {passes: \"\\e[31m\"}"), HasSubstr("\\x1b[31m"));
}

TEST(SweepErrorTest, AMissingModelsFolderIsNamed) {
  SweepFolder folder;
  folder.env.erase("MODELS_DIR");
  EXPECT_EQ(folder.LoadErrorWith(""),
            "DIR/cells.yaml:1: models[0]: found no path, and no folder {MODELS_DIR} for \"m\", "
            "allowed: a path, or the environment variable MODELS_DIR");
}

TEST(SweepErrorTest, AnEmptyModelsFolderIsNoFolder) {
  SweepFolder folder;
  folder.env["MODELS_DIR"] = "";
  EXPECT_EQ(
      folder.LoadError("models: [{id: a, path: \"{MODELS_DIR}/m.gguf\"}]\n"
                       "matrix: {ctx: 4096, parallel: 4}\nworkset: {builtin: smoke}\n"),
      "DIR/cells.yaml:1: models[0].path: found \"{MODELS_DIR}\", and the environment variable "
      "MODELS_DIR is empty, allowed: the folder of the models");
}

TEST(SweepErrorTest, AFileThatIsNotThereIsNotFound) {
  const Result<Sweep> sweep = LoadSweep("/nonexistent/cells.yaml", {});
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(sweep.error().Text(),
            "/nonexistent/cells.yaml: found no such file, allowed: the path of a sweep file");
}

TEST(SweepErrorTest, AFolderIsNoSweepFile) {
  const Result<Sweep> sweep = LoadSweep(SweepFolder().path(), {});
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.error().code, ErrorCode::kNotFound);
}

TEST(SweepErrorTest, AHugeFileIsRefused) {
  EXPECT_FALSE(SweepFolder().Load(std::string((1u << 20) + 1, '#')).ok());
}

TEST(SweepErrorTest, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(SweepFolder().LoadError(deep), HasSubstr("found more than 32 levels, allowed"));
}

TEST(SweepErrorTest, TooManyItemsAreRefused) {
  SweepFolder folder;
  std::string rows = "[";
  for (int i = 0; i < 1001; ++i) rows += i == 0 ? "\"q\"" : ",\"q\"";
  folder.Write("w.json", rows + "]");
  EXPECT_EQ(folder.LoadError("models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: w.json\n"
                             "run:\n  reps: 1000\n"),
            "DIR/cells.yaml:5: run.reps: found 1001000 items (rows times reps), allowed: at most "
            "1000000");
}

TEST(SweepErrorTest, LongListsAreRefused) {
  std::string list = "[2";
  for (int i = 3; i < 1003; ++i) list += ", " + std::to_string(i);
  EXPECT_EQ(SweepFolder().LoadErrorWith("guard: {reserved_pids: " + list + "]}\n"),
            "DIR/cells.yaml:4: guard.reserved_pids: found 1001 entries, allowed: at most 1000");
  EXPECT_EQ(SweepFolder().LoadError("models: " + list +
                                    "]\nmatrix: {ctx: 4096, parallel: 2}\n"
                                    "workset: {builtin: smoke}\n"),
            "DIR/cells.yaml:1: models: found 1001 entries, allowed: at most 1000");
}

TEST(SweepErrorTest, TooManyInlineRowsAreRefused) {
  std::string rows = "[a";
  for (int i = 0; i < 100'000; ++i) rows += ",a";
  EXPECT_EQ(SweepFolder().LoadError(
                "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: " + rows + "]\n"),
            "DIR/cells.yaml:3: workset: found 100001 rows, allowed: 1 to 100000 rows");
}

TEST(SweepErrorTest, TooManyCellsAreRefused) {
  std::string text = "models: [m]\nmatrix:\n  ctx: [256";
  for (int i = 257; i < 357; ++i) text += ", " + std::to_string(i);
  text += "]\n  parallel: [2";
  for (int i = 3; i < 103; ++i) text += ", " + std::to_string(i);
  EXPECT_EQ(SweepFolder().LoadError(text + "]\nworkset: {builtin: smoke}\n"),
            "DIR/cells.yaml:3: matrix: found 10201 cells, allowed: at most 10000");
}

}  // namespace
}  // namespace bi_test
