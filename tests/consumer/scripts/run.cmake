# Helpers of the scripts that use bi_test as a stranger would.

# run(<variable for the combined output, or ""> <command>...): must exit with 0.
function(run output_variable)
  run_expecting(0 output ${ARGN})
  if(output_variable)
    set(${output_variable} "${output}" PARENT_SCOPE)
  endif()
endfunction()

# run_expecting(<exit code or regular expression> <variable> <command>...)
function(run_expecting code output_variable)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
                  TIMEOUT 1700)
  if(NOT result MATCHES "^(${code})$")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}, expected ${code}:\n${output}")
  endif()
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

# expect_text(<text> <part>...): each part must be in the text.
function(expect_text text)
  foreach(part IN LISTS ARGN)
    string(FIND "${text}" "${part}" position)
    if(position EQUAL -1)
      message(FATAL_ERROR "expected \"${part}\" in:\n${text}")
    endif()
  endforeach()
endfunction()

# expect_no_text(<text> <part>...): no part may be in the text.
function(expect_no_text text)
  foreach(part IN LISTS ARGN)
    string(FIND "${text}" "${part}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "expected no \"${part}\" in:\n${text}")
    endif()
  endforeach()
endfunction()

# configure_consumer(<source> <build> [cache entries]...), with the tools of the build under test.
function(configure_consumer source build)
  run("" "${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${GENERATOR}"
      "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
      "-DCMAKE_CXX_FLAGS=${FLAGS}" ${ARGN})
endfunction()
