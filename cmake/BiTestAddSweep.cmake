# bi_test_add_sweep(TARGET <target> SWEEP <cells.yaml> [NAME <name>] [LABELS <label>...]
#                   [RESOURCE <type>:<slots>] [LOCK <name>|NONE] [TIMEOUT <seconds>] [ARGS <flag>...])
#
# One ctest entry per test of the program <target>, hence one per cell of the sweep file, called
# `<name>.<Suite>.<cell>`. The list is made anew each time ctest starts, by asking the program, so that
# a changed sweep file needs no new configure or build.
#
# TARGET    a program that links bi_test::main (or calls bi_test::Init), or bi_test::cells
# SWEEP     its sweep file
# NAME      front part of the names; default: the target. Must differ between calls
# LABELS    labels of all entries; each also has `bi_test`, `model:<id>`, `ctx:<n>`, `n:<n>` and the
#           labels of its model in the sweep file
# RESOURCE  what a cell takes of ctest's resource spec file, e.g. gpus:1. The ids of `gpus` reach the server
#           as CUDA_VISIBLE_DEVICES; they have to be among those of that variable, if it is set
# LOCK      entries with the same lock never run at the same time; default `bi_test_server`, so that two
#           servers do not share a machine. NONE lets cells run side by side, e.g. one per device
# TIMEOUT   limit per entry, at least 30 s. The program gets a shorter one, so that it can still stop
#           its server and write the cert. Default: from run.run_timeout of the sweep file
# ARGS      further arguments of the program
#
# While the program is missing there is one failing entry `<name>_NOT_BUILT`; when it cannot list its
# cells, e.g. because of a mistake in the sweep file, one failing entry `<name>_SWEEP_BROKEN` that prints
# why. With a generator of several configurations, ctest needs `-C <configuration>`; without it there is
# one failing entry `<name>_NO_CONFIGURATION`.
#
# GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX divide the entries, as they divide the tests of a program.
function(bi_test_add_sweep)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET;SWEEP;NAME;RESOURCE;LOCK;TIMEOUT" "LABELS;ARGS")
  foreach(key IN ITEMS TARGET SWEEP)
    if(NOT DEFINED ARG_${key})
      message(FATAL_ERROR "bi_test_add_sweep: found no ${key}, expected TARGET <target> SWEEP <file>")
    endif()
  endforeach()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bi_test_add_sweep: found unknown arguments \"${ARG_UNPARSED_ARGUMENTS}\"")
  endif()
  if(NOT TARGET "${ARG_TARGET}")
    message(FATAL_ERROR "bi_test_add_sweep: found no target \"${ARG_TARGET}\"; add it before the sweep")
  endif()
  if(NOT DEFINED ARG_NAME)
    set(ARG_NAME "${ARG_TARGET}")
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9_.-]+" "_" name "${ARG_NAME}")
  get_property(names GLOBAL PROPERTY BI_TEST_SWEEP_NAMES)
  if(name IN_LIST names)
    message(FATAL_ERROR "bi_test_add_sweep: found a second sweep called \"${name}\"; give it a NAME")
  endif()
  set_property(GLOBAL APPEND PROPERTY BI_TEST_SWEEP_NAMES "${name}")

  get_filename_component(sweep "${ARG_SWEEP}" ABSOLUTE)
  set(arguments "--bi_test_sweep=${sweep}")
  if(DEFINED ARG_TIMEOUT)
    if(NOT ARG_TIMEOUT MATCHES "^[0-9]+$" OR ARG_TIMEOUT LESS 30)
      message(FATAL_ERROR "bi_test_add_sweep: found TIMEOUT \"${ARG_TIMEOUT}\", expected whole seconds, "
                          "at least 30")
    endif()
    math(EXPR margin "${ARG_TIMEOUT} / 10")
    if(margin LESS 10)
      set(margin 10)
    elseif(margin GREATER 120)
      set(margin 120)
    endif()
    math(EXPR run_timeout "${ARG_TIMEOUT} - ${margin}")
    list(APPEND arguments "--bi_test_run_timeout=${run_timeout}")
  endif()
  list(APPEND arguments ${ARG_ARGS})

  set(properties "")
  if(NOT DEFINED ARG_LOCK)
    set(ARG_LOCK bi_test_server)
  endif()
  if(NOT ARG_LOCK STREQUAL "NONE")
    list(APPEND properties RESOURCE_LOCK "${ARG_LOCK}")
  endif()
  if(DEFINED ARG_RESOURCE)
    if(NOT ARG_RESOURCE MATCHES "^[a-z_][a-z0-9_]*:[0-9]+$")
      message(FATAL_ERROR "bi_test_add_sweep: found RESOURCE \"${ARG_RESOURCE}\", expected <type>:<slots> "
                          "such as gpus:1")
    endif()
    list(APPEND properties RESOURCE_GROUPS "1,${ARG_RESOURCE}")
  endif()

  set(labels "")
  foreach(label IN LISTS ARG_LABELS)
    string(APPEND labels ";${label}")
  endforeach()

  # Everything the script needs, as one settings file per configuration, beside the script itself.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/bi_test_sweeps")
  set(settings "set(BI_TEST_SWEEP_NAME [==[${name}]==])\n")
  string(APPEND settings "set(BI_TEST_SWEEP_FOLDER [==[${folder}]==])\n"
                         "set(BI_TEST_SWEEP_CMAKE [==[${CMAKE_COMMAND}]==])\n"
                         "set(BI_TEST_SWEEP_EXECUTABLE [==[$<TARGET_FILE:${ARG_TARGET}>]==])\n"
                         "set(BI_TEST_SWEEP_ARGUMENTS [==[${arguments}]==])\n"
                         "set(BI_TEST_SWEEP_LABELS [==[${labels}]==])\n"
                         "set(BI_TEST_SWEEP_PROPERTIES [==[${properties}]==])\n")
  if(DEFINED ARG_TIMEOUT)
    string(APPEND settings "set(BI_TEST_SWEEP_TIMEOUT ${ARG_TIMEOUT})\n")
  else()
    string(APPEND settings "unset(BI_TEST_SWEEP_TIMEOUT)\n")
  endif()
  string(APPEND settings "include([==[${BI_TEST_SWEEP_SCRIPT}]==])\n")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    file(GENERATE OUTPUT "${folder}/${name}-$<CONFIG>.cmake" CONTENT "${settings}")
    file(WRITE "${folder}/${name}.cmake"
         "if(EXISTS \"${folder}/${name}-\${CTEST_CONFIGURATION_TYPE}.cmake\")\n"
         "  include(\"${folder}/${name}-\${CTEST_CONFIGURATION_TYPE}.cmake\")\n"
         "else()\n"
         "  set(BI_TEST_SWEEP_NAME [==[${name}]==])\n"
         "  set(BI_TEST_SWEEP_FOLDER [==[${folder}]==])\n"
         "  set(BI_TEST_SWEEP_CMAKE [==[${CMAKE_COMMAND}]==])\n"
         "  set(BI_TEST_SWEEP_LABELS [==[${labels}]==])\n"
         "  set(BI_TEST_SWEEP_EXECUTABLE \"\")\n"
         "  include([==[${BI_TEST_SWEEP_SCRIPT}]==])\n"
         "endif()\n")
  else()
    file(GENERATE OUTPUT "${folder}/${name}.cmake" CONTENT "${settings}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${folder}/${name}.cmake")
endfunction()

set(BI_TEST_SWEEP_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/BiTestSweepTests.cmake" CACHE INTERNAL
    "Script that lists the tests of a sweep when ctest starts")
