# The parts of the server layer that start nothing.
set(server_unit_dir "${CMAKE_CURRENT_LIST_DIR}")
bi_test_add_test(NAME server_dialect_test
                 SOURCES "${server_unit_dir}/server_dialect_test.cc"
                         "${server_unit_dir}/server_flags_test.cc"
                         "${server_unit_dir}/server_metrics_page_test.cc"
                         "${server_unit_dir}/server_openai_test.cc"
                         "${server_unit_dir}/server_sglang_test.cc"
                         "${server_unit_dir}/server_vllm_test.cc"
                 DEPS bi_test_server LABELS unit)
bi_test_add_test(NAME server_guards_test
                 SOURCES "${server_unit_dir}/server_guards_test.cc"
                         "${server_unit_dir}/server_gguf_test.cc"
                         "${server_unit_dir}/server_model_folder_test.cc"
                 DEPS bi_test_server bi_test_make_model LABELS unit)
bi_test_add_test(NAME server_parts_test
                 SOURCES "${server_unit_dir}/server_parts_test.cc"
                         "${server_unit_dir}/server_process_test.cc"
                 DEPS bi_test_server LABELS unit)
