# R107: `ctest -j4` over four cells on the real server: all GREEN, one cert each, no server left. Run with
#   cmake -DROOT=<source tree> -DCELLS=<bi_test_cells> -DBI_TEST=<bi-test> -DSERVER=<llama-server>
#         -DSCRATCH=<folder> -P run.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../consumer/scripts/run.cmake")

if(NOT EXISTS "${SERVER}")
  message(FATAL_ERROR "BI_TEST_LLAMA_SERVER does not name a file: this test needs a real llama-server")
endif()
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
run("" "${BI_TEST}" make-model "${SCRATCH}/a.gguf" --seed 1)
file(WRITE "${SCRATCH}/cells.yaml" "server:
  kind: llama.cpp
  binary: ${SERVER}
  flags: [-t, 1, -fa, off]
models: [{id: a, path: a.gguf}]
matrix: {ctx: [1024, 2048], parallel: [2, 4]}
workset: {builtin: smoke}
run: {passes: 2, max_tokens: 8, ignore_eos: true}
")
run("" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${SCRATCH}/build" "-DBI_TEST_ROOT=${ROOT}"
    "-DBI_TEST_CELLS=${CELLS}" "-DSWEEP=${SCRATCH}/cells.yaml")
# A pass that misses its width on a busy machine proves nothing either way: once more, then it counts.
run(output "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}/build" -j4 --output-on-failure
    --repeat until-pass:2)
expect_text("${output}" "100% tests passed" "out of 4")
expect_no_text("${output}" "Address already in use")
foreach(ctx IN ITEMS 1024 2048)
  foreach(n IN ITEMS 2 4)
    file(READ "${SCRATCH}/bi_test-out/a__ctx${ctx}__N${n}.json" cert)
    string(JSON verdict GET "${cert}" verdict)
    if(NOT verdict STREQUAL "GREEN")
      message(FATAL_ERROR "ctx ${ctx} N ${n}: ${verdict}")
    endif()
  endforeach()
endforeach()
# One baseline per ctx, not one per cell.
file(GLOB baselines "${SCRATCH}/bi_test-out/baselines/*.trace.jsonl")
list(LENGTH baselines count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "found ${count} baselines, expected 2")
endif()
file(REMOVE_RECURSE "${SCRATCH}")
