bi_test_add_test(
  NAME matchers_test
  SOURCES
    "${CMAKE_CURRENT_LIST_DIR}/matchers_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/cert_matchers_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/sample_runs.cc"
  DEPS bi_test::matchers
  LABELS unit)
bi_test_add_test(
  NAME reason_views_test
  SOURCES
    "${CMAKE_CURRENT_LIST_DIR}/reason_views_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/sample_runs.cc"
  DEPS bi_test::matchers bi_test::report
  LABELS unit)
