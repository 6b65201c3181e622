# Ownership of a real llama-server.
set(owned_server_dir "${CMAKE_CURRENT_LIST_DIR}")
bi_test_add_test(NAME owned_server_real_test
                 SOURCES "${owned_server_dir}/owned_server_real_test.cc"
                 DEPS bi_test_server bi_test_make_model LABELS e2e TIMEOUT 600)
set_tests_properties(owned_server_real_test PROPERTIES
  RUN_SERIAL TRUE ENVIRONMENT "BI_TEST_LLAMA_SERVER=${BI_TEST_LLAMA_SERVER}")
