# End-to-end tests on a real llama-server. They fail without one: a skipped end-to-end test would look
# like a pass.
set(BI_TEST_LLAMA_SERVER "$ENV{BI_TEST_LLAMA_SERVER}" CACHE FILEPATH
    "llama-server for the end-to-end tests (scripts/get-llama-server)")

set(e2e_dir "${CMAKE_CURRENT_LIST_DIR}")
function(bi_test_add_e2e_test name)
  bi_test_add_test(NAME ${name} SOURCES "${e2e_dir}/${name}.cc"
                                        "${e2e_dir}/real_world.cc"
                   DEPS bi_test_run bi_test_config bi_test_matchers bi_test_make_model
                   LABELS e2e TIMEOUT 600)
  # Alone: on few cores two servers would only measure each other.
  set_tests_properties(${name} PROPERTIES
    RUN_SERIAL TRUE ENVIRONMENT "BI_TEST_LLAMA_SERVER=${BI_TEST_LLAMA_SERVER}")
endfunction()

bi_test_add_e2e_test(real_cells_test)
bi_test_add_e2e_test(ready_worksets_test)
if(BI_TEST_SPARK)
  bi_test_add_e2e_test(spark_cells_test)
  target_link_libraries(spark_cells_test PRIVATE bi_test_spark)
endif()
bi_test_add_e2e_test(life_test)
target_compile_definitions(life_test PRIVATE
  BI_TEST_CELLS_BINARY="$<TARGET_FILE:bi_test_cells>")
add_dependencies(life_test bi_test_cells)
bi_test_add_e2e_test(fault_test)
bi_test_add_e2e_test(soak_test)

add_test(NAME four_cells_test
         COMMAND "${CMAKE_COMMAND}" "-DROOT=${bi_test_SOURCE_DIR}"
                 "-DCELLS=$<TARGET_FILE:bi_test_cells>" "-DBI_TEST=$<TARGET_FILE:bi_test_cli>"
                 "-DSERVER=${BI_TEST_LLAMA_SERVER}"
                 "-DSCRATCH=${bi_test_BINARY_DIR}/consumer/four_cells_test"
                 -P "${e2e_dir}/four_cells/run.cmake")
set_tests_properties(four_cells_test PROPERTIES LABELS e2e TIMEOUT 900 RUN_SERIAL TRUE)
