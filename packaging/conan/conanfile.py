"""Conan 2 recipe of bi_test:  conan create packaging/conan --build=missing"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

# Library, what it needs of bi_test, what it needs of others. In the order of linking.
LIBRARIES = {
    "main": (["fixtures"], []),
    "fixtures": (["driver", "matchers", "pages", "report", "server", "config", "wire"], ["gtest::gmock"]),
    "mock": (["core", "driver", "server", "config", "wire"], []),
    "pages": (["report", "core", "driver", "config", "wire"], []),
    "driver": (["core", "server", "config", "spark", "wire"], []),
    "server": (["wire"], []),
    "config": (["core", "spark", "wire"], ["yaml-cpp::yaml-cpp"]),
    "spark": (["core"], []),
    "wire": (["core"], ["libcurl::libcurl", "openssl::crypto"]),
    "report": (["core"], []),
    "matchers": (["core"], ["gtest::gmock"]),
    "core": ([], ["openssl::crypto", "re2::re2"]),
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
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        # Our own CMake package is the one to use: it also brings bi_test_add_sweep().
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "bi_test")]
        for name, (own, others) in LIBRARIES.items():
            component = self.cpp_info.components[name]
            component.libs = [f"bi_test_{name}"]
            component.requires = own + others
            component.set_property("cmake_target_name", f"bi_test::{name}")
            component.set_property("pkg_config_name", f"bi_test-{name}")
        self.cpp_info.components["core"].system_libs = ["pthread"]
