# Every edge case of certs has a test that names it: 1 to 192 of the table of edge cases, and
# 1 to 20 of the table of verdict inputs. So has every public report of a fault that is replayed: its
# number, such as R054, stands in the name of a case or in the comment before a test; the first line of
# a file, which says what the file is about, names none.
#
# A test names a case by the start of a case name, `{"118 busy 1", ...}`, `{"39, 124", ...}`, or by
# `case 118` or `cases 93, 94` in a failure text or comment. A range ("cases 100 to 115") names none:
# that is how files say what they are about.
cmake_minimum_required(VERSION 3.25)

function(read_numbers text out)
  string(REGEX MATCHALL "\\{\"[0-9]+[a-z]?(, [0-9]+)*[\" :,]" names "${text}")
  string(REGEX MATCHALL "[^a-z]case [0-9]+" mentions "${text}")
  string(REGEX MATCHALL "[^a-z]cases [0-9]+(, [0-9]+)+" lists "${text}")
  string(REGEX MATCHALL "[0-9]+" numbers "${names} ${mentions} ${lists}")
  set(${out} ${numbers} PARENT_SCOPE)
endfunction()

function(expect_all last what numbers)
  set(missing "")
  foreach(number RANGE 1 ${last})
    if(NOT number IN_LIST numbers)
      string(APPEND missing " ${number}")
    endif()
  endforeach()
  if(missing)
    message(SEND_ERROR "no test names these ${what}:${missing}")
  endif()
endfunction()

set(rows "${ROOT}/tests/unit/verdict_rows_test.cc")
file(READ "${rows}" text)
read_numbers("${text}" found)
expect_all(20 "rows of the verdict table" "${found}")

file(GLOB_RECURSE files "${ROOT}/tests/unit/*_test.cc" "${ROOT}/tests/wire/*_test.cc")
list(REMOVE_ITEM files "${rows}")
# What the rows file says of edge cases carries no number below 21.
set(all "")
foreach(number IN LISTS found)
  if(number GREATER 20)
    list(APPEND all ${number})
  endif()
endforeach()
foreach(file IN LISTS files)
  file(READ "${file}" text)
  read_numbers("${text}" found)
  list(APPEND all ${found})
endforeach()
expect_all(192 "edge cases" "${all}")

set(reports
    001 003 005 007 009 011 013 014 016 018 020 022 024 026 028 030 032 034 036 038 040 042 044 046 048
    050 052 054 056 058 060 062 064 067 069 071 073 075 077 079 081 084 086 088 090 092 094 096 098 101
    103 105 107 109 111 113 115 117 118 120 122 124 126 128 130 132)
file(GLOB_RECURSE files "${ROOT}/tests/*_test.cc" "${ROOT}/tests/e2e/*.cmake")
set(named "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  string(FIND "${text}" "\n" first_line)
  string(SUBSTRING "${text}" ${first_line} -1 text)
  string(REGEX MATCHALL "R[01][0-9][0-9]" found "${text}")
  list(APPEND named ${found})
endforeach()
set(missing "")
foreach(report IN LISTS reports)
  if(NOT "R${report}" IN_LIST named)
    string(APPEND missing " R${report}")
  endif()
endforeach()
if(missing)
  message(SEND_ERROR "no test names these public reports:${missing}")
endif()
