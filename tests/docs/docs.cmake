# The documentation against the code (docs/README.md, "The examples are tested").
set(docs_dir "${CMAKE_CURRENT_LIST_DIR}")
include("${docs_dir}/cpp_examples.cmake")

file(GLOB_RECURSE docs_pages CONFIGURE_DEPENDS "${bi_test_SOURCE_DIR}/docs/*.md")
list(PREPEND docs_pages "${bi_test_SOURCE_DIR}/README.md")
set(docs_compiled "${bi_test_BINARY_DIR}/generated/docs_examples.txt")
bi_test_cpp_examples(docs_examples docs_internal_examples "${docs_compiled}" ${docs_pages})

# What a reader may include, and no precompiled header that would hide a missing include.
add_library(bi_test_docs_examples OBJECT ${docs_examples})
target_link_libraries(bi_test_docs_examples PRIVATE bi_test::main bi_test_build_flags)
add_library(bi_test_docs_internal_examples OBJECT ${docs_internal_examples})
target_link_libraries(bi_test_docs_internal_examples PRIVATE bi_test_server bi_test_build_flags)
target_include_directories(bi_test_docs_internal_examples PRIVATE "${bi_test_SOURCE_DIR}/src")
foreach(library IN ITEMS bi_test_docs_examples bi_test_docs_internal_examples)
  target_compile_features(${library} PRIVATE cxx_std_20)
  target_compile_options(${library} PRIVATE $<$<CONFIG:Release>:-O0>)
  set_target_properties(${library} PROPERTIES CXX_EXTENSIONS OFF)
endforeach()

foreach(name IN ITEMS docs_pages_test docs_reference_test docs_commands_test)
  bi_test_add_test(NAME ${name}
                   SOURCES "${docs_dir}/${name}.cc" "${docs_dir}/markdown.cc"
                   DEPS bi_test_fixtures bi_test_run bi_test_report bi_test_config bi_test_http bi_test_trace
                        yaml-cpp::yaml-cpp
                   LABELS docs TIMEOUT 300)
  target_include_directories(${name} PRIVATE "${bi_test_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    BI_TEST_SOURCE_DIR="${bi_test_SOURCE_DIR}"
    BI_TEST_PROGRAM="$<TARGET_FILE:bi_test_cli>"
    BI_TEST_DOCS_COMPILED="${docs_compiled}")
  add_dependencies(${name} bi_test_cli bi_test_make_model_cli bi_test_docs_examples bi_test_docs_internal_examples)
endforeach()
bi_test_with_spark(docs_pages_test)
# It installs the package.
get_property(libraries GLOBAL PROPERTY BI_TEST_LIBRARIES)
add_dependencies(docs_commands_test ${libraries} bi_test_cells)
set_property(TEST docs_commands_test PROPERTY LABELS docs e2e)
set_property(TEST docs_commands_test PROPERTY TIMEOUT 900)
set_property(TEST docs_commands_test PROPERTY RUN_SERIAL TRUE)
target_compile_definitions(docs_commands_test PRIVATE
  BI_TEST_BUILD_DIR="${bi_test_BINARY_DIR}"
  BI_TEST_SERVER="${BI_TEST_LLAMA_SERVER}"
  BI_TEST_CMAKE="${CMAKE_COMMAND}"
  BI_TEST_CXX="${CMAKE_CXX_COMPILER}"
  BI_TEST_CXX_FLAGS="${CMAKE_CXX_FLAGS}"
  BI_TEST_GENERATOR="${CMAKE_GENERATOR}"
  BI_TEST_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER}")
