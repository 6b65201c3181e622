set(unit "${CMAKE_CURRENT_LIST_DIR}")

bi_test_add_test(
  NAME base_test
  SOURCES "${unit}/base_json_test.cc" "${unit}/base_json_reader_test.cc"
          "${unit}/base_equality_test.cc" "${unit}/base_text_test.cc"
          "${unit}/base_utc_time_test.cc"
  DEPS bi_test_base
  LABELS unit)

bi_test_add_test(
  NAME core_values_test
  SOURCES "${unit}/core_text_test.cc" "${unit}/core_cell_test.cc" "${unit}/core_policy_test.cc"
          "${unit}/core_policy_json_test.cc" "${unit}/core_printing_test.cc"
          "${unit}/core_cert_limits_test.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_statistics_test
  SOURCES "${unit}/core_statistics_test.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_rows_test
  SOURCES "${unit}/core_row_compare_test.cc" "${unit}/core_pair_report_test.cc"
          "${unit}/core_pass_union_test.cc" "${unit}/core_overlap_test.cc"
          "${unit}/core_coverage_test.cc" "${unit}/core_width_test.cc" "${unit}/core_drift_test.cc"
          "${unit}/core_divergence_test.cc" "${unit}/core_record_index_test.cc"
          "${unit}/core_survey_test.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_judge_test
  SOURCES "${unit}/core_verdict_rows_test.cc" "${unit}/core_judge_arms_test.cc"
          "${unit}/core_judge_evidence_test.cc" "${unit}/core_judge_record_test.cc"
          "${unit}/core_judge_text_test.cc" "${unit}/core_positive_control_test.cc"
          "${unit}/core_sample_test.cc" "${unit}/core_replay_test.cc"
          "${unit}/core_reasons_test.cc" "${unit}/core_scored_test.cc"
          "${unit}/core_spots_test.cc"
          "${unit}/judge_scenarios.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_cert_test
  SOURCES "${unit}/core_cert_test.cc" "${unit}/core_promotion_test.cc" "${unit}/core_throughput_test.cc" "${unit}/core_promotion_numbers_test.cc"
          "${unit}/core_cert_check_test.cc" "${unit}/core_explain_cert_test.cc"
  DEPS bi_test::core
  LABELS unit)

# All of the above in one program, for scripts/mutate: one link per planted fault.
add_executable(core_all_test EXCLUDE_FROM_ALL)
foreach(test IN ITEMS base_test core_values_test core_statistics_test core_rows_test core_judge_test
                      core_cert_test)
  get_target_property(sources ${test} SOURCES)
  target_sources(core_all_test PRIVATE ${sources})
endforeach()
target_sources(core_all_test PRIVATE "${unit}/scoring_test.cc"
                                     "${unit}/core_scorers_test.cc" "${unit}/core_regex_test.cc"
                                     "${unit}/scorers_answer_json_test.cc")
set_target_properties(core_all_test PROPERTIES CXX_EXTENSIONS OFF)
target_compile_features(core_all_test PRIVATE cxx_std_20)
target_compile_options(core_all_test PRIVATE ${bi_test_test_options})
target_precompile_headers(core_all_test REUSE_FROM bi_test_test_pch)
target_include_directories(core_all_test PRIVATE "${bi_test_SOURCE_DIR}/src"
                                                 "${bi_test_SOURCE_DIR}/tests")
target_link_libraries(core_all_test PRIVATE bi_test_test_support bi_test::core GTest::gmock GTest::gmock_main
                                            GTest::gtest bi_test_build_flags)
