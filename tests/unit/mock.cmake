bi_test_add_test(
  NAME mock_server_test
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/mock_client.cc"
          "${CMAKE_CURRENT_LIST_DIR}/mock_engine_test.cc"
          "${CMAKE_CURRENT_LIST_DIR}/mock_knobs_test.cc"
          "${CMAKE_CURRENT_LIST_DIR}/mock_script_test.cc"
          "${CMAKE_CURRENT_LIST_DIR}/mock_server_test.cc"
  DEPS bi_test::mock bi_test::http bi_test::trace
  LABELS unit mock threads)
