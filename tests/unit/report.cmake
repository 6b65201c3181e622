find_package(pugixml REQUIRED)

bi_test_add_test(
  NAME report_test
  SOURCES
    "${CMAKE_CURRENT_LIST_DIR}/approved.cc"
    "${CMAKE_CURRENT_LIST_DIR}/sample_pages.cc"
    "${CMAKE_CURRENT_LIST_DIR}/sample_runs.cc"
    "${CMAKE_CURRENT_LIST_DIR}/sample_sweep.cc"
    "${CMAKE_CURRENT_LIST_DIR}/xml_check.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_cert_row_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_console_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_ctest_measurements_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_explain_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_frontier_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_hostile_text_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_html_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_junit_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_markdown_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_markup_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_merge_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_sweep_result_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_terminal_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/report_text_test.cc"
  DEPS bi_test::report pugixml::pugixml
  LABELS unit)
target_compile_definitions(report_test
                           PRIVATE BI_TEST_APPROVED_DIR="${CMAKE_CURRENT_LIST_DIR}/approved")
