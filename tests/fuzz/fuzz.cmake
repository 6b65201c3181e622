# libFuzzer targets; need clang as the compiler of the whole build.
if(NOT BI_TEST_BUILD_FUZZERS)
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "BI_TEST_BUILD_FUZZERS needs clang++ (-DCMAKE_CXX_COMPILER=clang++), "
                      "found ${CMAKE_CXX_COMPILER_ID}")
endif()

# The code under test needs the instrumentation too, or the fuzzer is blind.
foreach(library IN ITEMS bi_test_core bi_test_wire)
  target_compile_options(
    ${library} PRIVATE -fsanitize=fuzzer-no-link,address,undefined
                       "-fsanitize-ignorelist=${bi_test_SOURCE_DIR}/tests/support/ubsan_ignore.txt")
endforeach()

foreach(name IN ITEMS json_reader chat_reply http_answer trace judge cert)
  set(target ${name}_fuzzer)
  add_executable(${target} "${CMAKE_CURRENT_LIST_DIR}/${name}_fuzzer.cc")
  target_include_directories(${target} PRIVATE "${bi_test_SOURCE_DIR}/src")
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(${target} PRIVATE bi_test::wire bi_test_build_flags)
  # The corpus as a regression test; scripts/fuzz makes longer runs.
  add_test(NAME ${target}_corpus
           COMMAND ${target} -runs=0 "${CMAKE_CURRENT_LIST_DIR}/corpus/${name}")
  set_tests_properties(${target}_corpus PROPERTIES LABELS fuzz TIMEOUT 60
                       ENVIRONMENT "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
endforeach()
