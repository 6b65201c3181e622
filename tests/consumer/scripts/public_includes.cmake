# What the installed public headers drag in, by the compiler's own list of files read: nothing of curl,
# yaml-cpp, RapidJSON, OpenSSL, RE2 or CLI11, no <regex> and no <iostream>; and of gtest only where the header is
# about tests. Run with the
# variables of use_bi_test.cmake.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${SCRATCH}")
run("" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix")
file(GLOB headers RELATIVE "${SCRATCH}/prefix/include" "${SCRATCH}/prefix/include/bi_test/*.h")
list(LENGTH headers count)
if(count LESS 20)
  message(FATAL_ERROR "found ${count} public headers")
endif()

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(private "/curl/|/yaml-cpp/|/rapidjson/|/openssl/|/re2/[^/]*\\.h$|/CLI/|/src/")
set(forbidden "${private}|/gtest/|/gmock/|/regex$|/iostream$")
set(with_gtest bi_test/cell_test.h bi_test/matchers.h)

# read_by(<variable> <file>): every file the compiler reads for it.
function(read_by variable file)
  run(output "${COMPILER}" ${flags} -std=c++20 -I "${SCRATCH}/prefix/include" -M -x c++ "${file}")
  string(REGEX REPLACE "[ \\\\\n]+" ";" files "${output}")
  set(${variable} "${files}" PARENT_SCOPE)
endfunction()

# offences(<variable> <file> <pattern>)
function(offences variable file pattern)
  read_by(files "${file}")
  list(FILTER files INCLUDE REGEX "${pattern}")
  set(${variable} "${files}" PARENT_SCOPE)
endfunction()

# All that may have gtest in it, at once; each of the others, with gtest forbidden too.
set(text "")
foreach(header IN LISTS with_gtest)
  string(APPEND text "#include <${header}>\n")
endforeach()
file(WRITE "${SCRATCH}/with_gtest.cc" "${text}")
set(text "")
foreach(header IN LISTS headers)
  if(NOT header IN_LIST with_gtest)
    string(APPEND text "#include <${header}>\n")
  endif()
endforeach()
file(WRITE "${SCRATCH}/without_gtest.cc" "${text}")
offences(found "${SCRATCH}/with_gtest.cc" "${private}")
if(found)
  message(SEND_ERROR "headers of tests include: ${found}")
endif()
offences(found "${SCRATCH}/without_gtest.cc" "${forbidden}")
if(found)
  message(SEND_ERROR "public headers include: ${found}")
endif()

# The check has to notice.
foreach(header IN ITEMS curl/curl.h yaml-cpp/yaml.h rapidjson/document.h openssl/sha.h re2/re2.h gtest/gtest.h regex
        iostream)
  file(WRITE "${SCRATCH}/bad.cc" "#include <bi_test/judge.h>\n#include <${header}>\n")
  offences(found "${SCRATCH}/bad.cc" "${forbidden}")
  if(NOT found)
    message(SEND_ERROR "a header that includes <${header}> was not noticed")
  endif()
endforeach()
file(REMOVE_RECURSE "${SCRATCH}")
