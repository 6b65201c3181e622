if(NOT BI_TEST_BUILD_FUZZERS)
  return()
endif()

# The code under test needs the instrumentation too, or the fuzzer is blind.
target_compile_options(bi_test_spark PRIVATE -fsanitize=fuzzer-no-link,address,undefined)

add_executable(spark_answer_fuzzer "${CMAKE_CURRENT_LIST_DIR}/spark_answer_fuzzer.cc")
target_compile_features(spark_answer_fuzzer PRIVATE cxx_std_20)
target_compile_options(spark_answer_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined)
target_link_options(spark_answer_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined)
target_include_directories(spark_answer_fuzzer PRIVATE "${bi_test_SOURCE_DIR}/src")
target_link_libraries(spark_answer_fuzzer PRIVATE bi_test::spark bi_test_build_flags)
# The corpus as a regression test; scripts/fuzz makes longer runs.
add_test(NAME spark_answer_fuzzer_corpus
         COMMAND spark_answer_fuzzer -runs=0 "${CMAKE_CURRENT_LIST_DIR}/corpus/spark_answer")
set_tests_properties(spark_answer_fuzzer_corpus PROPERTIES LABELS fuzz TIMEOUT 60
                     ENVIRONMENT "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
