# An overlay port inside of the repository it builds:
#   vcpkg install bi-test --overlay-ports=<this repository>/packaging/vcpkg
# A registry would have vcpkg_from_github() here instead.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DBI_TEST_BUILD_TESTS=OFF
    -DBI_TEST_BUILD_BENCHMARKS=OFF
    -DBI_TEST_WERROR=OFF
    -DBI_TEST_SPARK=OFF
    -DBI_TEST_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME bi_test CONFIG_PATH lib/cmake/bi_test)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES bi-test bi-test-make-model bi_test_cells AUTO_CLEAN)

file(REMOVE_RECURSE
  "${CURRENT_PACKAGES_DIR}/debug/include"
  "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
