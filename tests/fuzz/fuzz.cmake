# libFuzzer targets; need clang as the compiler of the whole build.
if(NOT BI_TEST_BUILD_FUZZERS)
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "BI_TEST_BUILD_FUZZERS needs clang++ (-DCMAKE_CXX_COMPILER=clang++), "
                      "found ${CMAKE_CXX_COMPILER_ID}")
endif()

# The code under test needs the instrumentation too, or the fuzzer is blind.
foreach(library IN ITEMS base verdict cert scorers files trace http config spark process server run)
  target_compile_options(
    bi_test_${library} PRIVATE -fsanitize=fuzzer-no-link,address,undefined
                       "-fsanitize-ignorelist=${bi_test_SOURCE_DIR}/tests/support/ubsan_ignore.txt")
endforeach()

# NAME_fuzzer of NAME_fuzzer.cc, with the libraries under test. The corpus is a regression test;
# scripts/fuzz makes longer runs.
function(bi_test_add_fuzzer name)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(target ${name}_fuzzer)
  add_executable(${target} "${folder}/${target}.cc")
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_include_directories(${target} PRIVATE "${bi_test_SOURCE_DIR}/src")
  target_link_libraries(${target} PRIVATE ${ARGN} bi_test_build_flags)
  add_test(NAME ${target}_corpus COMMAND ${target} -runs=0 "${folder}/corpus/${name}")
  set_tests_properties(${target}_corpus PROPERTIES LABELS fuzz TIMEOUT 60
                       ENVIRONMENT "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
endfunction()

foreach(name IN ITEMS json_reader chat_reply http_answer trace judge cert)
  bi_test_add_fuzzer(${name} bi_test::http bi_test::trace bi_test::scorers)
endforeach()
bi_test_add_fuzzer(sweep_file bi_test::config)
bi_test_add_fuzzer(spark_answer bi_test::spark)
foreach(name IN ITEMS workset scorer_reply)
  bi_test_add_fuzzer(${name} bi_test_run bi_test_server bi_test_config bi_test_http bi_test_trace)
endforeach()
