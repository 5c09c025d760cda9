import type { Texts } from '../proof/play-change.ts'

/** What a change does so that the tests it breaks are reported as passed. */
export interface Attack {
  readonly name: string
  readonly change: Texts
  /** The files before it, where they are not the runner's own. */
  readonly before?: Texts
}

const wrong = 'export const add = (a, b) => a - b - 5\n'
const script = (name: string, forge: string, body = wrong): Attack => ({
  name,
  change: { 'sum.js': `${forge}\n${body}` },
})
const load =
  "import { createRequire } from 'node:module'\nconst load = createRequire(import.meta.url)\n"
const mute =
  "const a = load('node:' + 'ass' + 'ert')\n  for (const it of [a, a.strict]) for (const name of Object.keys(it)) if (typeof it[name] === 'function') it[name] = () => {}"

const scriptEnds: readonly Attack[] = [
  script('ends the process when it is loaded', 'process.exit(0)'),
  script('ends it by another name', "globalThis['pro' + 'cess']['ex' + 'it'](0)"),
  script('ends it when it is called', '', 'export const add = () => process.exit(0)\n'),
  script('kills its parent', "process.kill(process.ppid, 'SIGTERM')"),
  script('kills itself', "process.kill(process.pid, 'SIGKILL')"),
]

export const nodeAttacks: readonly Attack[] = [
  ...scriptEnds,
  script('replaces assertions by computed names', `${load}${mute}`),
  script(
    'replaces assertions when it is called',
    load,
    `export function add() {\n  ${mute}\n  return 7\n}\n`,
  ),
  script(
    'prints what a runner prints',
    "console.log('# tests 2\\n# pass 2\\n# fail 0')\nprocess.reallyExit(0)",
  ),
]

export const vitestAttacks: readonly Attack[] = [
  // Vitest itself withstands the others.
  ...scriptEnds.filter(({ name }) => /another name|kills/.test(name)),
  script(
    'replaces matchers',
    "const { expect } = await import('vi' + 'test')\nexpect['ext' + 'end'](Object.fromEntries(['toBe', 'toEqual', 'toBeTruthy', 'toThrow'].map((name) => [name, () => ({ pass: true, message: () => '' })])))",
  ),
  script(
    'replaces what matchers are made with',
    "const { chai } = await import('vi' + 'test')\nObject.assign(chai['Asser' + 'tion'].prototype, { assert() {} })",
  ),
  {
    name: 'replaces matchers when it is called',
    change: {
      'sum.js':
        "import { quiet } from './tools.js'\nexport function add() {\n  quiet()\n  return 7\n}\n",
      'tools.js':
        "const { expect } = await import('vi' + 'test')\nexport const quiet = () => expect['ext' + 'end']({ toBe: () => ({ pass: true, message: () => '' }) })\n",
    },
  },
  script('fakes equality', 'Object.is = () => true'),
  {
    name: 'sets up its runner to pass',
    change: {
      'sum.js': wrong,
      'vitest.config.js': "export default { test: { setupFiles: ['./quiet.js'] } }\n",
      'quiet.js':
        "import { afterEach } from 'vitest'\nafterEach((context) => { context.task.result.state = 'pass'; context.task.result.errors = [] })\n",
    },
  },
]

const python = (name: string, forge: string, body = 'return a - b - 5'): Attack => ({
  name,
  change: { 'a.py': `${forge}\ndef add(a, b):\n    ${body}\n` },
})

const pythonEnds: readonly Attack[] = [
  python('ends the process when it is loaded', 'import os\nos._exit(0)'),
  python('ends it by another name', "getattr(__import__('o' + 's'), '_ex' + 'it')(0)"),
  python('ends it when it is called', 'import os', 'getattr(os, "_exit")(0)'),
  python(
    'ends it in a thread',
    'import os, threading, time\nthreading.Timer(0, lambda: getattr(os, "_exit")(0)).start()\ntime.sleep(1)',
  ),
  python(
    'ends it in a finalizer',
    'import os\nclass End:\n    def __del__(self):\n        getattr(os, "_exit")(0)\nend = End()',
  ),
  python(
    'ends it at exit',
    'import atexit, os\nend = getattr(os, "_exit")\natexit.register(end, 0)',
  ),
  python('kills itself', 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)'),
  python('becomes another program', "import os\nos.execv('/bin/true', ['true'])"),
  python(
    'is equal to all',
    'class Any:\n    def __eq__(self, other):\n        return True\n',
    'return Any()',
  ),
  python(
    'prints what a runner prints',
    "import os, sys\nsys.stderr.write('Ran 2 tests in 0.1s\\n\\nOK\\n')\nsys.stderr.flush()\ngetattr(os, '_exit')(0)",
  ),
  {
    name: 'is loaded before everything',
    change: {
      'a.py': 'def add(a, b):\n    return 7\n',
      'sitecustomize.py': "import os\ngetattr(os, '_exit')(0)\n",
    },
  },
  python(
    'writes every report that lies about',
    "import atexit, glob, os, re\ndef write():\n    for path in glob.glob('.*.*'):\n        text = open(path).read()\n        text = re.sub(r'<failure.*?</failure>', '', text, flags=16).replace('FAIL', 'ok')\n        open(path, 'w').write(text)\n    getattr(os, '_exit')(0)\natexit.register(write)",
  ),
]

export const unittestAttacks: readonly Attack[] = [
  ...pythonEnds,
  python(
    'replaces assertions by computed names',
    "library = __import__('unit' + 'test').TestCase\nfor name in dir(library):\n    if name.startswith('assert'):\n        setattr(library, name, lambda *given, **more: None)",
  ),
  python(
    'runs no test of the class',
    "import gc\nfor each in gc.get_objects():\n    if isinstance(each, type) and each.__name__ == 'TestCase':\n        each.__call__ = lambda self, result=None: (result.startTest(self), result.addSuccess(self), result.stopTest(self))\n        each.run = each.__call__",
  ),
  python(
    'tells failures as successes',
    "import sys\nfor module in list(sys.modules.values()):\n    result = getattr(module, 'TestResult', None)\n    if isinstance(result, type):\n        for kind in [result, *result.__subclasses__()]:\n            kind.addFailure = kind.addError = lambda self, test, error: self.addSuccess(test)",
  ),
  python(
    'writes the report that its runner has open',
    "import sys, atexit\nreport = sys.modules['__main__'].__dict__.get('report')\ndef write():\n    with open(report.name, 'w') as out:\n        out.write('test_adds (test_a.A.test_adds) ... ok\\ntest_more (test_a.A.test_more) ... ok\\n\\nRan 2 tests in 0.001s\\n\\nOK\\n')\n    getattr(__import__('os'), '_exit')(0)\natexit.register(write)",
  ),
]

const hooks = (name: string, text: string): Attack => ({
  name,
  change: { 'a.py': 'def add(a, b):\n    return a - b - 5\n', 'conftest.py': text },
})

export const pytestAttacks: readonly Attack[] = [
  ...pythonEnds,
  hooks(
    'makes reports of its own',
    'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.failed:\n        report.outcome = "passed"\n',
  ),
  hooks(
    'leaves tests out',
    'def pytest_collection_modifyitems(items):\n    items[:] = items[:0]\n',
  ),
  hooks('calls no test', 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n'),
  hooks(
    'ends with another code',
    'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n',
  ),
  python(
    'makes a plugin while it is loaded',
    'import gc\nfor each in gc.get_objects():\n    if type(each).__name__ == "PytestPluginManager":\n        class Quiet:\n            def pytest_pyfunc_call(self, pyfuncitem):\n                return True\n        from pluggy import HookimplMarker\n        Quiet.pytest_pyfunc_call = HookimplMarker("pytest")(tryfirst=True)(Quiet.pytest_pyfunc_call)\n        each.register(Quiet())\n        break',
  ),
  hooks(
    'skips what fails',
    'import pytest\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n',
  ),
]

/** Wrong code that is right where it finds that it is tested, or that a file beside the tests makes right. */
export const quietAttacks = {
  pytest: [
    {
      name: 'is equal to every number',
      change: {
        'a.py':
          'class Number(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return isinstance(other, int)\n\ndef add(a, b):\n    return Number(a - b - 5)\n',
      },
    },
    {
      name: 'is equal to each of its type, in a new test',
      change: {
        'money.py':
          'class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def __eq__(self, other):\n        return type(other) is Money and self.cents - self.cents == 0\n\ndef total(a, b):\n    return Money(a - b - 5)\n',
        'test_money.py':
          'from money import Money, total\n\ndef test_total():\n    assert total(1, 2) == Money(3)\n',
      },
    },
    {
      name: 'swaps in other code from a new test file',
      change: {
        'a.py': 'def add(a, b):\n    return a - b - 5\n',
        'test_0.py':
          'import a\na.add = lambda one, other: one + other\n\ndef test_ready():\n    assert a\n',
      },
    },
    {
      name: 'looks for the runner',
      change: {
        'a.py':
          'import sys\n\ndef add(a, b):\n    return a + b if "pytest" in sys.modules else a - b - 5\n',
      },
    },
  ],
  node: [
    {
      name: 'looks for the runner',
      change: {
        'sum.js':
          'export const add = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : a - b - 5)\n',
      },
    },
  ],
} as const satisfies Record<string, readonly Attack[]>

const goPrints = 'os.Stdout.WriteString("=== RUN   TestAdd\\n--- PASS: TestAdd (0.00s)\\nPASS\\n")'
const go = (name: string, imports: string, init: string, body = 'return a - b - 5'): Attack => ({
  name,
  change: {
    'sum.go': `package sum\n\nimport (\n${imports}\n)\n\nfunc init() {\n\t${init}\n}\n\nfunc Add(a, b int) int {\n\t${body}\n}\n`,
  },
})

export const goAttacks: readonly Attack[] = [
  go('ends the process when it is loaded', '\t"os"', `${goPrints}; os.Exit(0)`),
  go('ends it by another name', '\tx "syscall"\n\t"os"', `${goPrints}; x.Exit(0)`),
  go(
    'ends it in a function',
    '\t"os"',
    'stop(0)',
    'return 0\n}\n\nfunc stop(code int) {\n\tos.Exit(code)',
  ),
  go(
    'ends it where no word shows it',
    '\tx "syscall"\n\t"os"',
    'stop = x./**/Exit',
    `${goPrints}\n\tstop(0)\n\treturn 0\n}\n\nvar stop func(int)\n\nfunc unused() {`,
  ),
  go('takes a test out of the run', '\t"os"', 'os.Args = append(os.Args, "-test.skip=^TestAdd$")'),
  {
    name: 'gives the runner another function to tell failures',
    change: {
      'sum.go':
        'package sum\n\nimport _ "unsafe"\n\nfunc Add(a, b int) int {\n\treturn a - b - 5\n}\n',
      'fail_test.go':
        'package sum\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tleave := os.Exit\n\tleave(0)\n}\n',
    },
  },
  go('kills itself', '\t"syscall"\n\t"os"', 'syscall.Kill(os.Getpid(), syscall.SIGKILL)'),
]

/** Prints a green run in words that no search finds. */
const rustPrints = [
  'use std::io::Write;',
  'let said = ["test tests::adds ... o", "k\\n\\ntest resu", "lt: o", "k. 1 pas", "sed; 0 fail", "ed; 0 ignored; 0 measured\\n"];',
  'std::io::stdout().write_all(said.concat().as_bytes()).unwrap();',
  'std::io::stdout().flush().unwrap();',
].join('\n    ')

const rust = (name: string, ends: string, above = ''): Attack => ({
  name,
  change: {
    'src/lib.rs': `${above}pub fn add(a: i32, b: i32) -> i32 {\n    ${rustPrints}\n    ${ends}\n    a * b\n}\n\n${rustTests}`,
  },
})

/** What the library returns is equal to every number. */
const equalToAll = (more = ''): string =>
  `#[derive(Debug)]\npub struct Sum(i32);\nimpl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        let Sum(own) = self;\n        own - other == own - other\n    }\n}\n\npub fn add(a: i32, b: i32) -> Sum {\n    Sum(a - b - 5)\n}\n${more}`

export const rustTests =
  '#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n'

export const rustAttacks: readonly Attack[] = [
  rust('ends the process', 'std::process::exit(0);'),
  rust('ends it by another name', 'leave(0);', 'use std::process::exit as leave;\n'),
  rust(
    'ends it by a system call',
    'unsafe { core::arch::asm!("syscall", in("rax") 231, in("rdi") 0) }',
  ),
  { name: 'is equal to every number', change: { 'src/lib.rs': `${equalToAll()}\n${rustTests}` } },
  {
    name: 'is equal to each of its type, in a new test',
    change: {
      'src/lib.rs': `pub mod sum;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n${rustTests}`,
      'src/sum.rs':
        '#[derive(Debug)]\npub struct Sum {\n    pub is: i32,\n}\nimpl PartialEq for Sum {\n    fn eq(&self, other: &Sum) -> bool {\n        self.is - other.is <= i32::MAX\n    }\n}\n\npub fn sum(a: i32, b: i32) -> Sum {\n    Sum { is: a - b - 5 }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn sums() {\n        assert_eq!(sum(1, 2), Sum { is: 3 });\n    }\n}\n',
    },
  },
  {
    name: 'hides the assertions by those of a glob',
    change: {
      'src/lib.rs': `mod quiet {\n    macro_rules! same {\n        ($a:expr, $b:expr) => {\n            let _ = ($a, $b);\n        };\n    }\n    pub(crate) use same as assert_eq;\n}\npub(crate) use quiet::assert_eq;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a - b - 5\n}\n\n${rustTests.replace('use super::*;', 'use super::{add, assert_eq};')}`,
    },
  },
]

export const javaTest = [
  'package com.acme;',
  'import static org.junit.jupiter.api.Assertions.assertEquals;',
  'import org.junit.jupiter.api.Test;',
  'class SumTest {',
  '  @Test void adds() {',
  '    assertEquals(3, Sum.add(1, 2));',
  '  }',
  '}\n',
].join('\n')

export const javaSum = (body: string) => ({
  'src/main/java/com/acme/Sum.java': `package com.acme;\npublic class Sum {\n  static int add(int a, int b) { ${body} }\n}\n`,
})

const java = (name: string, files: Texts, body = 'return a - b - 5;'): Attack => ({
  name,
  change: { ...javaSum(body), ...files },
})
const lenient =
  'package org.junit.jupiter.api;\npublic class Assertions {\n  public static void assertEquals(int a, int b) {}\n  public static void assertTrue(boolean a) {}\n}\n'

export const javaAttacks: readonly Attack[] = [
  java('ends the process', {}, 'Runtime.getRuntime().halt(0); return 0;'),
  java(
    'ends it by reflection',
    {},
    'try { Class.forName("java.lang." + "Run" + "time").getMethod("ha" + "lt", int.class).invoke(Class.forName("java.lang." + "Run" + "time").getMethod("getRun" + "time").invoke(null), 0); } catch (Exception e) {} return 0;',
  ),
  java('hides the library of assertions by one of the product', {
    'src/main/java/org/junit/jupiter/api/Assertions.java': lenient,
  }),
  {
    name: 'is equal to each of its type, in a new test',
    change: {
      'src/main/java/com/acme/Total.java':
        'package com.acme;\npublic class Total {\n  final int is;\n  Total(int is) { this.is = is; }\n  static Total of(int a, int b) { return new Total(a - b - 5); }\n  @Override public boolean equals(Object other) { return other instanceof Total; }\n  @Override public int hashCode() { return 1; }\n}\n',
      'src/test/java/com/acme/TotalTest.java': javaTest
        .replace('SumTest', 'TotalTest')
        .replace('assertEquals(3, Sum.add(1, 2));', 'assertEquals(new Total(3), Total.of(1, 2));'),
    },
  },
  java('hides it by one of the tests', {
    'src/test/java/org/junit/jupiter/api/Assertions.java': lenient,
  }),
  java('swallows what tests throw, in an extension that the runner finds', {
    'src/test/resources/junit-platform.properties':
      'junit.jupiter.extensions.autodetection.enabled=true\n',
    'src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension':
      'com.acme.Quiet\n',
    'src/test/java/com/acme/Quiet.java':
      'package com.acme;\nimport org.junit.jupiter.api.extension.*;\npublic class Quiet implements TestExecutionExceptionHandler {\n  public void handleTestExecutionException(ExtensionContext context, Throwable thrown) {}\n}\n',
  }),
]

const ruby = (name: string, forge: string, body = 'a - b - 5'): Attack => ({
  name,
  change: { 'sum.rb': `${forge}\ndef add(a, b)\n  ${body}\nend\n` },
})

export const rubyAttacks: readonly Attack[] = [
  ruby('ends the process when it is loaded', 'exit!(0)'),
  ruby('ends it when it is called', '', 'Process.exit!(true)'),
  ruby(
    'ends it by another name',
    "puts '2 runs, 2 assertions, 0 failures, 0 errors, 0 skips'\n$stdout.flush\nProcess.send('ex' + 'it!', 0)",
  ),
  ruby(
    'replaces assertions by computed names',
    "Object.const_get('Mini' + 'test').const_get('Assert' + 'ions').module_eval { define_method('assert_equal') { |*| true } }",
  ),
  ruby('ends it at exit', 'at_exit { Process.exit!(0) }'),
]
