# `cpack -G DEB`: what the package says and holds, and a consumer built from it, unpacked into a folder
# of its own. Run with the variables of use_bi_test.cmake.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${SCRATCH}")

run("" "${CMAKE_CPACK_COMMAND}" -G DEB --config "${BUILD}/CPackConfig.cmake" -B "${SCRATCH}/deb")
file(GLOB packages "${SCRATCH}/deb/*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "found ${count} packages, expected 1: ${packages}")
endif()
run(version "${BUILD}/bin/bi-test" --version)
if(NOT version MATCHES "([0-9]+\\.[0-9]+\\.[0-9]+)")
  message(FATAL_ERROR "bi-test --version printed \"${version}\"")
endif()
set(version "${CMAKE_MATCH_1}")
run(architecture dpkg --print-architecture)
string(STRIP "${architecture}" architecture)
get_filename_component(name "${packages}" NAME)
if(NOT name STREQUAL "libbi-test-dev_${version}-1_${architecture}.deb")
  message(FATAL_ERROR "the package file is called ${name}")
endif()

# expect_field(<field> <regular expression for all of it>)
function(expect_field field pattern)
  run(value dpkg-deb -f "${packages}" ${field})
  string(STRIP "${value}" value)
  if(NOT value MATCHES "^(${pattern})$")
    message(FATAL_ERROR "${field}: found \"${value}\", expected ${pattern}")
  endif()
endfunction()
expect_field(Package libbi-test-dev)
expect_field(Version "${version}-1")
expect_field(Architecture "${architecture}")
expect_field(Section libdevel)
expect_field(Priority optional)
expect_field(Maintainer "[^<>]+ <[^<>@ ]+@[^<>@ ]+>")
expect_field(Recommends "cmake \\(>= 3\\.25\\), pkg-config")
expect_field(Installed-Size "[0-9]+")
run(description dpkg-deb -f "${packages}" Description)
if(NOT description MATCHES "^GoogleTest plugin [^\n]+\n( [^\n]+\n)+$")
  message(FATAL_ERROR "Description: found \"${description}\"")
endif()
run(depends dpkg-deb -f "${packages}" Depends)
string(STRIP "${depends}" depends)
expect_text("${depends}" "libc6 (>= " "libstdc++6 (>= " "libcurl4" "libssl3" "libyaml-cpp0" "libre2-9"
            "libgmock-dev (>= 1." "libgmock-dev (<< 1." "libcurl4-openssl-dev | libcurl4-gnutls-dev"
            "libyaml-cpp-dev" "libssl-dev" "libre2-dev")
# This machine built it, so it meets them, in these very versions.
run("" dpkg-checkbuilddeps -d "${depends}" /dev/null)

# Everything below /usr, root's, and readable by all.
run(listing dpkg-deb -c "${packages}")
string(REGEX REPLACE "\n$" "" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root/root +[0-9]+ [^ ]+ [^ ]+ \\./(usr/.*)?$")
    message(SEND_ERROR "in the package: ${line}")
  elseif(line MATCHES "^-rwx" AND NOT line MATCHES " \\./usr/bin/")
    message(SEND_ERROR "executable outside of /usr/bin: ${line}")
  endif()
endforeach()
expect_text("${listing}" "./usr/bin/bi-test\n" "./usr/bin/bi-test-make-model\n" "./usr/bin/bi_test_cells\n"
            "./usr/include/bi_test/cell_test.h\n" "/cmake/bi_test/bi_test-config.cmake\n"
            "/cmake/bi_test/BiTestAddSweep.cmake\n" "/cmake/bi_test/Findre2.cmake\n"
            "/pkgconfig/bi_test-main.pc\n" "/libbi_test_verdict.a\n"
            "./usr/share/doc/libbi-test-dev/copyright"
            "./usr/share/doc/libbi-test-dev/changelog.Debian.gz")
run("" dpkg-deb -e "${packages}" "${SCRATCH}/control")
file(GLOB control RELATIVE "${SCRATCH}/control" "${SCRATCH}/control/*")
if(NOT control STREQUAL "control;md5sums")
  message(FATAL_ERROR "control files: ${control}")
endif()

run("" dpkg-deb -x "${packages}" "${SCRATCH}/root")
# The checksums are those of the files, and no file tells where it was built.
execute_process(COMMAND md5sum --check --quiet "${SCRATCH}/control/md5sums"
                WORKING_DIRECTORY "${SCRATCH}/root" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE texts "${SCRATCH}/root/*.cmake" "${SCRATCH}/root/*.pc")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  expect_no_text("${text}" "${BUILD}" "${ROOT}" "${SCRATCH}" "/usr/local")
endforeach()
run(output "${SCRATCH}/root/usr/bin/bi-test" --version)
expect_text("${output}" "${version}")

file(COPY "${ROOT}/tests/consumer/project/" DESTINATION "${SCRATCH}/project")
file(WRITE "${SCRATCH}/project/a.gguf" "")
file(WRITE "${SCRATCH}/project/b.gguf" "")
configure_consumer("${SCRATCH}/project" "${SCRATCH}/build" "-DCMAKE_PREFIX_PATH=${SCRATCH}/root/usr")
run("" "${CMAKE_COMMAND}" --build "${SCRATCH}/build")
run("" "${SCRATCH}/build/plain")
run(output "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}/build" -N)
expect_text("${output}" "onboarding.Onboarding.phi_4__ctx4096__n4" "ready.Cells.phi_4__ctx4096__n2"
            "Total Tests: 8")
file(REMOVE_RECURSE "${SCRATCH}")
