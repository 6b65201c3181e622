# Test programs are built at -O1: nothing in them is timed, and it halves the build.
set(bi_test_test_options "$<$<CONFIG:Release>:-O1>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Sums of string literals and short strings, which tests are full of (GCC bugs 105329, 105651).
  list(APPEND bi_test_test_options -Wno-stringop-overflow -Wno-array-bounds)
endif()

# One precompiled gMock for all test programs: it costs more than most tests do to compile.
add_library(bi_test_test_pch STATIC "${bi_test_SOURCE_DIR}/tests/support/pch.cc")
# The flags of the test programs: a header precompiled without -Wpedantic is not valid with it.
target_link_libraries(bi_test_test_pch PUBLIC GTest::gmock GTest::gtest PRIVATE bi_test_build_flags)
target_compile_features(bi_test_test_pch PUBLIC cxx_std_20)
target_compile_options(bi_test_test_pch PRIVATE ${bi_test_test_options})
set_target_properties(bi_test_test_pch PROPERTIES CXX_EXTENSIONS OFF)
target_precompile_headers(bi_test_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <vector>
                          <map>)

# What several test programs share, compiled once; each links what it uses of it.
add_library(bi_test_test_support STATIC EXCLUDE_FROM_ALL)
foreach(name IN ITEMS cert_schema recorded_run records run_binary sweep_folder temp_dir)
  target_sources(bi_test_test_support PRIVATE "${bi_test_SOURCE_DIR}/tests/support/${name}.cc")
endforeach()
set_target_properties(bi_test_test_support PROPERTIES CXX_EXTENSIONS OFF)
target_compile_features(bi_test_test_support PUBLIC cxx_std_20)
target_compile_options(bi_test_test_support PRIVATE ${bi_test_test_options})
target_compile_definitions(bi_test_test_support PRIVATE
  BI_TEST_CERT_SCHEMA="${bi_test_SOURCE_DIR}/docs/cert.schema.json")
target_precompile_headers(bi_test_test_support REUSE_FROM bi_test_test_pch)
target_include_directories(bi_test_test_support PRIVATE "${bi_test_SOURCE_DIR}/src"
                                                        "${bi_test_SOURCE_DIR}/tests"
  # Only their headers: a program that links core alone builds core alone.
  $<TARGET_PROPERTY:bi_test_run,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(bi_test_test_support PRIVATE GTest::gmock GTest::gtest bi_test_build_flags)

# What starts no server process, needs no project of its own and is not about pages, and of it what runs threads (the
# in-process mock, and whole cells on it): the parts that sanitizers build.
add_custom_target(bi_test_fast_tests)
add_custom_target(bi_test_threaded_tests)

# bi_test_add_test(NAME x SOURCES a.cc b.cc [DEPS bi_test::core ...] [LABELS ...] [TIMEOUT s] [NO_MAIN])
#
# A GoogleTest program `x`, run as one ctest entry of the same name.
function(bi_test_add_test)
  cmake_parse_arguments(ARG "NO_MAIN" "NAME;TIMEOUT" "SOURCES;DEPS;LABELS;ARGS" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  set_target_properties(${ARG_NAME} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${ARG_NAME} PRIVATE cxx_std_20)
  target_compile_options(${ARG_NAME} PRIVATE ${bi_test_test_options})
  target_precompile_headers(${ARG_NAME} REUSE_FROM bi_test_test_pch)
  target_include_directories(${ARG_NAME} PRIVATE "${bi_test_SOURCE_DIR}/src"
                                                 "${bi_test_SOURCE_DIR}/tests")
  target_link_libraries(${ARG_NAME} PRIVATE bi_test_test_support ${ARG_DEPS} GTest::gmock GTest::gtest
                                            bi_test_build_flags)
  if(NOT ARG_NO_MAIN)
    target_link_libraries(${ARG_NAME} PRIVATE GTest::gmock_main)
  endif()
  if(NOT "e2e" IN_LIST ARG_LABELS AND NOT "fault" IN_LIST ARG_LABELS AND NOT "docs" IN_LIST ARG_LABELS)
    add_dependencies(bi_test_fast_tests ${ARG_NAME})
  endif()
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(bi_test_threaded_tests ${ARG_NAME})
  endif()
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME} ${ARG_ARGS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)  # ends what hangs; nothing is timed, and sanitizers on a busy machine are slow
  endif()
  set_tests_properties(${ARG_NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
