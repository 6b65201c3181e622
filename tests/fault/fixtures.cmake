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
