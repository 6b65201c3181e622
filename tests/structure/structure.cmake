bi_test_add_test(NAME include_table_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/include_table_test.cc"
                         "${CMAKE_CURRENT_LIST_DIR}/includes.cc"
                 LABELS consumer)
target_compile_definitions(include_table_test PRIVATE BI_TEST_SOURCE_DIR="${bi_test_SOURCE_DIR}")

# All files as .clang-format has them.
find_program(BI_TEST_CLANG_FORMAT NAMES clang-format-14 clang-format
             DOC "Checks the files' format (scripts/install-packages test)")
add_test(NAME format_test
         COMMAND "${CMAKE_COMMAND}" "-DROOT=${bi_test_SOURCE_DIR}" "-DCLANG_FORMAT=${BI_TEST_CLANG_FORMAT}"
                 -P "${bi_test_SOURCE_DIR}/tests/consumer/scripts/format.cmake")
set_tests_properties(format_test PROPERTIES TIMEOUT 300 LABELS consumer)
