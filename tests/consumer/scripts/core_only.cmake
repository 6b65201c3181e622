# Copies the core, its public headers and the matchers into an empty folder, builds a verdict test there
# and runs it. Run with
#   cmake -DROOT=<source tree> -DSCRATCH=<folder> -DGENERATOR=<g> -DCOMPILER=<c++> -DLAUNCHER=<ccache or
#         empty> -DFLAGS=<compiler flags> -P core_only.cmake
# Built without optimisation: it is the includes and the link that are tested.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${SCRATCH}")
file(COPY "${ROOT}/include" "${ROOT}/matchers" DESTINATION "${SCRATCH}/source")
file(COPY "${ROOT}/src/base" "${ROOT}/src/verdict" "${ROOT}/src/cert" "${ROOT}/src/scorers" DESTINATION "${SCRATCH}/source/src")
# Headers about configuring and running cells are none of the core's.
file(REMOVE "${SCRATCH}/source/include/bi_test/sweep.h" "${SCRATCH}/source/include/bi_test/driver.h")
file(COPY "${ROOT}/tests/consumer/core_only/" DESTINATION "${SCRATCH}/source")

set(BUILD_TYPE "")
configure_consumer("${SCRATCH}/source" "${SCRATCH}/build")
run("" "${CMAKE_COMMAND}" --build "${SCRATCH}/build")
run(output "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}/build" --output-on-failure
    --no-tests=error)
expect_text("${output}" "100% tests passed, 0 tests failed out of 1")
file(REMOVE_RECURSE "${SCRATCH}")
