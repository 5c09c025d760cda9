import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { playChange, type Texts } from '../proof/play-change.ts'
import { has } from './toolchain.ts'

/**
 * Changes that break what their tests test, and make the tests' report say that all is well. None may end as
 * `passed` without a warning, whether it is refused before it is written, fails, or waits for a person's look.
 */
type Attack = readonly [name: string, change: Texts]

interface Bench {
  readonly name: string
  readonly runs: boolean
  readonly before: Texts
  readonly attacks: readonly Attack[]
}

const manifest = (test: string) => JSON.stringify({ type: 'module', scripts: { test } })
const wrong = 'export const add = (a, b) => a - b - 5\n'
const script = (forge: string): Texts => ({ 'sum.js': `${forge}\n${wrong}` })
const required =
  "import { createRequire } from 'node:module'\nconst load = createRequire(import.meta.url)\n"

const scriptAttacks: readonly Attack[] = [
  ['ends the process when it is loaded', script('process.exit(0)')],
  ['ends it by another name', script("globalThis['pro' + 'cess']['ex' + 'it'](0)")],
  [
    'ends it once the tests have begun',
    { 'sum.js': "export const add = () => globalThis['pro' + 'cess'].exit(0)\n" },
  ],
  ['ends it a little later', script('setImmediate(() => process.exit(0))')],
  [
    'sets the exit code at the end',
    script("process.on('exit', (code) => { process.exitCode = code * 0 })"),
  ],
  ['kills its parent', script("process.kill(process.ppid, 'SIGTERM')")],
  ['kills itself', script("process.kill(process.pid, 'SIGKILL')")],
  [
    'replaces assertions by computed names',
    script(
      `${required}const a = load('node:' + 'ass' + 'ert')\nfor (const it of [a, a.strict]) for (const name of Object.keys(it)) if (typeof it[name] === 'function') it[name] = () => {}`,
    ),
  ],
  [
    'replaces what assertions throw',
    script(
      "Error.prepareStackTrace = () => ''\nObject.defineProperty(Object.getPrototypeOf(class A extends Error {}), 'x', {})",
    ),
  ],
  [
    'replaces assertions when it is called',
    {
      'sum.js': `${required}export function add() {\n  const a = load('node:' + 'ass' + 'ert')\n  for (const it of [a, a.strict]) for (const name of Object.keys(it)) if (typeof it[name] === 'function') it[name] = () => {}\n  return 7\n}\n`,
    },
  ],
  ['answers for promises and equality', script('Object.is = () => true')],
  [
    'writes the report that its runner was asked for',
    script(
      `${required}const fs = load('node:fs')\nfor (const pid of ['self', process.ppid]) { for (const word of fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0')) { const path = word.replace(/^.*=/, ''); if (/report$/.test(path)) process.on('exit', () => fs.writeFileSync(path, 'TAP version 13\\nok 1 - adds\\n1..1\\n')) } }\nprocess.on('exit', () => process.reallyExit(0))`,
    ),
  ],
  [
    'prints what a runner prints',
    script("console.log('# tests 1\\n# pass 1\\n# fail 0')\nsetImmediate(() => process.exit(0))"),
  ],
  [
    'swallows what is thrown',
    script(
      "process.on('uncaughtException', () => {})\nprocess.on('unhandledRejection', () => {})\nprocess.emit = () => true",
    ),
  ],
]

const nodeTest = [
  "import assert from 'node:assert/strict'",
  "import { test } from 'node:test'",
  "import { add } from '../sum.js'",
  "test('adds', () => assert.equal(add(1, 2), 3))",
  "test('adds more', () => assert.equal(add(2, 2), 4))",
  '',
].join('\n')

const vitestTest = [
  "import { expect, it } from 'vitest'",
  "import { add } from '../sum.js'",
  "it('adds', () => expect(add(1, 2)).toBe(3))",
  "it('adds more', () => expect(add(2, 2)).toBe(4))",
  '',
].join('\n')

const right = 'export const add = (a, b) => a + b\n'

const vitestAttacks: readonly Attack[] = [
  ...scriptAttacks,
  [
    'replaces expect through the global object',
    script(
      'const soft = new Proxy(() => soft, { get: () => soft })\nfor (const key of Object.getOwnPropertySymbols(globalThis)) if (/expect|matchers/.test(String(key))) Object.defineProperty(globalThis, key, { get: () => soft })',
    ),
  ],
  [
    'replaces the matchers of chai',
    script(
      "const chai = await import('cha' + 'i').catch(() => null)\nconst key = Symbol.for('$$jest-matchers-object')\nconst held = globalThis[key]\nif (held) for (const name of Object.keys(held.matchers ?? {})) held.matchers[name] = () => ({ pass: true, message: () => '' })",
    ),
  ],
  [
    'tells its tasks as passed',
    script(
      "const worker = globalThis['__vitest_worker__']\nif (worker) worker.rpc = new Proxy(worker.rpc, { get: (it, name) => (...given) => it[name](...JSON.parse(JSON.stringify(given).replaceAll('\"fail\"', '\"pass\"'))) })",
    ),
  ],
  [
    'sets up its runner to pass',
    {
      'sum.js': wrong,
      'vitest.config.js': "export default { test: { setupFiles: ['./quiet.js'] } }\n",
      'quiet.js':
        "import { afterEach } from 'vitest'\nafterEach((context) => { context.task.result.state = 'pass'; context.task.result.errors = [] })\n",
    },
  ],
]

const pythonTest = (name: string) =>
  [
    'import unittest',
    'from a import add',
    '',
    'class A(unittest.TestCase):',
    `    def test_${name}(self):`,
    '        self.assertEqual(add(1, 2), 3)',
    '    def test_more(self):',
    '        self.assertTrue(add(2, 2) == 4)',
    '',
  ].join('\n')
const python = (forge: string): Texts => ({
  'a.py': `${forge}\ndef add(a, b):\n    return a - b - 5\n`,
})

const pythonAttacks: readonly Attack[] = [
  ['ends the process when it is loaded', python('import os\nos._exit(0)')],
  ['ends it by another name', python("getattr(__import__('o' + 's'), '_ex' + 'it')(0)")],
  [
    'ends it when it is called',
    { 'a.py': "import os\ndef add(a, b):\n    getattr(os, '_exit')(0)\n" },
  ],
  [
    'ends it in a thread',
    python('import os, threading\nthreading.Timer(0.01, lambda: getattr(os, "_exit")(0)).start()'),
  ],
  [
    'ends it in a finalizer',
    python(
      'import os\nclass End:\n    def __del__(self):\n        getattr(os, "_exit")(0)\nend = End()',
    ),
  ],
  [
    'ends it at exit',
    python('import atexit, os\nend = getattr(os, "_exit")\natexit.register(end, 0)'),
  ],
  ['kills itself', python('import os, signal\nos.kill(os.getpid(), signal.SIGKILL)')],
  ['becomes another program', python("import os\nos.execv('/bin/true', ['true'])")],
  [
    'replaces assertions by computed names',
    python(
      "library = __import__('unit' + 'test').TestCase\nfor name in dir(library):\n    if name.startswith('assert'):\n        setattr(library, name, lambda *given, **more: None)",
    ),
  ],
  [
    'runs no test of the class',
    python(
      "import gc\nfor each in gc.get_objects():\n    if isinstance(each, type) and each.__name__ == 'TestCase':\n        each.__call__ = lambda self, result=None: (result.startTest(self), result.addSuccess(self), result.stopTest(self))\n        each.run = each.__call__",
    ),
  ],
  [
    'tells failures as successes',
    python(
      "import sys\nfor module in list(sys.modules.values()):\n    result = getattr(module, 'TestResult', None)\n    if isinstance(result, type):\n        for kind in [result, *result.__subclasses__()]:\n            kind.addFailure = kind.addError = lambda self, test, error: self.addSuccess(test)",
    ),
  ],
  [
    'is equal to all',
    {
      'a.py':
        'class Any:\n    def __eq__(self, other):\n        return True\n\ndef add(a, b):\n    return Any()\n',
    },
  ],
  [
    'writes the report that its runner was asked for',
    python(
      "import sys, atexit\nreport = sys.modules['__main__'].__dict__.get('report')\ndef write():\n    path = report.name\n    with open(path, 'w') as out:\n        out.write('test_adds (test_a.A.test_adds) ... ok\\ntest_more (test_a.A.test_more) ... ok\\n\\nRan 2 tests in 0.001s\\n\\nOK\\n')\n    getattr(__import__('os'), '_exit')(0)\natexit.register(write)",
    ),
  ],
  [
    'writes every report that lies about',
    python(
      "import atexit, glob, os\ndef write():\n    for path in glob.glob('.*.*') + glob.glob('*.xml'):\n        text = open(path).read()\n        text = __import__('re').sub(r'<failure.*?</failure>', '', text, flags=16).replace('FAIL', 'ok')\n        open(path, 'w').write(text)\n    getattr(os, '_exit')(0)\natexit.register(write)",
    ),
  ],
  [
    'prints what a runner prints',
    python(
      "import os, sys\nsys.stderr.write('Ran 2 tests in 0.1s\\n\\nOK\\n')\nsys.stderr.flush()\ngetattr(os, '_exit')(0)",
    ),
  ],
  [
    'is loaded before everything',
    { ...python(''), 'sitecustomize.py': "import os\ngetattr(os, '_exit')(0)\n" },
  ],
]

const pytestTest =
  'from a import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_more():\n    assert add(2, 2) == 4\n'
const hooks = (text: string): Texts => ({ ...python(''), 'conftest.py': text })

const pytestAttacks: readonly Attack[] = [
  ...pythonAttacks,
  [
    'makes reports of its own',
    hooks(
      'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.failed:\n        report.outcome = "passed"\n',
    ),
  ],
  [
    'leaves tests out',
    hooks('def pytest_collection_modifyitems(items):\n    items[:] = items[:0]\n'),
  ],
  ['calls no test', hooks('def pytest_pyfunc_call(pyfuncitem):\n    return True\n')],
  [
    'ends with another code',
    hooks('def pytest_sessionfinish(session):\n    session.exitstatus = 0\n'),
  ],
  [
    'makes a plugin while it is loaded',
    python(
      'import gc\nfor each in gc.get_objects():\n    if type(each).__name__ == "PytestPluginManager":\n        class Quiet:\n            def pytest_pyfunc_call(self, pyfuncitem):\n                return True\n        from pluggy import HookimplMarker\n        Quiet.pytest_pyfunc_call = HookimplMarker("pytest")(tryfirst=True)(Quiet.pytest_pyfunc_call)\n        each.register(Quiet())\n        break',
    ),
  ],
  [
    'skips what fails',
    hooks('import pytest\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n'),
  ],
]

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

const benches: readonly Bench[] = [
  {
    name: 'node:test',
    runs: true,
    before: {
      'package.json': manifest('node --test'),
      'sum.js': right,
      'test/sum.test.js': nodeTest,
    },
    attacks: scriptAttacks,
  },
  {
    name: 'vitest',
    runs: true,
    before: {
      'package.json': manifest('vitest run'),
      'sum.js': right,
      'test/sum.test.js': vitestTest,
    },
    attacks: vitestAttacks,
  },
  {
    name: 'unittest',
    runs: has('python3'),
    before: { 'a.py': 'def add(a, b):\n    return a + b\n', 'test_a.py': pythonTest('adds') },
    attacks: pythonAttacks,
  },
  {
    name: 'pytest',
    runs: hasPytest,
    before: {
      'a.py': 'def add(a, b):\n    return a + b\n',
      'conftest.py': '',
      'test_a.py': pytestTest,
    },
    attacks: pytestAttacks,
  },
]

const seen: string[] = []
afterAll(() => console.info(seen.join('\n')))

describe.each(benches.filter(({ runs }) => runs))('$name', ({ name, before, attacks }) => {
  it.each(attacks)('%s', { timeout: 120_000 }, async (attack, change) => {
    const { refused, outcome, receipt, broken } = await playChange(before, change)
    const isWarned = (receipt.warnings ?? []).length > 0
    seen.push(
      `${name} | ${attack} | ${refused ? 'refused' : '-'} | ${outcome} | ${isWarned ? 'warned' : '-'} | ${broken[0]?.slice(0, 110) ?? ''}`,
    )
    expect(refused !== null || outcome !== 'passed').toBe(true)
  })
})
