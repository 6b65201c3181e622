bi_test_add_test(
  NAME wire_http_test
  SOURCES wire/http_multi_test.cc wire/wire_replay_test.cc support/scripted_server.cc
  DEPS bi_test::http bi_test::trace
  LABELS wire threads)
bi_test_add_test(
  NAME wire_chat_reply_test
  SOURCES wire/chat_reply_test.cc
  DEPS bi_test::http bi_test::trace
  LABELS wire)
bi_test_add_test(
  NAME wire_trace_test
  SOURCES wire/trace_test.cc wire/trace_property_test.cc wire/atomic_file_test.cc
  DEPS bi_test::http bi_test::trace
  LABELS wire)
bi_test_add_test(
  NAME cert_schema_test
  SOURCES wire/cert_schema_test.cc
  DEPS bi_test::core bi_test::trace
  LABELS wire)
target_compile_definitions(cert_schema_test PRIVATE
  BI_TEST_CERT_SCHEMA="${bi_test_SOURCE_DIR}/docs/cert.schema.json")
