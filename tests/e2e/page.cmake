# The report page in a real browser. Fails without one: a skipped test would look like a pass.
find_program(BI_TEST_CHROMIUM NAMES chromium chromium-browser google-chrome
             DOC "Browser for the test of the report page (scripts/install-packages test)")
bi_test_add_test(
  NAME page_in_browser_test
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/page_in_browser_test.cc"
          "${bi_test_SOURCE_DIR}/tests/unit/sample_pages.cc"
          "${bi_test_SOURCE_DIR}/tests/unit/sample_runs.cc"
          "${bi_test_SOURCE_DIR}/tests/unit/sample_sweep.cc"
  DEPS bi_test::report
  LABELS e2e
  TIMEOUT 600)
target_compile_definitions(page_in_browser_test
                           PRIVATE BI_TEST_CHROMIUM="${BI_TEST_CHROMIUM}")
