set(unit "${CMAKE_CURRENT_LIST_DIR}")

bi_test_add_test(
  NAME config_test
  SOURCES "${unit}/config_known_verdicts_test.cc" "${unit}/config_parts_test.cc"
          "${unit}/config_registry_test.cc" "${unit}/config_spark_test.cc"
          "${unit}/config_sweep_error_test.cc"
          "${unit}/config_sweep_test.cc" "${unit}/config_workset_test.cc"
          "${unit}/config_sampling_test.cc"
  DEPS bi_test::session bi_test::config
  LABELS unit)
target_compile_definitions(config_test PRIVATE BI_TEST_SOURCE_DIR="${bi_test_SOURCE_DIR}")

