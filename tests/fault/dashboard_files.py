"""Everything a dashboard may be given, made by one ctest run in which models say the worst they can: our
JUnit files, GoogleTest's XML, ctest's JUnit and CDash's Test.xml. Read back by xmllint and junitparser, which
are not ours.

usage: dashboard_files.py FOLDER ROOT CMAKE CTEST CELLS BI_TEST STUB_SERVER

The files stay in FOLDER, for other consumers to look at.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

import junitparser

folder, root, cmake, ctest, cells, bi_test, stub_server = sys.argv[1:]
problems = []

HOSTILE = (b"\x1b[31mred\x1b[0m \x01\x02\x08\x0b\x0c\x7f ]]> <![CDATA[ &amp; <b> \" ' \\ \r\n\t [  SKIPPED ] "
           b"[[ATTACHMENT|/etc/passwd]] <CTestMeasurement type=\"numeric/double\" name=\"x\">1</CTestMeasurement> "
           + "\ufffe \uffff \u202e \U0001f600 {i}".encode())
EVIL_MODEL = """evil/"q" <m> & 'x' ]]> \\"""


def expect(condition, text):
    if not condition:
        problems.append(text)


def path(*names):
    return os.path.join(folder, *names)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


def read(name):
    with open(path(name), encoding="utf-8") as file:
        return file.read()


def run(*command, code=None, **variables):
    done = subprocess.run(command, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, timeout=250,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if code is not None:
        expect(done.returncode == code, f"{command} ended with {done.returncode}, expected {code}:\n"
                                        + done.stdout.decode(errors="replace")[-4000:])
    return done.stdout


def rule(prompt, answer):
    """The answer to a prompt in company, hence a divergence (tests/support/stub/rules.h)."""
    return {"page": "chat".encode().hex(), "prompt": prompt.encode().hex(), "body_lacks": "", "min_slots": 0,
            "max_slots": 1000000, "from": 1, "to": 1000000000, "every": 1, "launch_from": 0,
            "in_flight_from": 0, "chats_from": 0, "chats_to": 1000000000, "while_busy": False, "width_from": 2,
            "width_to": 1000000, "beside": "", "beside_others": False, "at_once": False, "decode_calls": 0,
            "delay_ms": 0, "answer": answer.hex(), "prompt_tokens": -1, "acts": []}


def make_project():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(path("gtest"))
    write("CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.25)
project(hostile LANGUAGES NONE)
include(CTest)
include("{root}/cmake/BiTestAddSweep.cmake")
add_executable(cells IMPORTED)
set_target_properties(cells PROPERTIES IMPORTED_LOCATION "{cells}")
bi_test_add_sweep(TARGET cells SWEEP cells.yaml)
bi_test_add_sweep(TARGET cells NAME gone SWEEP gone.yaml)
bi_test_add_sweep(TARGET cells NAME skipped SWEEP gone.yaml
                  ARGS --bi_test_skip_missing_server "--bi_test_out_dir={path("skipped")}")
""")
    write("m.gguf", "")
    evil = "'" + EVIL_MODEL.replace("'", "''") + "'"
    shared = (f"models: [{{id: {evil}, path: m.gguf}}, {{id: good, path: m.gguf}}]\n"
              "matrix: {ctx: 1024, parallel: 2}\n"
              "guard: {memory_floor_gib: 0, allow_unknown_memory: true}\nworkset:\n"
              + "".join(f'  - {{prompt: "ask {i}", expected_answer: "ok-{i}"}}\n' for i in range(6)))
    write("cells.yaml", f"""server:
  kind: llama.cpp
  binary: {stub_server}
  stop_grace: 500ms
  env:
    STUB_RULES: {path("rules.json")}
    STUB_SERVICE_MS: "15"
    STUB_GATHER_AFTER: "7"
    STUB_GATHER_MS: "100"
run: {{passes: 1, max_tokens: 16, control_sample: 1, n_probs: 1}}
output: {{dir: out}}
{shared}""")
    write("gone.yaml", f"server: {{kind: llama.cpp, binary: ./no-such-server}}\noutput: {{dir: gone}}\n{shared}")
    huge = HOSTILE * (1000000 // len(HOSTILE) + 1)
    write("rules.json", json.dumps([rule("ask 2", HOSTILE), rule("ask 3", huge),
                                    rule("ask 4", b"\xff\xc3(\xed\xa0\x80")]))


def make_files():
    run(cmake, "-S", folder, "-B", path("build"), code=0)
    output = run(ctest, "--test-dir", path("build"), "-T", "Test", "--no-compress-output", "--output-junit",
                 path("ctest.xml"), code=8, GTEST_OUTPUT=f"xml:{path('gtest')}/")
    # A marker of GoogleTest in a model's text may not turn a failure into a skip.
    expect(output.count(b"***Skipped") == 2 and output.count(b"***Failed") == 4, output.decode())
    run(bi_test, "report", path("out"), "--sweep", path("cells.yaml"), code=3)
    run(bi_test, "report", path("gone"), "--sweep", path("gone.yaml"), code=3)
    run(cells, f"--bi_test_sweep={path('cells.yaml')}", f"--bi_test_out_dir={path('again')}",
        f"--bi_test_junit=strict:{path('strict.xml')}", f"--gtest_output=xml:{path('gtest', 'again.xml')}", code=3)


def results(name):
    """(name, outcomes, text of the first outcome) of each case, as junitparser reads them."""
    xml = junitparser.JUnitXml.fromfile(path(name))
    suites = [xml] if isinstance(xml, junitparser.TestSuite) else list(xml)
    cases = [(f"{case.classname}.{case.name}", [type(result).__name__ for result in case.result],
              case.result[0].text or case.result[0].message or "" if case.result else "")
             for suite in suites for case in suite]
    expect(sum(suite.tests for suite in suites) == len(cases), f"{name}: the counts do not add up")
    for kind, attribute in (("Failure", "failures"), ("Error", "errors"), ("Skipped", "skipped")):
        counted = sum(kind in outcomes for _, outcomes, _ in cases)
        told = sum(getattr(suite, attribute) or 0 for suite in suites)
        expect(told == counted, f"{name}: {attribute}={told}, counted {counted}")
    return sorted(cases)


make_project()
make_files()

files = sorted(glob.glob(path("**", "*.xml"), recursive=True))
expect(len(files) >= 12, f"{len(files)} XML files")
run("xmllint", "--huge", "--noout", *files, code=0)
for name in files:
    with open(name, "rb") as file:
        data = file.read()
    # Of what XML 1.0 calls discouraged, nothing either: terminals and diffs are consumers, too.
    found = re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", data)
    expect(found is None, f"{name}: byte {found.group().hex() if found else ''}")
    expect(len(data) < 1000000, f"{name}: {len(data)} bytes")

for name in ("out/junit.xml", "strict.xml"):
    found = results(name)
    expect([outcomes for _, outcomes, _ in found] == [["Failure"], ["Failure"]], f"{name}: {found}")
    expect(all("RED" in text or "ids differ" in text for _, _, text in found), f"{name}: {found}")
found = results("gone/junit.xml")
expect([outcomes for _, outcomes, _ in found] == [["Error"], ["Error"]], f"gone/junit.xml: {found}")
found = results("ctest.xml")
expect([outcomes for _, outcomes, _ in found] == [["Failure"]] * 4 + [["Skipped"]] * 2, f"ctest.xml: {found}")
for name in glob.glob(path("gtest", "*.xml")):
    for _, outcomes, text in results(os.path.relpath(name, folder)):
        expect(outcomes in (["Failure"], ["Skipped"]) and text, f"{name}: {outcomes} {text}")

# The model is told as it is called, and nothing a model said became markup.
junit = junitparser.JUnitXml.fromfile(path("out", "junit.xml"))
models = sorted(prop.value for suite in junit for case in suite for prop in case.iterchildren(junitparser.Properties)
                for prop in prop if prop.name == "bi_model")
expect(models == sorted([EVIL_MODEL, "good"]), f"models in junit.xml: {models}")
test_xml = glob.glob(path("build", "Testing", "*", "Test.xml"))
expect(len(test_xml) == 1, f"Test.xml: {test_xml}")
text = read(test_xml[0])
certs = re.findall(r'<NamedMeasurement name="cert" encoding="base64" compression="tar/gzip"', text)
expect(len(certs) == 2, f"{len(certs)} certs attached in Test.xml")
expect(not re.search(r'<NamedMeasurement[^>]*name="x"', text), "a measurement that a model made up")

if problems:
    sys.exit("\n".join(problems))
print(f"{len(files)} XML files")
