# The pure folders: base, verdict, cert, scorers.
set(unit "${CMAKE_CURRENT_LIST_DIR}")

bi_test_add_test(
  NAME base_test
  SOURCES "${unit}/base_json_test.cc" "${unit}/base_json_reader_test.cc"
          "${unit}/base_equality_test.cc" "${unit}/base_text_test.cc"
          "${unit}/base_utc_time_test.cc" "${unit}/base_blake2b_test.cc"
          "${unit}/base_seeded_random_test.cc"
  DEPS bi_test_base
  LABELS unit)

bi_test_add_test(
  NAME verdict_compare_test
  SOURCES "${unit}/verdict_cell_test.cc" "${unit}/verdict_policy_test.cc"
          "${unit}/verdict_policy_json_test.cc" "${unit}/verdict_record_index_test.cc"
          "${unit}/verdict_trial_fields_test.cc" "${unit}/verdict_row_compare_test.cc"
          "${unit}/verdict_pair_report_test.cc" "${unit}/verdict_pass_union_test.cc"
          "${unit}/verdict_overlap_test.cc" "${unit}/verdict_coverage_test.cc"
          "${unit}/verdict_width_test.cc" "${unit}/verdict_drift_test.cc"
          "${unit}/verdict_divergence_test.cc" "${unit}/verdict_request_checks_test.cc"
          "${unit}/verdict_statistics_test.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME verdict_judge_test
  SOURCES "${unit}/verdict_rows_test.cc" "${unit}/verdict_judge_arms_test.cc"
          "${unit}/verdict_judge_evidence_test.cc" "${unit}/verdict_judge_record_test.cc"
          "${unit}/verdict_judge_text_test.cc" "${unit}/verdict_positive_control_test.cc"
          "${unit}/verdict_sample_statistics_test.cc" "${unit}/verdict_replay_test.cc"
          "${unit}/verdict_reasons_test.cc" "${unit}/verdict_divergence_list_test.cc"
          "${unit}/judge_scenarios.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME cert_test
  SOURCES "${unit}/cert_advice_test.cc" "${unit}/cert_test.cc" "${unit}/cert_check_test.cc"
          "${unit}/cert_explain_clauses_test.cc" "${unit}/cert_explain_test.cc"
          "${unit}/cert_limits_test.cc" "${unit}/cert_model_name_test.cc"
          "${unit}/cert_printing_test.cc" "${unit}/cert_promotion_test.cc"
          "${unit}/cert_promotion_numbers_test.cc" "${unit}/cert_read_test.cc"
          "${unit}/cert_throughput_test.cc"
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME scorers_test
  SOURCES "${unit}/scorers_scoring_test.cc" "${unit}/scorers_built_in_test.cc"
          "${unit}/scorers_regex_test.cc" "${unit}/scorers_answer_json_test.cc"
  DEPS bi_test::core
  LABELS unit)

# All of the above in one program, for scripts/mutate: one link per planted fault.
add_executable(pure_all_test EXCLUDE_FROM_ALL)
foreach(test IN ITEMS base_test verdict_compare_test verdict_judge_test cert_test scorers_test)
  get_target_property(sources ${test} SOURCES)
  target_sources(pure_all_test PRIVATE ${sources})
endforeach()
# Two files that are as pure, whose folders are not.
target_sources(pure_all_test PRIVATE
               "${unit}/dispatch_test.cc" "${bi_test_SOURCE_DIR}/src/run/dispatch.cc"
               "${bi_test_SOURCE_DIR}/src/config/worksets/item_identity.cc")
set_target_properties(pure_all_test PROPERTIES CXX_EXTENSIONS OFF)
target_compile_features(pure_all_test PRIVATE cxx_std_20)
target_compile_options(pure_all_test PRIVATE ${bi_test_test_options})
target_precompile_headers(pure_all_test REUSE_FROM bi_test_test_pch)
target_include_directories(pure_all_test PRIVATE "${bi_test_SOURCE_DIR}/src"
                                                 "${bi_test_SOURCE_DIR}/tests")
target_link_libraries(pure_all_test PRIVATE bi_test_test_support bi_test::core GTest::gmock
                                            GTest::gmock_main GTest::gtest bi_test_build_flags)
