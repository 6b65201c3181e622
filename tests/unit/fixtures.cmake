foreach(name IN ITEMS flags parts ctest_script)
  bi_test_add_test(NAME fixtures_${name}_test
                   SOURCES "${CMAKE_CURRENT_LIST_DIR}/fixtures_${name}_test.cc"
                   DEPS bi_test::fixtures bi_test::session bi_test::config bi_test::report
                   LABELS unit)
  target_include_directories(fixtures_${name}_test PRIVATE "${bi_test_SOURCE_DIR}")
endforeach()

bi_test_add_test(NAME fixtures_try_init_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/fixtures_try_init_test.cc"
                 DEPS bi_test::fixtures
                 LABELS unit NO_MAIN)

# A user's program, driven as a child.
add_executable(bi_test_probe_cells "${bi_test_SOURCE_DIR}/tests/support/probe_cells.cc")
set_target_properties(bi_test_probe_cells PROPERTIES CXX_EXTENSIONS OFF)
target_link_libraries(bi_test_probe_cells PRIVATE bi_test::main bi_test_build_flags)

bi_test_add_test(NAME fixtures_program_test
                 SOURCES "${CMAKE_CURRENT_LIST_DIR}/fixtures_program_test.cc"
                 DEPS bi_test::fixtures
                 LABELS unit)
target_compile_definitions(fixtures_program_test PRIVATE
  BI_TEST_PROBE_BINARY="$<TARGET_FILE:bi_test_probe_cells>")
add_dependencies(fixtures_program_test bi_test_probe_cells)
