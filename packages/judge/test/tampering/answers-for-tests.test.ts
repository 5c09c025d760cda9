import { expect, test } from 'vitest'
import { findAnswersForTests } from '../../tampering/find-takeovers.ts'

const noTask = { title: 'Add a sum', details: '' }

const look = (path: string, content: string, before?: string, task = noTask) =>
  findAnswersForTests(
    [
      before === undefined
        ? { action: 'create', path, content }
        : { action: 'modify', path, before, content },
    ],
    task,
  ).map((said) => said.replace(/" .* \(/, '" ('))

test.each([
  ['a.js', 'const on = process.env.NODE_TEST_CONTEXT\n'],
  ['a.ts', "const on = process.env['VITEST'] === 'true'\n"],
  ['a.js', "if (process.env.NODE_ENV === 'test') f()\n"],
  ['a.js', "const on = import.meta.env?.MODE === 'test'\n"],
  ['a.js', "const on = /test/.test(process.argv[1] ?? '')\n"],
  ['a.js', "const on = /test/.test(new Error().stack ?? '')\n"],
  ['a.js', 'const on = process.connected\n'],
  ['a.py', 'on = "PYTEST_CURRENT_TEST" in os.environ\n'],
  ['a.py', 'on = "unittest" in sys.modules\n'],
  ['a.py', 'on = any("test" in each for each in sys.argv)\n'],
  ['a.py', 'on = "test" in sys.modules.get("__main__").__spec__.name\n'],
  ['a.py', 'on = "test_" in "".join(traceback.format_stack())\n'],
  ['src/lib.rs', 'const ON: bool = cfg!(debug_assertions);\n'],
  ['src/lib.rs', 'fn on() -> bool { std::env::current_exe().is_ok() }\n'],
  ['src/lib.rs', 'fn on() -> bool { std::thread::current().name() != Some("main") }\n'],
  ['src/lib.rs', 'fn on() -> bool { std::env::var_os("CARGO_MANIFEST_DIR").is_some() }\n'],
  ['build.rs', 'fn main() { println!("cargo::rustc-cfg=plus") }\n'],
  ['a.go', 'var on = flag.Lookup("test.v") != nil\n'],
  ['a.go', '_, err := os.Stat("sum_test.go")\n'],
  ['a.js', 'const on = process.argv[1].endsWith(".test.js")\n'],
  ['a.go', 'var on = strings.HasSuffix(os.Args[0], ".test")\n'],
  ['a.go', 'var on = strings.Contains(string(debug.Stack()), "tRunner")\n'],
])('%s asks whether it is tested: %s', (path, content) => {
  expect(look(path, content)).toHaveLength(1)
})

test.each([
  ['a.js', "const on = process.argv.includes('--test')\n"],
  ['a.js', "const on = process.execArgv.includes('--test')\n"],
  ['a.js', "const on = process.argv.some((each) => each.endsWith('vitest.mjs'))\n"],
  ['a.js', "const on = process.env.npm_lifecycle_event === 'test'\n"],
  ['a.js', "const on = 'NODE_V8_COVERAGE' in process.env\n"],
  ['a.js', "const on = process.env['NODE_' + 'TEST_CONTEXT']\n"],
  ['a.js', "const on = typeof describe === 'function'\n"],
  ['a.js', "const on = 'expect' in globalThis\n"],
  ['a.js', "const on = module.parent?.filename.includes('.test')\n"],
  ['a.js', "const on = existsSync('sum.test.js')\n"],
  [
    'a.js',
    "const on = error.stack.split(line).some((l) => l.includes('node:internal/test_runner'))\n",
  ],
  ['a.ts', "const on = Deno.mainModule.includes('_test')\n"],
  ['a.py', 'from sys import modules\non = "unittest" in modules\n'],
  ['a.py', 'on = importlib.util.find_spec("pytest")\n'],
  ['a.py', 'on = sys.argv[0].endswith("py.test")\n'],
  ['a.py', 'on = inspect.stack()[1].filename\n'],
  ['a.py', 'on = sys.gettrace() is not None\n'],
  ['a.py', 'on = "COVERAGE_RUN" in os.environ\n'],
  ['a.py', 'on = os.path.exists("tests/test_sum.py")\n'],
  ['a.py', 'on = hasattr(sys, "_called_from_test")\n'],
  ['src/lib.rs', '#[cfg_attr(any(test), path = "right.rs")]\nmod sum;\n'],
  ['src/lib.rs', '#[cfg(\n    not(test)\n)]\nfn f() -> u8 { 4 }\n'],
  ['src/lib.rs', '#[cfg(not(any(test, doc)))]\nfn f() -> u8 { 4 }\n'],
  ['src/lib.rs', 'cfg_if! { if #[cfg(test)] { fn f() {} } else { fn f() {} } }\n'],
  ['src/lib.rs', 'fn on() -> bool { let t = thread::current(); t.name() != Some("main") }\n'],
  ['src/lib.rs', 'fn on() -> bool { Backtrace::force_capture().to_string().contains("test") }\n'],
  ['src/lib.rs', 'fn on() -> bool { args().next().unwrap().contains("/deps/") }\n'],
  ['src/lib.rs', 'const ON: bool = option_env!("CARGO_BIN_NAME").is_none();\n'],
  ['src/lib.rs', 'const ON: bool = cfg!(overflow_checks);\n'],
  ['a.go', 'var on = testing.Testing()\n'],
  ['a.go', 'var on = flag.CommandLine.Lookup("test.run") != nil\n'],
  ['a.go', 'for _, each := range os.Args { on = on || strings.HasPrefix(each, "-test.") }\n'],
  ['a.go', 'path, _ := os.Executable()\n'],
  ['a.go', 'var on = filepath.Ext(os.Args[0]) == ".test"\n'],
  ['a.go', 'runtime.Stack(buffer, false)\n'],
  ['A.java', 'Object on = StackWalker.getInstance();\n'],
  ['A.java', 'Object on = Class.forName("org.junit.jupiter.api.Test");\n'],
  ['A.java', 'Object on = new Throwable().getStackTrace();\n'],
  ['A.java', 'Object on = System.getProperty("surefire.test.class.path");\n'],
  ['A.java', 'Object on = System.getProperty("sun.java.command");\n'],
  ['A.java', 'Object on = loader.getResource("shop/SumTest.class");\n'],
  ['A.java', 'boolean on = A.class.desiredAssertionStatus();\n'],
  ['A.java', 'boolean on = false; assert on = true;\n'],
  ['lib/a.rb', 'on = ENV["RAILS_ENV"] == "test"\n'],
  ['lib/a.rb', 'on = caller.any? { |line| line.include?("_test.rb") }\n'],
  ['lib/a.rb', 'on = $PROGRAM_NAME.include?("rspec")\n'],
  ['lib/a.rb', 'on = Object.const_defined?("RSpec")\n'],
  ['src/a.php', '<?php $on = defined("PHPUNIT_COMPOSER_INSTALL");\n'],
  ['src/a.php', '<?php $on = debug_backtrace()[1]["class"];\n'],
  ['src/a.php', '<?php $on = getenv("APP_ENV") === "testing";\n'],
])('%s finds out whether it is tested: %s', (path, content) => {
  expect(look(path, content)).not.toEqual([])
})

test.each([
  ['a.js', "if (process.env.NODE_ENV === 'production') f()\n"],
  ['a.js', 'const [, , name] = process.argv\n'],
  ['a.js', 'log(error.stack)\n'],
  ['a.js', 'const special = argv.latest\n'],
  ['a.js', 'const [, , test] = process.argv\n'],
  ['a.go', 'return strings.HasSuffix(name, "_test.go")\n'],
  ['a.py', 'latest = sys.argv[1] or latest\n'],
  ['a.test.js', "process.env.NODE_ENV = 'test'\n"],
  ['a.py', 'home = os.environ["HOME"]\n'],
  ['a.py', 'names = sys.argv[1:]\n'],
  ['src/lib.rs', 'const ROOT: &str = env!("CARGO_MANIFEST_DIR");\n'],
  ['a.go', 'var name = os.Args[1]\n'],
  ['a.js', "log('Start the tests with npx vitest --run')\n"],
  ['a.js', "const jest = 'a joke'\nconst on = typeof value === 'function'\n"],
  ['a.js', "import { suite } from './hotel.js'\n"],
  ['eslint.config.js', "export default [{ files: ['**/*.test.js'] }]\n"],
  ['a.py', 'help = "Run the tests with pytest -q."\n'],
  ['src/lib.rs', 'log(thread::current().id());\n'],
  ['src/lib.rs', '#[cfg(any(unix, windows))]\nfn f() {}\n'],
  ['a.go', 'name := "test.txt.gz"\n'],
  ['A.java', 'log(error.getStackTrace());\nassert total == 3;\n'],
  ['lib/a.rb', 'on = ENV["RAILS_ENV"] == "production"\n'],
  ['src/a.php', '<?php log($error->getTraceAsString());\n'],
])('%s does not ask whether it is tested: %s', (path, content) => {
  expect(look(path, content)).toEqual([])
})

test.each([
  ['a.js', 'function f() {\n  process.exit(0)\n}\n', '"process.exit(" (a.js:2)'],
  ['a.ts', 'process?.exit(code)\n', '"process?.exit(" (a.ts:1)'],
  ['a.js', 'const { exit } = process\n', '"{ exit } = process" (a.js:1)'],
  ['a.js', "process['ex' + 'it'](0)\n", '"process[" (a.js:1)'],
  ['a.js', 'process.kill(process.pid)\n', '"process.kill(" (a.js:1)'],
  ['a.js', "global['pro' + name].a()\n", '"global[\'pro\' +" (a.js:1)'],
  ['a.js', "require('as' + 'sert')\n", `"require('as' +" (a.js:1)`],
  ['a.js', 'delete require.cache[id]\n', '"require.cache" (a.js:1)'],
  ['a.js', 'Module._load = load\n', '"Module._load" (a.js:1)'],
  ['a.js', 'Object.is = () => true\n', '"Object.is =" (a.js:1)'],
  ['a.js', "read('/proc/self/cmdline')\n", `"'/proc/" (a.js:1)`],
  ['test/a.test.js', "find('.executor-results-1')\n", `"'.executor-results" (test/a.test.js:1)`],
  ['a.mjs', "import { run } from 'node:test'\n", `"'node:test'" (a.mjs:1)`],
  // An earlier comment with the same words does not hide it.
  ['a.mjs', "// as 'node:test'\nimport { run } from 'node:test'\n", `"'node:test'" (a.mjs:2)`],
  ['a.py', "# '/proc/'\nopen('/proc/self')\n", `"'/proc/" (a.py:2)`],
  ['a.js', 'const leave = process.exit\n', '"process.exit" (a.js:1)'],
  ['a.js', 'const p = process\n', '"= process" (a.js:1)'],
  [
    'a.mjs',
    "import { exit as leave } from 'node:process'\n",
    `"{ exit as leave } from 'node:process'" (a.mjs:1)`,
  ],
  ['a.js', 'executionAsyncResource()\n', '"executionAsyncResource" (a.js:1)'],
  ['a.js', "import { expect } from 'chai'\n", `"from 'chai'" (a.js:1)`],
  ['a.py', 'import os\nos._exit(0)\n', '"os._exit" (a.py:2)'],
  ['a.py', 'from os import _exit as leave\n', '"from os import _exit" (a.py:1)'],
  ['a.py', 'from unittest.mock import ANY\n', '"from unittest" (a.py:1)'],
  ['a.py', 'f = sys._getframe(1)\n', '"sys._getframe" (a.py:1)'],
  ['a.py', 'inspect.stack()\n', '"inspect.stack" (a.py:1)'],
  ['conftest.py', 'pytest_runtest_call = run\n', '"pytest_runtest_call =" (conftest.py:1)'],
  ['test_a.py', 'load_tests = mine\n', '"load_tests =" (test_a.py:1)'],
  [
    'test_a.py',
    '@pytest.fixture(autouse=True)\ndef swap(): pass\n',
    '"autouse=True" (test_a.py:1)',
  ],
  ['src/lib.rs', 'use std::process::exit as leave;\n', '"process::exit" (src/lib.rs:1)'],
  [
    'src/lib.rs',
    'use std::process::{self, exit as leave};\n',
    '"process::{self, exit" (src/lib.rs:1)',
  ],
  ['src/lib.rs', 'fn f() -> u8 { if cfg!(test) { 3 } else { 4 } }\n', '"cfg!(test" (src/lib.rs:1)'],
  [
    'src/lib.rs',
    '#[cfg(test)]\nfn f() -> u8 { 3 }\n#[cfg(not(test))]\nfn f() -> u8 { 4 }\n',
    '"cfg(not(test" (src/lib.rs:3)',
  ],
  [
    'src/lib.rs',
    '#[cfg_attr(test, path = "right.rs")]\nmod sum;\n',
    '"cfg_attr(test" (src/lib.rs:1)',
  ],
  [
    'a.js',
    "import { createHook } from 'node:async_hooks'\n",
    `"createHook } from 'node:async_hooks'" (a.js:1)`,
  ],
  ['a.go', 'package a\n\nvar leave = syscall.Exit\n', '"syscall.Exit" (a.go:3)'],
  ['a.go', 'package a\n\nvar leave = os.Exit\n', '"os.Exit" (a.go:3)'],
  ['a_test.go', 'package a\n\nfunc TestMain(m *testing.M) {}\n', '"func TestMain" (a_test.go:3)'],
  ['a.py', 'getattr(os, name)(0)\n', '"getattr(os" (a.py:1)'],
  ['a.py', "__import__('unit' + 'test')\n", `"__import__('unit' +" (a.py:1)`],
  ['a.py', 'gc.get_objects()\n', '"gc.get_objects" (a.py:1)'],
  ['a.py', 'import unittest\n', '"import unittest" (a.py:1)'],
  [
    'a.py',
    'class A:\n    def __eq__(self, o) -> bool:\n        return True\n',
    '"def __eq__(self, o) -> bool:" (a.py:2)',
  ],
  [
    'conftest.py',
    'def pytest_runtest_makereport(item):\n    pass\n',
    '"def pytest_runtest_makereport" (conftest.py:1)',
  ],
  [
    'tests/conftest.py',
    'def pytest_collection_modifyitems(items):\n    items.clear()\n',
    '"def pytest_collection_modifyitems" (tests/conftest.py:1)',
  ],
  ['lib/a.rb', 'def a\n  Process.exit!(0)\nend\n', '"Process.exit!" (lib/a.rb:2)'],
  ['lib/a.rb', "Object.const_get('Mini' + 'test')\n", `"const_get('Mini' +" (lib/a.rb:1)`],
  ['src/a.php', '<?php\nfunction f() { exit(0); }\n', '"exit(0)" (src/a.php:2)'],
  [
    'src/main/java/A.java',
    'void f() { System.exit(0); }\n',
    '"System.exit(" (src/main/java/A.java:1)',
  ],
  ['src/lib.rs', 'fn f() { std::process::exit(0) }\n', '"process::exit(" (src/lib.rs:1)'],
  ['a.go', 'package a\n\nfunc f() { os.Exit(code) }\n', '"os.Exit(" (a.go:3)'],
  ['a_test.go', 'package a\n\nfunc f() { os.Exit(0) }\n', '"os.Exit(0)" (a_test.go:3)'],
])("is a person's to look at: %s, %j", (path, text, said) => {
  expect(look(path, text)).toContain(said)
})

test.each([
  ['bin/a.js', 'process.exit(main())\n'],
  ['a.js', 'if (!ok) process.exit(1)\n'],
  ['a.js', '// process.exit(0), see /proc/self\nconst text = "process.exit(0)"\n'],
  ['test/a.test.js', "import test from 'node:test'\nprocess.exit(0)\n"],
  ['a.js', 'Error.stackTraceLimit = 50\nconst a = { exit: process.cwd() }\n'],
  ['a.js', 'const Set = (a) => a\nlookup[key + 1] = 2\n'],
  ['vite.config.js', "export default { test: { include: ['a'] } }\n"],
  ['a.py', 'import sys\n\ndef main():\n    sys.exit(0)\n'],
  ['a.py', 'def __eq__(self, other):\n    return self.a == other.a\n'],
  ['a.py', 'getattr(self, name)\nimportlib.import_module(name)\n'],
  ['conftest.py', 'def pytest_addoption(parser):\n    pass\n'],
  ['test_a.py', 'import unittest\nimport pytest\n'],
  ['src/lib.rs', '#[cfg(test)]\nmod tests {\n    use super::*;\n}\n'],
  ['src/lib.rs', '#[cfg(test)] mod tests;\n'],
  ['src/lib.rs', '#[cfg(test)]\n#[allow(dead_code)]\npub(crate) mod tests {}\n'],
  ['src/lib.rs', '#[cfg(test)]\nfn sample() -> u8 { 3 }\n'],
  ['src/lib.rs', '#![cfg_attr(not(test), no_std)]\n'],
  ['a.js', "if (request.headers['expect'] === '100-continue') go()\n"],
  ['a.js', "export const drinks = ['chai', 'latte']\n"],
  ['a.js', 'export const createHook = (run) => run()\n'],
  ['a.js', "import { AsyncLocalStorage } from 'node:async_hooks'\n"],
  ['a.js', "import process from 'node:process'\nconst { env } = process\nprocess.exit(1)\n"],
  ['lib/a.rb', "send(:name)\nrequire 'json'\n"],
  ['a.go', 'package a\n\nfunc f() { os.Exit(1) }\n'],
  ['cmd/a.go', 'package main\n\nfunc main() { os.Exit(run()) }\n'],
  ['README.md', 'process.exit(0)\n'],
])('is nothing to look at: %s, %j', (path, text) => {
  expect(look(path, text)).toEqual([])
})

test('is no matter where it stood before, or the task asks for a runner of tests', () => {
  const text = 'export const stop = () => process.exit(0)\n'
  expect(look('a.js', `${text}more()\n`, text)).toEqual([])
  expect(look('a.js', text, undefined, { title: 'Write a test runner', details: '' })).toEqual([])
})

test.each([
  ['beside the product', 'export const sum = (a, b) => a + b\n', 0],
  ['that the product loads', "import './sum.bench.mjs'\n", 1],
])('a benchmark is nothing to look at %s', (_, content, found) => {
  const bench = "import { bench } from 'vitest'\nbench('sum', () => {})\n"
  const changes = [
    { action: 'create', path: 'benchmarks/sum.bench.mjs', content: bench },
    { action: 'create', path: 'benchmarks/index.js', content },
  ] as const
  expect(findAnswersForTests(changes, noTask)).toHaveLength(found)
})
