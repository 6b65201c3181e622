"""Conan 2 recipe of bi_test:  conan create packaging/conan --build=missing"""

import glob
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

# What our pkg-config files call others, and what Conan does.
OTHERS = {
    "gmock": "gtest::gmock",
    "libcrypto": "openssl::crypto",
    "libcurl": "libcurl::libcurl",
    "re2": "re2::re2",
    "yaml-cpp": "yaml-cpp::yaml-cpp",
}


class BiTestRecipe(ConanFile):
    name = "bi_test"
    license = "Apache-2.0"
    description = "GoogleTest plugin that certifies batch invariance of LLM servers"
    topics = ("llm", "testing", "googletest", "batch-invariance")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        text = load(self, os.path.join(root, "CMakeLists.txt"))
        self.version = re.search(r"project\(bi_test VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "cmake/*", "docs/*", "fixtures/*", "include/*",
                        "matchers/*", "samples/*", "src/*", "packaging/debian/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # In our headers and in what users link.
        self.requires("gtest/[>=1.12 <2]", transitive_headers=True, transitive_libs=True)
        self.requires("libcurl/[>=7.88 <9]", transitive_libs=True)
        self.requires("openssl/[>=3 <4]", transitive_libs=True)
        self.requires("yaml-cpp/[>=0.7 <1]", transitive_libs=True)
        self.requires("re2/[>=20220601]", transitive_libs=True)
        self.requires("rapidjson/cci.20230929", visible=False)
        self.requires("cli11/[>=2.1 <3]", visible=False)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BI_TEST_BUILD_TESTS"] = False
        toolchain.cache_variables["BI_TEST_BUILD_BENCHMARKS"] = False
        toolchain.cache_variables["BI_TEST_WERROR"] = False
        toolchain.cache_variables["BI_TEST_SPARK"] = False
        toolchain.cache_variables["BI_TEST_INSTALL"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # Our own CMake package is the one to use: it also brings bi_test_add_sweep().
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "bi_test")]
        # One component per pkg-config file of the install, which CMake made from its targets.
        for path in glob.glob(os.path.join(self.package_folder, "**", "bi_test-*.pc"), recursive=True):
            name = os.path.basename(path)[len("bi_test-"):-len(".pc")]
            text = load(self, path)
            needs = re.search(r"^Requires: *(.*)$", text, re.M).group(1)
            needs = [need.split()[0] for need in needs.split(",") if need.strip()]
            component = self.cpp_info.components[name]
            component.libs = re.findall(r"-l(bi_test_\w+)", text)
            component.requires = [need[len("bi_test-"):] if need.startswith("bi_test-") else OTHERS[need]
                                  for need in needs]
            component.system_libs = ["pthread"] if "-pthread" in text else []
            component.set_property("cmake_target_name", f"bi_test::{name}")
            component.set_property("pkg_config_name", f"bi_test-{name}")
