find_package(rapidcheck REQUIRED)
bi_test_add_test(
  NAME verdict_judge_property_test
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/verdict_judge_property_test.cc"
  DEPS bi_test::core rapidcheck rapidcheck_gtest
  LABELS property)
