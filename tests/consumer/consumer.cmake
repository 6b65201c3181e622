# bi_test used from outside, and the rules that keep its parts apart.
set(consumer_tools
  "-DROOT=${bi_test_SOURCE_DIR}" "-DBUILD=${bi_test_BINARY_DIR}" "-DGENERATOR=${CMAKE_GENERATOR}"
  "-DCOMPILER=${CMAKE_CXX_COMPILER}" "-DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
  "-DFLAGS=${CMAKE_CXX_FLAGS}" "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}" "-DWERROR=${BI_TEST_WERROR}")

# bi_test_add_script_test(<name> <script> <timeout> [variables]...)
function(bi_test_add_script_test name script timeout)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" ${consumer_tools}
           "-DSCRATCH=${bi_test_BINARY_DIR}/consumer/${name}" ${ARGN}
           -P "${bi_test_SOURCE_DIR}/tests/consumer/scripts/${script}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS consumer RUN_SERIAL TRUE)
endfunction()

bi_test_add_script_test(contract_cases_test contract_cases.cmake 60)
bi_test_add_script_test(sweeps_test sweeps.cmake 300 "-DCMAKE_CTEST_COMMAND=${CMAKE_CTEST_COMMAND}")
bi_test_add_script_test(core_only_test core_only.cmake 1800)
if(BI_TEST_INSTALL)
  bi_test_add_script_test(install_test use_bi_test.cmake 1800 -DMODE=package)
  bi_test_add_script_test(public_includes_test public_includes.cmake 300)
  bi_test_add_script_test(deb_package_test deb_package.cmake 900 "-DCMAKE_CPACK_COMMAND=${CMAKE_CPACK_COMMAND}")
  bi_test_add_script_test(vcpkg_port_test vcpkg_port.cmake 300)
  find_program(BI_TEST_PYTHON python3 DOC "Runs the Conan recipe's test (scripts/install-packages test)")
  bi_test_add_script_test(conan_recipe_test conan_recipe.cmake 600 "-DPYTHON=${BI_TEST_PYTHON}")
  # Each public header compiles alone. Runs the build tool, hence alone.
  add_test(NAME public_headers_test COMMAND "${CMAKE_COMMAND}" --build "${bi_test_BINARY_DIR}"
           --target all_verify_interface_header_sets)
  set_tests_properties(public_headers_test PROPERTIES TIMEOUT 1800 LABELS consumer RUN_SERIAL TRUE)
endif()
bi_test_add_script_test(fetch_content_test use_bi_test.cmake 1800 -DMODE=source)

# With the newest GoogleTest there is. Fails without one: a skipped test would look like a pass.
set(BI_TEST_GOOGLETEST "$ENV{BI_TEST_GOOGLETEST}" CACHE PATH
    "Sources of a newer GoogleTest for newest_googletest_test (scripts/get-googletest)")
bi_test_add_script_test(newest_googletest_test newest_googletest.cmake 900
                        "-DGOOGLETEST=${BI_TEST_GOOGLETEST}"
                        "-DPROGRAM_TEST=$<TARGET_FILE:fixtures_program_test>")
