# Public reports and faults of the same kinds as whole cells, on the stub server.
set(reports_dir "${CMAKE_CURRENT_LIST_DIR}")
foreach(name IN ITEMS report_cells_test hostile_cells_test)
  bi_test_add_test(NAME ${name}
                   SOURCES "${reports_dir}/${name}.cc" "${reports_dir}/report_cell.cc"
                           "${reports_dir}/stub_launch.cc"
                           "${bi_test_SOURCE_DIR}/tests/support/stub/rules.cc"
                   DEPS bi_test_run bi_test_config bi_test_http bi_test_trace bi_test_server
                   LABELS fault TIMEOUT 600)
  target_compile_definitions(${name} PRIVATE
    BI_TEST_STUB_SERVER="$<TARGET_FILE:bi_test_stub_server>")
  add_dependencies(${name} bi_test_stub_server)
endforeach()

bi_test_add_test(NAME many_processes_test
                 SOURCES "${reports_dir}/many_processes_test.cc"
                 DEPS bi_test_run bi_test_config bi_test_http bi_test_trace bi_test_server
                 LABELS fault TIMEOUT 300)
target_compile_definitions(many_processes_test PRIVATE
  BI_TEST_PROGRAM="$<TARGET_FILE:bi_test_cli>"
  BI_TEST_STUB_SERVER="$<TARGET_FILE:bi_test_stub_server>")
add_dependencies(many_processes_test bi_test_stub_server bi_test_cli)

# What dashboards are given, read by programs that are not ours: xmllint and python3-junitparser
# (scripts/install-packages test).
add_test(NAME dashboard_files_test
         COMMAND /usr/bin/python3 -B "${CMAKE_CURRENT_LIST_DIR}/dashboard_files.py"
                 "${bi_test_BINARY_DIR}/dashboard_files" "${bi_test_SOURCE_DIR}" "${CMAKE_COMMAND}"
                 "${CMAKE_CTEST_COMMAND}" $<TARGET_FILE:bi_test_cells> $<TARGET_FILE:bi_test_cli>
                 $<TARGET_FILE:bi_test_stub_server>)
set_tests_properties(dashboard_files_test PROPERTIES LABELS fault TIMEOUT 300)
