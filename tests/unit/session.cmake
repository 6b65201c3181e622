bi_test_add_test(NAME session_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/session_test.cc"
                         "${CMAKE_CURRENT_LIST_DIR}/session_selection_test.cc"
                         "${CMAKE_CURRENT_LIST_DIR}/sample_runs.cc"
                 DEPS bi_test::session bi_test::config bi_test::report bi_test_process
                 LABELS unit)
