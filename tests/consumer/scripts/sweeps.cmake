# bi_test_add_sweep(), clause by clause: GPUs that ctest assigns reach the server, servers of one lock
# never run side by side, shards, and one failing entry for each way a sweep cannot be listed. Run with the
# variables of use_bi_test.cmake.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${SCRATCH}")
set(project "${SCRATCH}/a project")
set(build "${SCRATCH}/its build")
set(journal "${SCRATCH}/journal")
file(COPY "${ROOT}/tests/consumer/sweeps/" DESTINATION "${project}")
file(WRITE "${project}/m.gguf" "")
# What stands for the server takes a moment to fail, and tells when that was and on which devices.
file(WRITE "${project}/server" "#!/bin/sh
begin=$(date +%s%N)
sleep 0.3
echo \"$begin $(date +%s%N) \${CUDA_VISIBLE_DEVICES-none}\" >>'${journal}'
exit 1
")
file(CHMOD "${project}/server" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${project}/my cells.yaml" "server: {kind: llama.cpp, binary: ./server}
models: [{id: phi-4, path: m.gguf}]
matrix: {ctx: [1024, 2048], parallel: [2, 4]}
workset: {builtin: smoke}
guard: {memory_floor_gib: 0, allow_unknown_memory: true}
")
# One that hears no signal and never answers.
file(WRITE "${project}/hanging_server" "#!/bin/sh\ntrap '' TERM INT HUP\nwhile :; do sleep 0.1; done\n")
file(CHMOD "${project}/hanging_server" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${project}/hanging.yaml" "server: {kind: llama.cpp, binary: ./hanging_server, stop_grace: 200ms}
models: [{id: phi-4, path: m.gguf}]
matrix: {ctx: 1024, parallel: 2}
workset: {builtin: smoke}
guard: {memory_floor_gib: 0, allow_unknown_memory: true}
")
file(WRITE "${SCRATCH}/gpus.json"
     "{\"version\":{\"major\":1,\"minor\":0},\"local\":[{\"gpus\":[{\"id\":\"5\",\"slots\":1},{\"id\":\"7\",\"slots\":1}]}]}")
find_program(TRUE true REQUIRED)
set(tools "${CMAKE_COMMAND}" -S "${project}" "-DBI_TEST_ROOT=${ROOT}" "-DBI_TEST_CELLS=${BUILD}/bin/bi_test_cells"
    "-DSTRANGER=${TRUE}")
run("" ${tools} -B "${build}" -G Ninja)
set(ctest "${CMAKE_CTEST_COMMAND}" --test-dir "${build}")

# launches(<ctest arguments>...): runs cells, which all fail, and sets `devices` to what the servers saw,
# sorted by start, and `overlaps` to the number of pairs that ran at the same time on the same device or, if
# they saw none, at the same time.
function(launches)
  file(REMOVE "${journal}")
  run_expecting(8 output ${ctest} --output-on-failure ${ARGN})
  expect_text("${output}" "0% tests passed")
  file(STRINGS "${journal}" lines)
  list(SORT lines)
  set(devices "")
  set(overlaps 0)
  set(parallel 0)
  set(earlier "")
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line "${line}")
    list(GET line 0 begin)
    list(GET line 2 device)
    list(APPEND devices ${device})
    foreach(other IN LISTS earlier)
      string(REPLACE " " ";" other "${other}")
      list(GET other 1 end)
      list(GET other 2 other_device)
      if(begin LESS end)
        math(EXPR parallel "${parallel} + 1")
        if(device STREQUAL other_device)
          math(EXPR overlaps "${overlaps} + 1")
        endif()
      endif()
    endforeach()
    list(JOIN line " " line)
    list(APPEND earlier "${line}")
  endforeach()
  set(devices "${devices}" PARENT_SCOPE)
  set(overlaps ${overlaps} PARENT_SCOPE)
  set(parallel ${parallel} PARENT_SCOPE)
endfunction()

# Clause: one lock, so that two servers never share the accelerator, and the GPU is the one ctest gave.
launches(-j4 -R "^locked" --resource-spec-file "${SCRATCH}/gpus.json")
list(LENGTH devices count)
if(NOT count EQUAL 4 OR NOT parallel EQUAL 0 OR NOT devices MATCHES "^[57](;[57])*$")
  message(FATAL_ERROR "locked: ${count} servers on ${devices}, ${parallel} pairs at once; expected 4 on 5 or 7, none at once")
endif()
# Without a lock: side by side, each on a GPU of its own.
launches(-j4 -R "^side_by_side" --resource-spec-file "${SCRATCH}/gpus.json")
list(LENGTH devices count)
set(used ${devices})
list(REMOVE_DUPLICATES used)
list(SORT used)
if(NOT count EQUAL 4 OR NOT used STREQUAL "5;7" OR parallel EQUAL 0 OR NOT overlaps EQUAL 0)
  message(FATAL_ERROR "side by side: servers on ${devices}, ${parallel} pairs at once, ${overlaps} of them on one GPU; "
                      "expected 4 on 5 and 7, some at once, none on one GPU")
endif()
# Nothing assigned: the server sees what ctest's own environment says.
launches(-R "^plain.*ctx1024")
if(NOT devices STREQUAL "none")
  message(FATAL_ERROR "without a resource spec file: servers on ${devices}, expected none")
endif()
set(ENV{CUDA_VISIBLE_DEVICES} 3)
launches(-R "^plain.*ctx1024")
if(NOT devices STREQUAL "3")
  message(FATAL_ERROR "with CUDA_VISIBLE_DEVICES=3: servers on ${devices}")
endif()
# A reservation outside of what the scheduler gave: no server is started.
file(REMOVE "${journal}")
run_expecting(8 output ${ctest} --output-on-failure -R "^locked.*ctx1024__n2$" --resource-spec-file "${SCRATCH}/gpus.json")
if(NOT output MATCHES "bi_test: found GPU \"[57]\" reserved by ctest, but CUDA_VISIBLE_DEVICES is \"3\"; give ctest a resource spec file with the ids of that list\n"
   OR EXISTS "${journal}")
  message(FATAL_ERROR "expected a refusal in:\n${output}")
endif()
unset(ENV{CUDA_VISIBLE_DEVICES})
# More than there is: not run, and ctest fails.
file(WRITE "${SCRATCH}/none.json" "{\"version\":{\"major\":1,\"minor\":0},\"local\":[{}]}")
run_expecting(8 output ${ctest} -R "^locked.*ctx1024__n2$" --resource-spec-file "${SCRATCH}/none.json")
expect_text("${output}" "***Not Run")

# A cell's limit holds while its server is waited for, too, and leaves time to stop it and to say why.
run_expecting(8 output ${ctest} --output-on-failure -R "^hanging")
expect_text("${output}" "***Failed" "was not ready at the deadline of the whole run" "raise run.run_timeout")

# Shards: each entry in one, and run as if there were no shards.
set(ENV{GTEST_TOTAL_SHARDS} 3)
set(all "")
foreach(index RANGE 2)
  set(ENV{GTEST_SHARD_INDEX} ${index})
  run(output ${ctest} -N -R "^locked")
  string(REGEX MATCHALL "locked\\.[A-Za-z0-9_.]+" names "${output}")
  list(APPEND all ${names})
endforeach()
set(ENV{GTEST_SHARD_INDEX} 1)
launches(-R "^plain")
list(SORT all)
if(NOT all STREQUAL "locked.Cells.phi_4__ctx1024__n2;locked.Cells.phi_4__ctx1024__n4;locked.Cells.phi_4__ctx2048__n2;locked.Cells.phi_4__ctx2048__n4")
  message(FATAL_ERROR "three shards hold ${all}")
endif()
set(ENV{GTEST_SHARD_INDEX} 3)
run_expecting(8 output ${ctest} --output-on-failure -R "^plain")
expect_text("${output}" "plain_SWEEP_BROKEN" "found GTEST_TOTAL_SHARDS=\"3\" and GTEST_SHARD_INDEX=\"3\", expected both")
unset(ENV{GTEST_SHARD_INDEX})
unset(ENV{GTEST_TOTAL_SHARDS})

# What cannot be listed is one failing entry that says why.
run(output ${ctest} -N -R "_SWEEP_BROKEN|_NOT_BUILT")
expect_text("${output}" "nothing_SWEEP_BROKEN" "gone_SWEEP_BROKEN" "stranger_SWEEP_BROKEN" "Total Tests: 3")
run_expecting(8 output ${ctest} --output-on-failure -R "^nothing")
expect_text("${output}" "no cell selected, nothing was run" "phi-5")
run_expecting(8 output ${ctest} --output-on-failure -L "^nightly$")
expect_text("${output}" "no_such.yaml" "out of 1")
run_expecting(8 output ${ctest} --output-on-failure -R "^stranger")
expect_text("${output}" "--bi_test_print_ctest ended with 0:"
            "found no list of tests in what it printed; link bi_test::main, or call bi_test::Init in main()")
# Under a generator of several configurations ctest has to be told which.
run("" ${tools} -B "${SCRATCH}/multi" -G "Ninja Multi-Config")
run_expecting(8 output "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}/multi" --output-on-failure -R "^plain")
expect_text("${output}" "plain_NO_CONFIGURATION" "found configuration \"\"; run ctest with -C and one that was configured")
run(output "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}/multi" -C Debug -N -R "^plain")
expect_text("${output}" "plain.Cells.phi_4__ctx1024__n2" "Total Tests: 2")

# Calls that are wrong fail when the project is configured.
set(wrong
  "TARGET cells|found no SWEEP, expected TARGET <target> SWEEP <file>"
  "SWEEP a.yaml|found no TARGET, expected TARGET <target> SWEEP <file>"
  "TARGET cells SWEEP a.yaml TIME 3|found unknown arguments \"TIME"
  "TARGET sells SWEEP a.yaml|found no target \"sells\"\\; add it before the sweep"
  "TARGET cells SWEEP a.yaml TIMEOUT 29|found TIMEOUT \"29\", expected whole seconds, at least 30"
  "TARGET cells SWEEP a.yaml RESOURCE gpus|found RESOURCE \"gpus\", expected <type>:<slots> such as gpus:1"
  "TARGET cells SWEEP a.yaml)\\nbi_test_add_sweep(TARGET cells SWEEP b.yaml|found a second sweep called \"cells\"\\; give it a NAME")
foreach(row IN LISTS wrong)
  string(REGEX MATCH "^([^|]*)\\|(.*)$" matched "${row}")
  set(call "bi_test_add_sweep(${CMAKE_MATCH_1})")
  set(text "bi_test_add_sweep: ${CMAKE_MATCH_2}")
  string(REPLACE "\\n" "\n" call "${call}")
  run_expecting(1 output ${tools} -B "${SCRATCH}/wrong" -G Ninja "-DCASE=${call}")
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect_text("${output}" "${text}")
endforeach()
file(REMOVE_RECURSE "${SCRATCH}")
