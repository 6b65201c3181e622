"""The Conan recipe, followed step by step without Conan.

usage: conan_recipe.py ROOT SCRATCH PREFIX

Conan's classes are stood in for by what they are documented to do. Exports the sources to SCRATCH/source,
prints the cache entries that the recipe configures with, and checks what package_info() says of a real install
below PREFIX.
"""

import fnmatch
import glob
import importlib.util
import os
import shutil
import sys
import types

root, scratch, prefix = sys.argv[1:4]
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


class ConanFile:
    pass


class Toolchain:
    last = None

    def __init__(self, recipe):
        self.cache_variables = {}
        Toolchain.last = self

    def generate(self):
        pass


class Deps:
    def __init__(self, recipe):
        pass

    def generate(self):
        pass


class CMakeSteps:
    steps = []

    def __init__(self, recipe):
        pass

    def configure(self):
        self.steps.append("configure")

    def build(self):
        self.steps.append("build")

    def install(self):
        self.steps.append("install")


def copy(recipe, pattern, src, dst):
    found = False
    for folder, folders, files in os.walk(src):
        relative = os.path.relpath(folder, src)
        if relative == ".":
            folders[:] = [name for name in folders if name not in (".git", "build")]
        for file in files:
            name = os.path.normpath(os.path.join(relative, file))
            if fnmatch.fnmatch(name, pattern):
                found = True
                target = os.path.join(dst, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(src, name), target)
    expect(found, f"nothing matches {pattern}")


def load(recipe, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda recipe, std: expect(std == 20, "C++ standard"),
       can_run=lambda recipe: True)
module("conan.tools.cmake", CMake=CMakeSteps, CMakeDeps=Deps, CMakeToolchain=Toolchain,
       cmake_layout=lambda recipe: None)
module("conan.tools.files", copy=copy, load=load)


def load_recipe(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


folder = os.path.join(root, "packaging", "conan")
recipe_file = load_recipe(os.path.join(folder, "conanfile.py"), "recipe")
recipe = recipe_file.BiTestRecipe()
recipe.recipe_folder = folder
recipe.source_folder = recipe.export_sources_folder = os.path.join(scratch, "source")
recipe.package_folder = os.path.join(scratch, "package")
recipe.set_version()

required = {}
recipe.requires = lambda reference, **traits: required.update({reference.split("/")[0]: traits})
recipe.export_sources()
recipe.validate()
recipe.layout()
recipe.requirements()
recipe.generate()
recipe.build()
recipe.package()
expect(CMakeSteps.steps == ["configure", "build", "install"], f"CMake steps: {CMakeSteps.steps}")
for name in ("LICENSE", "NOTICE"):
    expect(os.path.isfile(os.path.join(recipe.package_folder, "licenses", name)), f"no licenses/{name}")
expect(required.get("gtest", {}).get("transitive_headers") is True, "users need the headers of gtest")


class Component:
    def __init__(self):
        self.libs, self.requires, self.system_libs, self.properties = [], [], [], {}

    def set_property(self, name, value):
        self.properties[name] = value


class CppInfo(Component):
    def __init__(self):
        super().__init__()
        self.components = type("Components", (dict,), {
            "__missing__": lambda self, key: self.setdefault(key, Component())})()
        self.builddirs = []


recipe.cpp_info = CppInfo()
recipe.package_folder = prefix
recipe.package_info()
info = recipe.cpp_info
expect(info.properties.get("cmake_find_mode") == "none", "our own CMake package is the one to use")
for builddir in info.builddirs:
    expect(os.path.isfile(os.path.join(prefix, builddir, "bi_test-config.cmake")), f"no package in {builddir}")

# Every library is told of, needs only what is there, and what it needs of others is required.
told = {name: component.requires for name, component in info.components.items()}
for name in ("core", "matchers", "fixtures", "main", "mock"):
    expect(name in told, f"no component {name}")
libraries = {os.path.basename(path)[3:-2] for path in glob.glob(os.path.join(prefix, "**", "*.a"), recursive=True)}
linked = [library for component in info.components.values() for library in component.libs]
expect(sorted(linked) == sorted(libraries), f"installed are {sorted(libraries)}, the recipe links {sorted(linked)}")
for name, needs in told.items():
    for need in needs:
        known = need.split("::")[0] in required if "::" in need else need in told
        expect(known, f"{name} needs {need}, which nobody brings")
for path in glob.glob(os.path.join(prefix, "**", "bi_test-*.pc"), recursive=True):
    expect(f"Version: {recipe.version}\n" in load(None, path), f"{path}: not version {recipe.version}")

test = load_recipe(os.path.join(folder, "test_package", "conanfile.py"), "test_package").BiTestPackageTest()
test.tested_reference_str = f"bi_test/{recipe.version}"
asked = []
test.requires = asked.append
test.requirements()
expect(test.tested_reference_str in asked, f"the test package requires {asked}")
test.build()
ran = []
test.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir="bin"))
test.run = lambda command, env: ran.append(command)
test.test()
expect(ran == [os.path.join("bin", "plain")], f"the test package runs {ran}")

if problems:
    sys.exit("\n".join(problems))
for name, value in Toolchain.last.cache_variables.items():
    print(f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}")
