# Uses bi_test as a stranger would: from an installed and then moved prefix (MODE=package), or as source
# through FetchContent (MODE=source). Needs no server. Run with
#   cmake -DMODE=<package|source> -DROOT=<source tree> -DBUILD=<build tree> -DSCRATCH=<folder>
#         -DGENERATOR=<g> -DCOMPILER=<c++> -DLAUNCHER=<ccache or empty> -DFLAGS=<flags>
#         -DBUILD_TYPE=<of the build tree> -DWERROR=<of the build tree> -P use_bi_test.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(project "${SCRATCH}/project")
set(build "${SCRATCH}/build")
file(REMOVE_RECURSE "${SCRATCH}")
file(COPY "${ROOT}/tests/consumer/project/" DESTINATION "${project}")
file(WRITE "${project}/a.gguf" "")
file(WRITE "${project}/b.gguf" "")
file(READ "${project}/cells.yaml" sweep)
string(REPLACE "{builtin: smoke}" "{profile: spark}" sweep "${sweep}")
file(WRITE "${project}/spark.yaml" "${sweep}")

if(MODE STREQUAL "package")
  run("" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/first")
  file(RENAME "${SCRATCH}/first" "${SCRATCH}/moved")
  file(GLOB_RECURSE installed RELATIVE "${SCRATCH}/moved" "${SCRATCH}/moved/*")
  expect_text("${installed}" include/bi_test/cell_test.h include/bi_test/matchers.h
              include/bi_test/judge.h include/bi_test/sweep.h include/bi_test/version.h
              bin/bi_test_cells bin/bi-test bin/bi-test-make-model)
  expect_no_text("${installed}" clean_text.h http_multi.h flags.h)
  # Nothing of the package may point back to where it was built.
  file(GLOB_RECURSE scripts "${SCRATCH}/moved/*.cmake")
  foreach(script IN LISTS scripts)
    file(READ "${script}" text)
    expect_no_text("${text}" "${BUILD}" "${ROOT}" "${SCRATCH}/first")
  endforeach()
  run(output "${SCRATCH}/moved/bin/bi_test_cells" --bi_test_help)
  expect_text("${output}" "--bi_test_sweep=FILE")
  run(output "${SCRATCH}/moved/bin/bi-test" make-model --help)
  expect_text("${output}" "usage: bi-test make-model OUT.gguf")
  configure_consumer("${project}" "${build}" "-DCMAKE_PREFIX_PATH=${SCRATCH}/moved" -DCOMPONENTS=spark)
  run_expecting(1 output "${CMAKE_COMMAND}" -S "${project}" -B "${SCRATCH}/other" -G "${GENERATOR}"
                "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${SCRATCH}/moved" -DCOMPONENTS=spork)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect_text("${output}" "found the component spork, expected some of core, matchers, fixtures, main, mock, spark")
  file(REMOVE_RECURSE "${SCRATCH}/other")

  # A GoogleTest of another release is refused, before the compiler and the linker meet it.
  file(WRITE "${SCRATCH}/gtest/lib/cmake/GTest/GTestConfig.cmake" "add_library(GTest::gmock INTERFACE IMPORTED)\n")
  file(WRITE "${SCRATCH}/gtest/lib/cmake/GTest/GTestConfigVersion.cmake"
       "set(PACKAGE_VERSION 9.8.7)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
  run_expecting(1 output "${CMAKE_COMMAND}" -S "${project}" -B "${SCRATCH}/other" -G "${GENERATOR}"
                "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${SCRATCH}/moved"
                "-DGTest_DIR=${SCRATCH}/gtest/lib/cmake/GTest")
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect_text("${output}" "found GoogleTest 9.8.7 in ${SCRATCH}/gtest/lib/cmake/GTest, expected 1."
              "which this bi_test was built with; set GTest_DIR, or build bi_test with 9.8.7")
else()
  configure_consumer("${project}" "${build}" "-DBI_TEST_SOURCE=${ROOT}")
  # Somebody else's project: our tests and our install rules stay out of it.
  file(STRINGS "${build}/CMakeCache.txt" cache REGEX "^BI_TEST_")
  expect_text("${cache}" "BI_TEST_BUILD_TESTS:BOOL=OFF" "BI_TEST_INSTALL:BOOL=OFF"
              "BI_TEST_WERROR:BOOL=OFF" "BI_TEST_SPARK:BOOL=OFF")
  # From here on with the flags of the build under test, so that a compiler cache need not work twice.
  configure_consumer("${project}" "${build}" -DBI_TEST_WERROR=${WERROR})
endif()

set(ctest "${CMAKE_CTEST_COMMAND}" --test-dir "${build}")

# Before the build there is one entry, and it fails.
run(output ${ctest} -N)
expect_text("${output}" "onboarding_NOT_BUILT")
run_expecting(8 output ${ctest} --output-on-failure -R "^onboarding_NOT_BUILT$")
expect_text("${output}" "found no program" "build it, then run ctest again")

run("" "${CMAKE_COMMAND}" --build "${build}" --target onboarding plain)
run("" "${build}/plain")

# Spark is there for those who asked for it; others are told how to.
if(MODE STREQUAL "package")
  run("" "${CMAKE_COMMAND}" --build "${build}" --target with_spark)
  run(output "${build}/with_spark" "--bi_test_sweep=${project}/spark.yaml" --gtest_list_tests)
  expect_text("${output}" "phi_4__ctx4096__n4")
else()
  run_expecting(2 output "${build}/onboarding" "--bi_test_sweep=${project}/spark.yaml" --gtest_list_tests)
  expect_text("${output}" "workset.profile: found \"spark\", allowed: none" "-DBI_TEST_SPARK=ON")
endif()

# Without CMake: pkg-config alone tells how to compile and link.
if(MODE STREQUAL "package")
  file(GLOB_RECURSE found "${SCRATCH}/moved/*/bi_test-main.pc")
  get_filename_component(folder "${found}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} "${folder}")
  run("" pkg-config --validate bi_test-main bi_test-mock bi_test-spark)
  foreach(program IN ITEMS "onboarding_test bi_test-main" "plain_test bi_test-matchers gmock_main")
    separate_arguments(program)
    list(POP_FRONT program source)
    run(flags pkg-config --cflags --libs ${program})
    separate_arguments(flags UNIX_COMMAND "${FLAGS} ${flags}")
    run("" ${LAUNCHER} "${COMPILER}" -std=c++20 -c "${project}/${source}.cc" -o "${SCRATCH}/${source}.o" ${flags})
    run("" "${COMPILER}" "${SCRATCH}/${source}.o" -o "${SCRATCH}/${source}" ${flags})
  endforeach()
  run("" "${SCRATCH}/plain_test")
  run(output "${SCRATCH}/onboarding_test" "--bi_test_sweep=${project}/cells.yaml" --gtest_list_tests)
  expect_text("${output}" "Onboarding." "  phi_4__ctx4096__n4")
endif()

# One entry per cell, named after it, with labels.
run(output ${ctest} -N -R "^onboarding")
expect_text("${output}" "onboarding.Onboarding.Qwen2_5_7B_Q4_x__ctx4096__n2"
            "onboarding.Onboarding.Qwen2_5_7B_Q4_x__ctx4096__n4"
            "onboarding.Onboarding.phi_4__ctx4096__n2" "onboarding.Onboarding.phi_4__ctx4096__n4"
            "Total Tests: 4")
expect_no_text("${output}" NOT_BUILT)
run(output ${ctest} --print-labels)
expect_text("${output}" "model:Qwen2.5-7B:Q4/x" "model:phi-4" "ctx:4096" "n:2" "n:4" "tiny" "nightly"
            "big" "bi_test")
run(output ${ctest} -N -L "^model:phi-4$" -L "^n:4$" -L "^nightly$" -R "^onboarding")
expect_text("${output}" "phi_4__ctx4096__n4" "Total Tests: 1")

# What ctest will do with an entry.
run(json ${ctest} --show-only=json-v1 -R "^onboarding.Onboarding.phi_4__ctx4096__n2$")
string(JSON command GET "${json}" tests 0 command)
expect_text("${command}" "--bi_test_sweep=${project}/cells.yaml" "--bi_test_run_timeout=540"
            "--bi_test_passes=2" "--gtest_filter=Onboarding.phi_4__ctx4096__n2")
string(JSON properties GET "${json}" tests 0 properties)
string(REGEX REPLACE "[ \n]+" " " properties "${properties}")
expect_text("${properties}" "\"name\" : \"TIMEOUT\", \"value\" : 600"
            "\"name\" : \"SKIP_RETURN_CODE\", \"value\" : 77" "bi_test_server" "RESOURCE_GROUPS")

# A missing server fails; skipping is for those who ask, and then ctest says so.
run_expecting(8 output ${ctest} -R "^onboarding.*phi_4__ctx4096__n2$")
expect_text("${output}" "***Failed")
set(ENV{BI_TEST_SKIP_MISSING_SERVER} 1)
run(output ${ctest} -R "^onboarding.*phi_4__ctx4096__n2$")
expect_text("${output}" "***Skipped")
unset(ENV{BI_TEST_SKIP_MISSING_SERVER})

# A changed sweep file counts from the next ctest on, without configure or build.
file(READ "${project}/cells.yaml" sweep)
string(REPLACE "parallel: [2, 4]" "parallel: [2, 4, 8]" changed "${sweep}")
file(WRITE "${project}/cells.yaml" "${changed}")
run(output ${ctest} -N -R "^onboarding")
expect_text("${output}" "onboarding.Onboarding.phi_4__ctx4096__n8" "Total Tests: 6")

# A broken one is one failing entry that tells what is wrong.
string(REPLACE "parallel:" "parralel:" changed "${sweep}")
file(WRITE "${project}/cells.yaml" "${changed}")
run(output ${ctest} -N -R "^onboarding")
expect_text("${output}" "onboarding_SWEEP_BROKEN" "Total Tests: 1")
run_expecting(8 output ${ctest} --output-on-failure -R "^onboarding")
expect_text("${output}" "cells.yaml:" "parralel")

if(MODE STREQUAL "package")
  file(WRITE "${project}/cells.yaml" "${sweep}")
  run(output ${ctest} -N -R "^ready")
  expect_text("${output}" "ready.Cells.phi_4__ctx4096__n4" "Total Tests: 4")
endif()
file(REMOVE_RECURSE "${SCRATCH}")
