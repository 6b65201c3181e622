# The sample repository against the installed package, its recipes included.
if(BI_TEST_INSTALL)
  add_executable(bi_test_yaml_blocks "${bi_test_SOURCE_DIR}/tests/support/yaml_blocks.cc")
  target_link_libraries(bi_test_yaml_blocks PRIVATE yaml-cpp::yaml-cpp bi_test_build_flags)
  target_compile_features(bi_test_yaml_blocks PRIVATE cxx_std_20)
  add_test(NAME onboarding_sample_test
           COMMAND "${CMAKE_COMMAND}" ${consumer_tools}
                   "-DSCRATCH=${bi_test_BINARY_DIR}/consumer/onboarding_sample_test"
                   "-DSERVER=${BI_TEST_LLAMA_SERVER}" "-DYAML_BLOCKS=$<TARGET_FILE:bi_test_yaml_blocks>"
                   -P "${CMAKE_CURRENT_LIST_DIR}/onboarding/run.cmake")
  set_tests_properties(onboarding_sample_test PROPERTIES LABELS "e2e;consumer" TIMEOUT 900
                                                         RUN_SERIAL TRUE)
endif()
