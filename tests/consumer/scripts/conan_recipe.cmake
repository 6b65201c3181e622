# The Conan recipe without Conan: see packaging/conan_recipe.py; then the sources it exports are
# configured as it says. Run with the variables of use_bi_test.cmake and PYTHON.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${SCRATCH}")
run("" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix")
run(options "${PYTHON}" -B "${ROOT}/tests/consumer/packaging/conan_recipe.py" "${ROOT}" "${SCRATCH}"
    "${SCRATCH}/prefix")
string(REGEX REPLACE "\n" ";" options "${options}")
run(output "${CMAKE_COMMAND}" -S "${SCRATCH}/source" -B "${SCRATCH}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Release ${options})
expect_text("${output}" "Generating done")
expect_no_text("${output}" "not used by the project" "CMake Warning")

# The program of the test package, against the install.
configure_consumer("${ROOT}/packaging/conan/test_package" "${SCRATCH}/test" "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix")
run("" "${CMAKE_COMMAND}" --build "${SCRATCH}/test")
run("" "${SCRATCH}/test/plain")
file(REMOVE_RECURSE "${SCRATCH}")
