# The scripted stand-in for llama-server, a program that tests give as the server binary.
add_executable(bi_test_stub_server
  "${bi_test_SOURCE_DIR}/tests/support/stub_server.cc"
  "${bi_test_SOURCE_DIR}/tests/support/stub/act_player.cc"
  "${bi_test_SOURCE_DIR}/tests/support/stub/engine.cc"
  "${bi_test_SOURCE_DIR}/tests/support/stub/pages.cc"
  "${bi_test_SOURCE_DIR}/tests/support/stub/rules.cc"
  "${bi_test_SOURCE_DIR}/tests/support/stub/script.cc")
target_compile_features(bi_test_stub_server PRIVATE cxx_std_20)
set_target_properties(bi_test_stub_server PROPERTIES CXX_EXTENSIONS OFF)
target_include_directories(bi_test_stub_server PRIVATE "${bi_test_SOURCE_DIR}/src"
                                                       "${bi_test_SOURCE_DIR}/tests")
target_link_libraries(bi_test_stub_server PRIVATE bi_test_http bi_test_trace Threads::Threads bi_test_build_flags)
