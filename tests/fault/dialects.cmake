# Whole cells in every dialect, with the stub server as vLLM, SGLang and a plain server.
set(dialects_dir "${CMAKE_CURRENT_LIST_DIR}")
bi_test_add_test(NAME dialect_cells_test
                 SOURCES "${dialects_dir}/dialect_cells_test.cc"
                 DEPS bi_test_run bi_test_config bi_test_report bi_test_http bi_test_trace
                 LABELS fault TIMEOUT 300)
bi_test_add_test(NAME slot_poller_test
                 SOURCES "${dialects_dir}/slot_poller_test.cc" "${dialects_dir}/stub_launch.cc"
                 DEPS bi_test_run bi_test_server
                 LABELS fault TIMEOUT 120)
foreach(name IN ITEMS dialect_cells_test slot_poller_test)
  target_compile_definitions(${name} PRIVATE
    BI_TEST_STUB_SERVER="$<TARGET_FILE:bi_test_stub_server>")
  add_dependencies(${name} bi_test_stub_server)
endforeach()
