bi_test_add_test(NAME run_test
                 SOURCES unit/run_dispatch_test.cc unit/run_outcome_test.cc
                         unit/run_files_test.cc unit/run_attempts_test.cc
                         unit/run_baseline_store_test.cc unit/run_made_workset_test.cc
                         unit/run_subject_test.cc unit/dispatch_test.cc
                 DEPS bi_test_run bi_test_server bi_test_config bi_test_http bi_test_trace bi_test_core
                 LABELS unit)
bi_test_add_test(NAME run_scorer_test
                 SOURCES unit/run_scorer_test.cc
                 DEPS bi_test_run bi_test_server bi_test_config bi_test_http bi_test_trace bi_test_core
                 LABELS unit)
target_compile_definitions(run_scorer_test PRIVATE BI_TEST_SOURCE_DIR="${bi_test_SOURCE_DIR}")
bi_test_add_test(NAME run_mock_test
                 SOURCES unit/run_mock_test.cc
                 DEPS bi_test_mock bi_test_run bi_test_config bi_test_matchers
                 LABELS mock threads TIMEOUT 300)
bi_test_add_test(NAME run_ready_mock_test
                 SOURCES unit/run_ready_mock_test.cc
                 DEPS bi_test_mock bi_test_run bi_test_config
                 LABELS mock threads TIMEOUT 300)
