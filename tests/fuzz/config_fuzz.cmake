if(NOT BI_TEST_BUILD_FUZZERS)
  return()
endif()

# The code under test needs the instrumentation too, or the fuzzer is blind.
target_compile_options(bi_test_config PRIVATE -fsanitize=fuzzer-no-link,address,undefined)

add_executable(sweep_file_fuzzer "${CMAKE_CURRENT_LIST_DIR}/sweep_file_fuzzer.cc")
target_compile_features(sweep_file_fuzzer PRIVATE cxx_std_20)
target_compile_options(sweep_file_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined)
target_link_options(sweep_file_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined)
target_include_directories(sweep_file_fuzzer PRIVATE "${bi_test_SOURCE_DIR}/src")
target_link_libraries(sweep_file_fuzzer PRIVATE bi_test::config bi_test_build_flags)
# The corpus as a regression test; scripts/fuzz makes longer runs.
add_test(NAME sweep_file_fuzzer_corpus
         COMMAND sweep_file_fuzzer -runs=0 "${CMAKE_CURRENT_LIST_DIR}/corpus/sweep_file")
set_tests_properties(sweep_file_fuzzer_corpus PROPERTIES LABELS fuzz TIMEOUT 60
                     ENVIRONMENT "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
