if(BI_TEST_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
  add_executable(judge_benchmark "${CMAKE_CURRENT_LIST_DIR}/judge_benchmark.cc")
  target_link_libraries(judge_benchmark PRIVATE bi_test::core benchmark::benchmark_main
                                                bi_test_build_flags)
endif()
