bi_test_add_test(NAME corpus_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/corpus_test.cc"
                 DEPS bi_test_run
                 LABELS unit)
target_compile_definitions(corpus_test PRIVATE BI_TEST_CORPUS_DIR="${CMAKE_CURRENT_LIST_DIR}")
