# Finds RE2 and makes the target re2::re2. RE2 built with CMake has a package, which also brings the Abseil
# that it needs since 2023. Any other build, Debian 12's among them, is headers, a library, a pkg-config file.
# Sets re2_FOUND and, without a package, re2_INCLUDE_DIR and re2_LIBRARY. Installed beside bi_test's package.
include(FindPackageHandleStandardArgs)

find_package(re2 CONFIG QUIET)
if(re2_FOUND)
  find_package_handle_standard_args(re2 CONFIG_MODE)
  return()
endif()

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_re2 QUIET re2)
endif()
find_path(re2_INCLUDE_DIR re2/re2.h HINTS ${PC_re2_INCLUDE_DIRS})
find_library(re2_LIBRARY re2 HINTS ${PC_re2_LIBRARY_DIRS})
mark_as_advanced(re2_INCLUDE_DIR re2_LIBRARY)
find_package_handle_standard_args(re2 REQUIRED_VARS re2_LIBRARY re2_INCLUDE_DIR)
if(re2_FOUND AND NOT TARGET re2::re2)
  find_package(Threads QUIET)
  set(re2_NEEDS Threads::Threads)
  if(re2_LIBRARY IN_LIST PC_re2_LINK_LIBRARIES)  # of this very RE2; since 2023 it names Abseil
    list(APPEND re2_NEEDS ${PC_re2_LINK_LIBRARIES})
    list(REMOVE_ITEM re2_NEEDS "${re2_LIBRARY}")
  endif()
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION "${re2_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${re2_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${re2_NEEDS}")
  unset(re2_NEEDS)
endif()
