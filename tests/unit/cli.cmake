set(unit "${CMAKE_CURRENT_LIST_DIR}")

# Tests that run the real program.
function(bi_test_add_cli_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES" ${ARGN})
  bi_test_add_test(
    NAME ${name}
    SOURCES ${ARG_SOURCES}
    DEPS bi_test_run bi_test_server bi_test_config bi_test_http bi_test_trace bi_test_core
    LABELS unit
    TIMEOUT ${ARG_TIMEOUT})
  target_compile_definitions(${name} PRIVATE
    BI_TEST_PROGRAM="$<TARGET_FILE:bi_test_cli>"
    BI_TEST_UNIT_DATA_DIR="${unit}/data"
    BI_TEST_APPROVED_DIR="${unit}/approved")
  add_dependencies(${name} bi_test_cli bi_test_make_model_cli)
endfunction()

bi_test_add_cli_test(cli_cert_test TIMEOUT 120
  SOURCES "${unit}/older_certs_test.cc" "${unit}/cli_json_test.cc"
          "${unit}/approved.cc")
bi_test_add_cli_test(hostile_files_test TIMEOUT 300
  SOURCES "${unit}/hostile_bytes_test.cc" "${unit}/hostile_types_test.cc"
          "${unit}/hostile_files_test.cc")
bi_test_add_cli_test(cli_make_model_test TIMEOUT 120 SOURCES "${unit}/cli_make_model_test.cc")
bi_test_add_cli_test(cli_plan_test TIMEOUT 120 SOURCES "${unit}/cli_plan_test.cc")
bi_test_add_cli_test(cli_report_test TIMEOUT 120 SOURCES "${unit}/cli_report_test.cc")
bi_test_add_cli_test(cli_known_test TIMEOUT 120 SOURCES "${unit}/cli_known_test.cc")
bi_test_add_cli_test(cli_workset_test TIMEOUT 120 SOURCES "${unit}/cli_workset_test.cc")
