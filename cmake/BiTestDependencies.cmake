# Everything bi_test links, found once. A target the parent project already has is taken as it is.

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(CURL REQUIRED)

if(NOT TARGET GTest::gmock)
  find_package(GTest CONFIG REQUIRED GLOBAL)
endif()

if(NOT TARGET yaml-cpp::yaml-cpp)
  find_package(yaml-cpp REQUIRED)
  if(NOT TARGET yaml-cpp::yaml-cpp)  # before 0.8 the target has no namespace
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
  endif()
endif()

if(NOT TARGET re2::re2)
  find_package(re2 REQUIRED)  # by Findre2.cmake
endif()

find_package(RapidJSON REQUIRED)  # headers only; Debian's package defines no target
find_package(CLI11 REQUIRED)
