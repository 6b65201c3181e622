bi_test_add_test(
  NAME wire_judge_property_test
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/wire_judge_property_test.cc"
  DEPS bi_test::http bi_test::trace bi_test::core rapidcheck rapidcheck_gtest
  LABELS property)
