# bi_test with a newer GoogleTest, whose sources are in the folder GOOGLETEST: the program that
# fixtures_program_test (PROGRAM_TEST) drives is compiled with it. Run with the variables of
# use_bi_test.cmake and these two.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
if(NOT EXISTS "${GOOGLETEST}/CMakeLists.txt")
  message(FATAL_ERROR "found no GoogleTest in \"${GOOGLETEST}\", expected BI_TEST_GOOGLETEST to name the "
                      "folder that scripts/get-googletest printed")
endif()
file(REMOVE_RECURSE "${SCRATCH}")

# A user's project that has it takes bi_test in: linked is the user's, not the machine's.
configure_consumer("${ROOT}/tests/consumer/project" "${SCRATCH}/user" "-DBI_TEST_SOURCE=${ROOT}"
                   "-DGOOGLETEST_SOURCE=${GOOGLETEST}" "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
file(READ "${SCRATCH}/user/compile_commands.json" text)
expect_text("${text}" "-isystem ${GOOGLETEST}/googlemock/include")

set(BUILD_TYPE "")
configure_consumer("${ROOT}/tests/consumer/newest_googletest" "${SCRATCH}/build" "-DROOT=${ROOT}"
                   "-DBUILD=${BUILD}" "-DGOOGLETEST_SOURCE=${GOOGLETEST}")
run("" "${CMAKE_COMMAND}" --build "${SCRATCH}/build" --target probe_cells)
run(output "${CMAKE_COMMAND}" -E env "BI_TEST_PROBE_BINARY=${SCRATCH}/build/probe_cells" "${PROGRAM_TEST}")
expect_text("${output}" "probe: ${SCRATCH}/build/probe_cells" "[  PASSED  ]")
file(REMOVE_RECURSE "${SCRATCH}")
