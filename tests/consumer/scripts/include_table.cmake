# Which folder may include what (docs of the layout: dependencies point one way). Run with
#   cmake -DROOT=<source tree> -DSCRATCH=<temporary folder> -P include_table.cmake
cmake_minimum_required(VERSION 3.25)

# folder | own headers it may include, by first path element | third-party headers, likewise
set(table
  "include|bi_test|"
  "src/base|bi_test base|openssl rapidjson"
  "src/verdict|bi_test base verdict|"
  "src/cert|bi_test base verdict cert|"
  "src/scorers|bi_test base scorers|re2"
  "src/files|bi_test base files|"
  "src/trace|bi_test base files verdict trace|rapidjson"
  "src/http|bi_test base files http|curl rapidjson"
  "src/process|bi_test base files process|"
  "src/spark|bi_test base scorers spark|"
  "src/make_model|bi_test make_model|openssl"
  "src/config|bi_test base files process scorers spark config|yaml-cpp"
  "src/server|bi_test base files process http config server|"
  "src/run|bi_test base verdict cert scorers files trace http process config server spark run|"
  "src/report|bi_test base verdict cert report|"
  "src/session|bi_test base cert files trace process config server run report session|"
  "src/cli|bi_test base verdict cert scorers files trace process config server run report session make_model cli|CLI"
  "matchers|bi_test base verdict cert|gmock gtest"
  "fixtures|bi_test base verdict cert files trace http process config server run report session fixtures mock|gmock gtest")
set(third_party curl rapidjson yaml-cpp openssl re2 CLI gmock gtest boost rapidcheck benchmark nlohmann)
# Layers that know values only may not see how cells are configured and run.
set(pure_folders src/base src/verdict src/cert src/scorers src/spark src/report matchers)
set(impure_public bi_test/sweep.h bi_test/driver.h)
# No I/O, clock or thread in these.
set(no_io_folders src/base src/verdict src/cert src/scorers src/spark)
set(impure_std chrono ctime thread future condition_variable stop_token semaphore latch barrier
    fstream iostream filesystem cstdio random)

# Appends to the caller's `offences`.
function(check_folder root row)
  string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" matched "${row}")
  set(folder "${CMAKE_MATCH_1}")
  string(REPLACE " " ";" own "${CMAKE_MATCH_2}")
  string(REPLACE " " ";" third "${CMAKE_MATCH_3}")
  set(errors "")
  file(GLOB_RECURSE files RELATIVE "${root}" "${root}/${folder}/*.h" "${root}/${folder}/*.cc"
       "${root}/${folder}/*.hpp")
  foreach(file IN LISTS files)
    file(STRINGS "${root}/${file}" lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      if(line MATCHES "<([^>]+)>")
        set(header "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "/.*" "" first "${header}")
        if(first IN_LIST third_party AND NOT first IN_LIST third)
          list(APPEND errors "${file}: <${header}> is not for ${folder}")
        elseif(folder IN_LIST no_io_folders AND NOT first IN_LIST third
               AND (header IN_LIST impure_std OR header MATCHES "\\.h$"))
          list(APPEND errors "${file}: <${header}> does I/O, clocks or threads, this folder is pure")
        endif()
      elseif(line MATCHES "\"([^\"]+)\"")
        set(header "${CMAKE_MATCH_1}")
        if(header MATCHES "/")
          string(REGEX REPLACE "/.*" "" first "${header}")
          if(NOT first IN_LIST own)
            list(APPEND errors "${file}: \"${header}\" is not for ${folder}")
          elseif(folder IN_LIST pure_folders AND header IN_LIST impure_public)
            list(APPEND errors "${file}: \"${header}\" is not for ${folder}, which knows values only")
          endif()
        endif()
      else()
        list(APPEND errors "${file}: found \"${line}\", expected a header in <> or quotes")
      endif()
    endforeach()
  endforeach()
  set(offences ${offences} ${errors} PARENT_SCOPE)
endfunction()

function(check_tree root result)
  set(offences "")
  foreach(row IN LISTS table)
    check_folder("${root}" "${row}")
  endforeach()
  set(${result} "${offences}" PARENT_SCOPE)
endfunction()

check_tree("${ROOT}" errors)
if(errors)
  list(JOIN errors "\n  " text)
  message(FATAL_ERROR "includes against the table:\n  ${text}")
endif()

# The check itself has to notice: a tree with one offence of each kind.
file(REMOVE_RECURSE "${SCRATCH}")
file(WRITE "${SCRATCH}/src/verdict/a.cc" "#include <thread>\n#include <unistd.h>\n#include \"trace/trace.h\"\n"
     "#include \"bi_test/sweep.h\"\n#include <vector>\n#include \"verdict/b.h\"\n#include <openssl/sha.h>\n")
file(WRITE "${SCRATCH}/include/bi_test/a.h" "#include <curl/curl.h>\n  #  include  <gtest/gtest.h>\n")
file(WRITE "${SCRATCH}/src/report/a.cc" "#include \"fixtures/flags.h\"\n#include HEADER\n")
check_tree("${SCRATCH}" planted)
file(REMOVE_RECURSE "${SCRATCH}")
list(LENGTH planted count)
if(NOT count EQUAL 9)
  list(JOIN planted "\n  " text)
  message(FATAL_ERROR "found ${count} of 9 planted offences:\n  ${text}")
endif()
