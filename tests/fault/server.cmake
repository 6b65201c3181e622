# Life and death of owned servers, with the stub server as the program that misbehaves.
set(server_fault_dir "${CMAKE_CURRENT_LIST_DIR}")

add_executable(bi_test_server_owner "${server_fault_dir}/server_owner_main.cc")
target_compile_features(bi_test_server_owner PRIVATE cxx_std_20)
set_target_properties(bi_test_server_owner PROPERTIES CXX_EXTENSIONS OFF)
target_include_directories(bi_test_server_owner PRIVATE "${bi_test_SOURCE_DIR}/src")
target_link_libraries(bi_test_server_owner PRIVATE bi_test_server bi_test_build_flags)

foreach(name IN ITEMS server_life_test server_readiness_test server_teardown_test
                      server_owner_test)
  bi_test_add_test(NAME ${name}
                   SOURCES "${server_fault_dir}/${name}.cc" "${server_fault_dir}/stub_launch.cc"
                   DEPS bi_test_server LABELS fault TIMEOUT 300)
  target_compile_definitions(${name} PRIVATE
    BI_TEST_STUB_SERVER="$<TARGET_FILE:bi_test_stub_server>"
    BI_TEST_SERVER_OWNER="$<TARGET_FILE:bi_test_server_owner>")
  add_dependencies(${name} bi_test_stub_server bi_test_server_owner)
endforeach()
