# Run by ctest each time it starts, with the BI_TEST_SWEEP_* variables that bi_test_add_sweep() wrote:
# asks the program for the tests it would run and adds them.

# A test that fails and prints `text`.
function(bi_test_add_failing_test name text)
  set(script "${BI_TEST_SWEEP_FOLDER}/${name}.cmake")
  set(bracket "==")
  while(text MATCHES "]${bracket}]")
    string(APPEND bracket "=")
  endwhile()
  file(WRITE "${script}" "message([${bracket}[${text}]${bracket}])\n"
                         "message(FATAL_ERROR \"bi_test: the cells of this sweep cannot be tested\")\n")
  add_test("${name}" "${BI_TEST_SWEEP_CMAKE}" -P "${script}")
  set_tests_properties("${name}" PROPERTIES LABELS "bi_test${BI_TEST_SWEEP_LABELS}" TIMEOUT 60)
endfunction()

if(BI_TEST_SWEEP_EXECUTABLE STREQUAL "")
  bi_test_add_failing_test(
    "${BI_TEST_SWEEP_NAME}_NO_CONFIGURATION"
    "found configuration \"${CTEST_CONFIGURATION_TYPE}\"; run ctest with -C and one that was configured")
elseif(NOT EXISTS "${BI_TEST_SWEEP_EXECUTABLE}")
  bi_test_add_failing_test(
    "${BI_TEST_SWEEP_NAME}_NOT_BUILT"
    "found no program ${BI_TEST_SWEEP_EXECUTABLE}; build it, then run ctest again")
else()
  set(BI_TEST_SWEEP_COMMAND "${BI_TEST_SWEEP_EXECUTABLE}" ${BI_TEST_SWEEP_ARGUMENTS})
  execute_process(
    COMMAND ${BI_TEST_SWEEP_COMMAND} --bi_test_print_ctest
    RESULT_VARIABLE bi_test_result
    OUTPUT_VARIABLE bi_test_output
    ERROR_VARIABLE bi_test_errors
    TIMEOUT 60)
  # A whole script stands between two marker lines; a program that died half way printed only one.
  string(FIND "${bi_test_output}" "# bi_test: begin of the CTest script\n" bi_test_begin)
  string(FIND "${bi_test_output}" "# bi_test: end of the CTest script\n" bi_test_end)
  if(bi_test_result EQUAL 0 AND bi_test_begin GREATER_EQUAL 0 AND bi_test_end GREATER bi_test_begin)
    math(EXPR bi_test_length "${bi_test_end} - ${bi_test_begin}")
    string(SUBSTRING "${bi_test_output}" ${bi_test_begin} ${bi_test_length} bi_test_script)
    cmake_language(EVAL CODE "${bi_test_script}")
  else()
    if(bi_test_result EQUAL 0)
      string(APPEND bi_test_errors
             "found no list of tests in what it printed; link bi_test::main, or call bi_test::Init in main()\n")
    endif()
    list(JOIN BI_TEST_SWEEP_COMMAND " " bi_test_command)
    bi_test_add_failing_test(
      "${BI_TEST_SWEEP_NAME}_SWEEP_BROKEN"
      "${bi_test_command} --bi_test_print_ctest ended with ${bi_test_result}:\n${bi_test_errors}")
  endif()
endif()
