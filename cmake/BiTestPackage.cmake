# `cpack -G DEB` in the build folder: one package, libbi-test-dev, with libraries, headers, CMake and
# pkg-config files and the programs.
set(CPACK_PACKAGE_NAME libbi-test-dev)
set(CPACK_PACKAGE_VENDOR "the bi_test authors")
set(CPACK_PACKAGE_CONTACT "the bi_test authors <bi-test@localhost>" CACHE STRING
    "Maintainer field of the Debian package: name <address>")
set(CPACK_PACKAGE_VERSION "${bi_test_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${bi_test_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Serves the prompts of a work-set one at a time and N at once on a server it
starts itself, and says, per model, context and N, whether both gave exactly
the same outputs: as a GoogleTest test and as a JSON certificate. Holds the
libraries, the gMock matchers, the CMake function bi_test_add_sweep() and the
programs bi-test, bi-test-make-model and bi_test_cells.")
# The programs' own libraries come from dpkg-shlibdeps; the archives need the development packages.
# GoogleTest promises no stable binary interface, so the archives fit only the version they were
# built with.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(depends "libcurl4-openssl-dev | libcurl4-gnutls-dev" libyaml-cpp-dev libssl-dev libre2-dev)
if(GTest_VERSION MATCHES "^([0-9]+)\\.([0-9]+)")
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  list(PREPEND depends "libgmock-dev (>= ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})"
                       "libgmock-dev (<< ${CMAKE_MATCH_1}.${next}~)")
else()
  list(PREPEND depends libgmock-dev)
endif()
list(JOIN depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.25), pkg-config")

# What Debian wants beside it, in a component of its own so that `cmake --install` leaves it out.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file("${bi_test_SOURCE_DIR}/packaging/debian/changelog.in"
               "${bi_test_BINARY_DIR}/generated/changelog" @ONLY)
find_program(BI_TEST_GZIP gzip REQUIRED)
execute_process(COMMAND "${BI_TEST_GZIP}" -9nc "${bi_test_BINARY_DIR}/generated/changelog"
                OUTPUT_FILE "${bi_test_BINARY_DIR}/generated/changelog.Debian.gz"
                COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_INSTALL_CMAKE_PROJECTS "${bi_test_BINARY_DIR};bi_test;Unspecified;/"
                                 "${bi_test_BINARY_DIR};bi_test;debian;/")
install(FILES "${bi_test_BINARY_DIR}/generated/changelog.Debian.gz"
              "${bi_test_SOURCE_DIR}/packaging/debian/copyright"
        DESTINATION share/doc/libbi-test-dev COMPONENT debian EXCLUDE_FROM_ALL)
include(CPack)
