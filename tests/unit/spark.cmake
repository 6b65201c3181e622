if(NOT BI_TEST_SPARK)
  return()
endif()
set(unit "${CMAKE_CURRENT_LIST_DIR}")

bi_test_add_test(
  NAME spark_workset_test
  SOURCES "${unit}/spark_draw_test.cc" "${unit}/spark_filler_test.cc"
          "${unit}/spark_budget_test.cc" "${unit}/spark_generate_test.cc"
  DEPS bi_test::spark
  LABELS unit)

bi_test_add_test(
  NAME spark_scorer_test
  SOURCES "${unit}/spark_answer_test.cc" "${unit}/spark_code_test.cc"
          "${unit}/spark_label_test.cc" "${unit}/spark_scorer_test.cc"
  DEPS bi_test::spark
  LABELS unit)

bi_test_add_test(
  NAME spark_profile_test
  SOURCES "${unit}/spark_profile_test.cc"
  DEPS bi_test::spark bi_test::config
  LABELS unit)
target_compile_definitions(spark_profile_test PRIVATE BI_TEST_SOURCE_DIR="${bi_test_SOURCE_DIR}")

bi_test_add_test(NAME spark_on_mock_test
                 SOURCES "${unit}/spark_on_mock_test.cc"
                 DEPS bi_test_mock bi_test_run bi_test_config bi_test_spark bi_test_matchers
                 LABELS mock threads TIMEOUT 300)
