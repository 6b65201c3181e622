bi_test_add_test(
  NAME make_model_test
  SOURCES
    "${CMAKE_CURRENT_LIST_DIR}/make_model_main_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_margin_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_numbers_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_spec_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_testing.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_vocab_test.cc"
    "${CMAKE_CURRENT_LIST_DIR}/make_model_write_test.cc"
  DEPS bi_test_make_model OpenSSL::Crypto
  LABELS unit)
