if(BI_TEST_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
  add_executable(judge_benchmark "${CMAKE_CURRENT_LIST_DIR}/judge_benchmark.cc")
  target_include_directories(judge_benchmark PRIVATE "${bi_test_SOURCE_DIR}/src")
  target_link_libraries(judge_benchmark PRIVATE bi_test::core bi_test_http bi_test_trace
                                                benchmark::benchmark_main
                                                bi_test_build_flags)

  # On a real llama-server: scripts/detection-power.
  add_executable(detection_power "${CMAKE_CURRENT_LIST_DIR}/detection_power.cc")
  target_include_directories(detection_power PRIVATE "${bi_test_SOURCE_DIR}/src")
  target_link_libraries(detection_power PRIVATE bi_test_run bi_test_config bi_test_core
                                                bi_test_make_model bi_test_build_flags)
endif()
