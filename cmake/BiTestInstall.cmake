# What `cmake --install` puts where: libraries, public headers, the programs, and a package that
# find_package(bi_test CONFIG) finds after the tree was moved.
include(CMakePackageConfigHelpers)

# Public headers belong to the library that implements them.
file(GLOB headers CONFIGURE_DEPENDS "${bi_test_SOURCE_DIR}/include/bi_test/*.h")
set(owners config:sweep.h run:driver.h run:bi_test.h)
list(REMOVE_ITEM headers "${bi_test_SOURCE_DIR}/include/bi_test/spark.h")
if(BI_TEST_SPARK)
  list(APPEND owners spark:spark.h)
endif()
foreach(pair IN LISTS owners)
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 owner)
  list(GET pair 1 header)
  list(REMOVE_ITEM headers "${bi_test_SOURCE_DIR}/include/bi_test/${header}")
  target_sources(bi_test_${owner} PUBLIC
    FILE_SET HEADERS BASE_DIRS "${bi_test_SOURCE_DIR}/include"
    FILES "${bi_test_SOURCE_DIR}/include/bi_test/${header}")
endforeach()
target_sources(bi_test_core INTERFACE
  FILE_SET HEADERS BASE_DIRS "${bi_test_SOURCE_DIR}/include" "${bi_test_BINARY_DIR}/generated"
  FILES ${headers} "${bi_test_BINARY_DIR}/generated/bi_test/version.h")
foreach(layer IN ITEMS matchers fixtures)
  file(GLOB headers CONFIGURE_DEPENDS "${bi_test_SOURCE_DIR}/${layer}/bi_test/*.h")
  target_sources(bi_test_${layer} PUBLIC
    FILE_SET HEADERS BASE_DIRS "${bi_test_SOURCE_DIR}/${layer}" FILES ${headers})
endforeach()

set(with_headers bi_test_core bi_test_config bi_test_run bi_test_matchers bi_test_fixtures)
if(BI_TEST_SPARK)
  list(APPEND with_headers bi_test_spark)
endif()
# Each public header is compiled alone (target all_verify_interface_header_sets).
set_target_properties(${with_headers} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)

get_property(libraries GLOBAL PROPERTY BI_TEST_LIBRARIES)
list(REMOVE_ITEM libraries ${with_headers} bi_test_make_model)
install(TARGETS ${with_headers} EXPORT bi_test-targets FILE_SET HEADERS)
install(TARGETS ${libraries} EXPORT bi_test-targets)
install(TARGETS bi_test_cells bi_test_make_model_cli EXPORT bi_test-targets)
if(TARGET bi_test_cli)
  set_target_properties(bi_test_cli PROPERTIES EXPORT_NAME cli)
  install(TARGETS bi_test_cli EXPORT bi_test-targets)
endif()

include(BiTestPkgConfig)
foreach(target IN LISTS with_headers libraries)
  bi_test_install_pkg_config(${target})
endforeach()

# The manual, and what a reader of certs in another language needs.
install(DIRECTORY "${bi_test_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.json")

# Before version 0.8 the target of yaml-cpp has no namespace.
get_target_property(aliased yaml-cpp::yaml-cpp ALIASED_TARGET)
if(aliased)
  set(BI_TEST_YAML_CPP_TARGET "${aliased}")
else()
  set(BI_TEST_YAML_CPP_TARGET yaml-cpp::yaml-cpp)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/bi_test")
install(EXPORT bi_test-targets NAMESPACE bi_test:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/bi_test-config.cmake.in
  "${bi_test_BINARY_DIR}/generated/bi_test-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${bi_test_BINARY_DIR}/generated/bi_test-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${bi_test_BINARY_DIR}/generated/bi_test-config.cmake"
  "${bi_test_BINARY_DIR}/generated/bi_test-config-version.cmake"
  "${bi_test_SOURCE_DIR}/cmake/BiTestAddSweep.cmake"
  "${bi_test_SOURCE_DIR}/cmake/BiTestSweepTests.cmake"
  "${bi_test_SOURCE_DIR}/cmake/Findre2.cmake"
  DESTINATION "${package_dir}")

if(PROJECT_IS_TOP_LEVEL)
  include(BiTestPackage)
endif()
