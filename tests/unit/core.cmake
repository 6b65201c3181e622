set(unit "${CMAKE_CURRENT_LIST_DIR}")
set(core_records "${unit}/../support/records.cc")

bi_test_add_test(
  NAME core_values_test
  SOURCES "${unit}/core_json_test.cc" "${unit}/core_equality_test.cc" "${unit}/core_text_test.cc"
          "${unit}/core_cell_test.cc" "${unit}/core_policy_test.cc" "${unit}/core_utc_time_test.cc"
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
          "${unit}/core_divergence_test.cc" "${unit}/core_record_index_test.cc" ${core_records}
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_judge_test
  SOURCES "${unit}/core_verdict_rows_test.cc" "${unit}/core_judge_test.cc"
          "${unit}/core_replay_test.cc" ${core_records}
  DEPS bi_test::core
  LABELS unit)

bi_test_add_test(
  NAME core_cert_test
  SOURCES "${unit}/core_cert_test.cc" "${unit}/core_promotion_test.cc"
          "${unit}/core_cert_check_test.cc" ${core_records}
  DEPS bi_test::core
  LABELS unit)
