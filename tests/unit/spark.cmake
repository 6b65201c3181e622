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
