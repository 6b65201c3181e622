# One pkg-config file per installed library, `bi_test-<name>.pc`, made from the targets, so that it
# cannot fall behind them. bi_test has static libraries only: a program needs everything below them
# whether or not `--static` is given, hence Requires and not Requires.private.

# Where a file in libdir/pkgconfig finds the prefix: relative to itself, so that the tree may be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(BI_TEST_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(BI_TEST_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(kind IN ITEMS LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    set(BI_TEST_PC_${kind} "${CMAKE_INSTALL_${kind}}")
  else()
    set(BI_TEST_PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()

set(bi_test_pc_GTest::gmock gmock)
set(bi_test_pc_CURL::libcurl libcurl)
set(bi_test_pc_OpenSSL::Crypto libcrypto)
set(bi_test_pc_yaml-cpp::yaml-cpp yaml-cpp)
set(bi_test_pc_re2::re2 re2)

# bi_test_install_pkg_config(<library target>)
function(bi_test_install_pkg_config target)
  get_target_property(name ${target} EXPORT_NAME)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    get_target_property(dependencies ${target} INTERFACE_LINK_LIBRARIES)
    set(libs "")
  else()
    get_target_property(dependencies ${target} LINK_LIBRARIES)
    set(libs "-L\${libdir} -l${target}")
  endif()
  set(requires "")
  set(flags "")
  foreach(dependency IN LISTS dependencies)
    if(dependency MATCHES "^\\$<BUILD_INTERFACE:")
      continue()
    elseif(dependency STREQUAL "Threads::Threads")
      set(flags " -pthread")
    elseif(dependency MATCHES "^bi_test(_|::)(.+)$")
      list(APPEND requires "bi_test-${CMAKE_MATCH_2} = ${bi_test_VERSION}")
    elseif(DEFINED bi_test_pc_${dependency})
      list(APPEND requires "${bi_test_pc_${dependency}}")
    else()
      message(FATAL_ERROR "${target} links ${dependency}, which BiTestPkgConfig.cmake does not know")
    endif()
  endforeach()
  list(JOIN requires ", " requires)
  set(file "${bi_test_BINARY_DIR}/generated/bi_test-${name}.pc")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
prefix=@BI_TEST_PC_PREFIX@
libdir=@BI_TEST_PC_LIBDIR@
includedir=@BI_TEST_PC_INCLUDEDIR@

Name: bi_test-@name@
Description: @bi_test_DESCRIPTION@ (@name@)
Version: @bi_test_VERSION@
Requires: @requires@
Libs: @libs@@flags@
Cflags: -I${includedir}
]])
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
