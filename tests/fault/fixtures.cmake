add_executable(bi_test_probe_param_cells "${bi_test_SOURCE_DIR}/tests/support/probe_param_cells.cc")
set_target_properties(bi_test_probe_param_cells PROPERTIES CXX_EXTENSIONS OFF)
target_link_libraries(bi_test_probe_param_cells PRIVATE bi_test::main bi_test_build_flags)

bi_test_add_test(NAME fixtures_server_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/fixtures_server_test.cc"
                 DEPS bi_test::fixtures bi_test_make_model
                 LABELS fault TIMEOUT 600)
target_compile_definitions(fixtures_server_test PRIVATE
  BI_TEST_PROBE_BINARY="$<TARGET_FILE:bi_test_probe_cells>"
  BI_TEST_PARAM_PROBE_BINARY="$<TARGET_FILE:bi_test_probe_param_cells>"
  BI_TEST_STUB_BINARY="$<TARGET_FILE:bi_test_stub_server>")
add_dependencies(fixtures_server_test bi_test_probe_cells bi_test_probe_param_cells
                                      bi_test_stub_server)

bi_test_add_test(NAME both_doors_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/both_doors_test.cc"
                         "${bi_test_SOURCE_DIR}/tests/support/stub/rules.cc"
                 DEPS bi_test::fixtures bi_test_make_model bi_test_base
                 LABELS fault TIMEOUT 300)
target_compile_definitions(both_doors_test PRIVATE
  BI_TEST_CELLS_BINARY="$<TARGET_FILE:bi_test_cells>"
  BI_TEST_PROGRAM="$<TARGET_FILE:bi_test_cli>"
  BI_TEST_STUB_BINARY="$<TARGET_FILE:bi_test_stub_server>")
add_dependencies(both_doors_test bi_test_cells bi_test_cli bi_test_stub_server)
