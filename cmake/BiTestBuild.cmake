# How bi_test's own code is compiled: standard, warnings, compiler cache.

add_library(bi_test_build_flags INTERFACE)
target_compile_options(bi_test_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${BI_TEST_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 takes the growth of short std::string sums for overlapping copies (GCC bug 105329).
  target_compile_options(bi_test_build_flags INTERFACE -Wno-restrict)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  find_program(BI_TEST_CCACHE ccache)
  if(BI_TEST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${BI_TEST_CCACHE}")
  endif()
endif()

# bi_test_library(NAME verdict [INTERFACE] [SOURCES ...] [PUBLIC_DEPS ...] [PRIVATE_DEPS ...])
#
# A static library target bi_test_NAME with alias and export name bi_test::NAME, made of SOURCES or else of
# all in the calling folder and in those below it that have no CMakeLists.txt of their own; with INTERFACE,
# a name for other libraries. Public headers are found through <bi_test/...>, others through "folder/file.h".
function(bi_test_library)
  cmake_parse_arguments(ARG "INTERFACE" "NAME" "SOURCES;PUBLIC_DEPS;PRIVATE_DEPS" ${ARGN})
  set(target bi_test_${ARG_NAME})
  if(ARG_INTERFACE)
    add_library(${target} INTERFACE)
    set(PUBLIC INTERFACE)
  else()
    set(sources "${ARG_SOURCES}")
    if(NOT sources)
      file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
      file(GLOB folders CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*/")
      foreach(folder IN LISTS folders)
        if(IS_DIRECTORY "${folder}" AND NOT EXISTS "${folder}/CMakeLists.txt")
          file(GLOB below CONFIGURE_DEPENDS "${folder}/*.cc")
          list(APPEND sources ${below})
        endif()
      endforeach()
    endif()
    add_library(${target} STATIC ${sources})
    set(PUBLIC PUBLIC)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PRIVATE "${bi_test_SOURCE_DIR}/src")
    target_link_libraries(${target}
      PRIVATE ${ARG_PRIVATE_DEPS} $<BUILD_INTERFACE:bi_test_build_flags>)
  endif()
  add_library(bi_test::${ARG_NAME} ALIAS ${target})
  target_compile_features(${target} ${PUBLIC} cxx_std_20)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ARG_NAME})
  target_include_directories(${target}
    ${PUBLIC} "$<BUILD_INTERFACE:${bi_test_SOURCE_DIR}/include>"
              "$<BUILD_INTERFACE:${bi_test_BINARY_DIR}/generated>"
              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} ${PUBLIC} ${ARG_PUBLIC_DEPS})
  set_property(GLOBAL APPEND PROPERTY BI_TEST_LIBRARIES ${target})
endfunction()

# A program of ours registers the component spark, where there is one.
function(bi_test_with_spark program)
  if(BI_TEST_SPARK)
    target_link_libraries(${program} PRIVATE bi_test_spark)
    target_compile_definitions(${program} PRIVATE BI_TEST_WITH_SPARK)
  endif()
endfunction()
