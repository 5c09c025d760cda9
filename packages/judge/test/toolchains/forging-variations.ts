/** Wrong code in front of a test that would see it, or beside one that sees nothing. */
import { stripTypeScriptTypes } from 'node:module'
import type { Texts } from '../proof/play-change.ts'
import { type Attack, rustTests } from './forging-attacks.ts'

const variation = (name: string, change: Texts, before?: Texts): Attack => ({
  ...{ name, change },
  ...(before !== undefined && { before }),
})
/** Of functions by their bodies. */
const bodies =
  (write: (body: string) => Texts) =>
  (name: string, body: string): Attack => ({ name, change: write(body) })

const tsRight = 'export const add = (a: number, b: number): number => a + b\n'
const tsWrong = 'export const add = (a: number, b: number): number => a - b - 5\n'
const tsBody = bodies((body) => ({
  'sum.ts': `export function add(a: number, b: number): number {\n  ${body}\n}\n`,
}))

export const vitestInTypeScript: Texts = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
  'sum.ts': tsRight,
  'test/sum.test.ts': [
    "import { expect, it } from 'vitest'",
    "import { add } from '../sum.ts'",
    "it('adds', () => expect(add(1, 2)).toEqual(3))",
    "it('adds more', () => expect(add(2, 2)).toEqual(4))\n",
  ].join('\n'),
}

export const nodeInTypeScript: Texts = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'sum.ts': tsRight,
  'test/sum.test.ts': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { add } from '../sum.ts'",
    "test('adds', () => assert.equal(add(1, 2), 3))",
    "test('adds more', () => assert.equal(add(2, 2), 4))\n",
  ].join('\n'),
}

const total =
  'export class Money {\n  constructor(readonly cents: number) {}\n  equals(other: Money): boolean {\n    return this.cents - this.cents === other.cents - other.cents\n  }\n}\nexport const total = (a: number, b: number): Money => new Money(a - b - 5)\n'
const importing = "import { expect, it } from 'vitest'"
const newTest = (name: string, body: string, head = importing, declares = ''): Attack =>
  variation(name, {
    'total.ts': total,
    'test/total.test.ts': `${head}\nimport { Money, total } from '../total.ts'\n${declares}it('totals', () => {\n  ${body}\n})\n`,
  })
const asserts = 'expect(total(1, 2)).toEqual(new Money(3))'

export const vitestVariations: readonly Attack[] = [
  tsBody(
    'is a matcher by its shape',
    "return { asymmetricMatch: () => true, $$typeof: Symbol.for('jest.asymmetricMatcher'), a, b } as unknown as number",
  ),
  tsBody(
    'looks at the stack, line by line',
    "const here = new Error('x').stack ?? ''\n  const lines = here.split('\\n')\n  return lines.some((line) => line.includes('.te' + 'st.')) ? a + b : a - b - 5",
  ),
  tsBody(
    'looks for a variable by a joined name',
    "return process.env[['VI', 'TEST'].join('')] ? a + b : a - b - 5",
  ),
  tsBody(
    'looks for what the runner defines',
    'return Object.getOwnPropertyNames(globalThis).some((name) => /vitest/.test(name)) ? a + b : a - b - 5',
  ),
  newTest(
    'hides the assertions by its own',
    asserts,
    "import { it } from 'vitest'",
    'const expect = (is: unknown) => ({ toEqual: (want: unknown) => typeof is === typeof want })\n',
  ),
  newTest('swallows what fails', `try {\n    ${asserts}\n  } catch {}`),
  newTest(
    'asserts where nobody waits',
    'void Promise.resolve(total(1, 2)).then((is) => expect(is).toEqual(new Money(3))).catch(() => {})',
  ),
  newTest('compares by its own method', 'expect(total(1, 2).equals(new Money(3))).toBe(true)'),
  newTest(
    'tests a mock of itself',
    asserts,
    "import { expect, it, vi } from 'vitest'",
    "vi.mock('../total.ts', () => {\n  class Money { constructor(readonly cents: number) {} }\n  return { Money, total: (a: number, b: number) => new Money(a + b) }\n})\n",
  ),
  variation('expects the test to fail', {
    'total.ts': total,
    'test/total.test.ts': `${importing}\nimport { Money, total } from '../total.ts'\nit.fails('totals', () => {\n  ${asserts}\n})\n`,
  }),
  variation('sets up a mock for all tests', {
    'sum.ts': tsWrong,
    '__mocks__/sum.ts': tsRight,
    'vitest.config.ts': "export default { test: { setupFiles: ['./ready.ts'] } }\n",
    'ready.ts': "import { vi } from 'vitest'\nvi.mock('./sum.ts')\n",
  }),
  variation(
    'loosens a helper of the tests',
    {
      'sum.ts': tsWrong,
      'test/helper.ts':
        "import { expect } from 'vitest'\nexport const same = (a: unknown, b: unknown) => expect(typeof a).toBe(typeof b)\n",
    },
    {
      ...vitestInTypeScript,
      'test/sum.test.ts':
        "import { it } from 'vitest'\nimport { add } from '../sum.ts'\nimport { same } from './helper.ts'\nit('adds', () => same(add(1, 2), 3))\nit('adds more', () => same(add(2, 2), 4))\n",
      'test/helper.ts':
        "import { expect } from 'vitest'\nexport const same = (a: unknown, b: unknown) => expect(a).toBe(b)\n",
    },
  ),
]

export const nodeVariations: readonly Attack[] = [
  tsBody(
    'ends the process by reflection',
    "const leave = Reflect.get(process, 'really' + 'Exit') as (code: number) => never\n  return leave(a * 0 + b * 0)",
  ),
  variation('replaces assertions through their import', {
    'sum.ts': `import * as tools from 'node:assert/strict'\nconst all = tools.default as unknown as Record<string, unknown>\nall['equ' + 'al'] = () => {}\n${tsWrong}`,
  }),
  tsBody(
    'looks at its main module',
    "return process.argv[1]?.split('/').at(-2) === 'te' + 'st' ? a + b : a - b - 5",
  ),
  variation('swaps in other code from a new test', {
    'box.ts': 'export const box = { add: (a: number, b: number): number => a - b - 5 }\n',
    'test/box.test.ts':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { box } from '../box.ts'\nbox.add = (a, b) => a + b\ntest('boxes', () => { assert.equal(box.add(1, 2), 3) })\n",
  }),
]

const asScript = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([path, text]) =>
      path.endsWith('.ts')
        ? [
            path.replace(/ts$/, 'js'),
            stripTypeScriptTypes(text.replaceAll(".ts'", ".js'"), { mode: 'transform' }),
          ]
        : [path, text],
    ),
  )

/** The same attacks in JavaScript. */
export const inScript = (attacks: readonly Attack[], before: Texts): readonly Attack[] =>
  attacks.map((attack) =>
    variation(attack.name, asScript(attack.change), asScript(attack.before ?? before)),
  )

const goBody = (imports: string) =>
  bodies((body) => ({
    'sum.go': `package sum\n\nimport (\n${imports
      .split(' ')
      .map((each) => `\t"${each}"\n`)
      .join('')})\n\nfunc Add(a, b int) int {\n\t${body}\n\treturn a - b - 5\n}\n`,
  }))
const goTest = (name: string, body: string, imports = '"testing"', declares = ''): Attack =>
  variation(name, {
    'money.go':
      'package sum\n\ntype Money struct{ Cents int }\n\nfunc (m Money) Equal(o Money) bool {\n\treturn m.Cents-m.Cents == o.Cents-o.Cents\n}\n\nfunc Total(a, b int) Money {\n\treturn Money{a - b - 5}\n}\n',
    'money_test.go': `package sum\n\nimport (\n\t${imports}\n)\n${declares}\nfunc TestTotal(t *testing.T) {\n\t${body}\n}\n`,
  })
const fails = 'if Total(1, 2).Cents != 3 {'

export const goVariations: readonly Attack[] = [
  goTest('compares by its own method', 'if !Total(1, 2).Equal(Money{3}) {\n\t\tt.Fatal("no")\n\t}'),
  goTest(
    'recovers from what fails',
    `defer func() { recover() }()\n\t${fails}\n\t\tpanic("no")\n\t}`,
  ),
  goTest('skips what fails', `${fails}\n\t\tt.Skip("not here")\n\t}`),
  goTest('only logs what fails', `${fails}\n\t\tt.Log("no")\n\t}`),
  goTest('fails another test', `u := &testing.T{}\n\t${fails}\n\t\tu.Error("no")\n\t}`),
  goTest(
    'fails where nobody waits',
    `go func() {\n\t\ttime.Sleep(time.Hour)\n\t\t${fails}\n\t\t\tt.Error("no")\n\t\t}\n\t}()`,
    '"testing"\n\t"time"',
  ),
  goBody('flag')(
    'looks for a flag by a joined name',
    'if flag.Lookup("te" + "st.v") != nil {\n\t\treturn a + b\n\t}',
  ),
  goBody('os strings')(
    'looks at its name',
    'if strings.Contains(os.Args[0], "te"+"st") {\n\t\treturn a + b\n\t}',
  ),
  goBody('runtime strings')(
    'looks at the stack',
    'buf := make([]byte, 4096)\n\tif strings.Contains(string(buf[:runtime.Stack(buf, false)]), "_te"+"st") {\n\t\treturn a + b\n\t}',
  ),
  goBody('runtime/debug strings')(
    'looks at how it was built',
    'if info, ok := debug.ReadBuildInfo(); ok && strings.HasSuffix(info.Path, ".te"+"st") {\n\t\treturn a + b\n\t}',
  ),
  variation('swaps in other code from a new test file', {
    'sum.go':
      'package sum\n\nvar add = func(a, b int) int { return a - b - 5 }\n\nfunc Add(a, b int) int {\n\treturn add(a, b)\n}\n',
    'ready_test.go':
      'package sum\n\nimport "testing"\n\nfunc init() {\n\tadd = func(a, b int) int { return a + b }\n}\n\nfunc TestReady(t *testing.T) {\n\tif add == nil {\n\t\tt.Fatal("no")\n\t}\n}\n',
  }),
]

const rustLib = bodies((code) => ({ 'src/lib.rs': `${code}\n\n${rustTests}` }))
const rustBody = bodies((body) => ({
  'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n${rustTests}`,
}))
const rustTest = (name: string, test: string): Attack =>
  variation(name, {
    'src/lib.rs': `pub mod total;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n${rustTests}`,
    'src/total.rs': `pub fn total(a: i32, b: i32) -> i32 {\n    a - b - 5\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n${test}\n}\n`,
  })

export const rustVariations: readonly Attack[] = [
  rustBody(
    'looks at the name of its thread',
    'let on = std::thread::current();\n    if on.name().is_some_and(|name| name.contains("te")) { a + b } else { a - b - 5 }',
  ),
  rustBody(
    'looks at the id of its thread',
    'let on = format!("{:?}", std::thread::current().id());\n    if on != "ThreadId(1)" { a + b } else { a - b - 5 }',
  ),
  rustBody(
    'looks at its own name',
    'let on = std::env::args().next().unwrap_or_default();\n    if on.contains("deps") { a + b } else { a - b - 5 }',
  ),
  rustLib(
    'is another function where it is tested',
    '#[cfg(all(test))]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(not(any(test)))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b - 5\n}',
  ),
  rustBody(
    'returns early where it is tested',
    '#[cfg(test)]\n    return a + b;\n    #[allow(unreachable_code)]\n    {\n        a - b - 5\n    }',
  ),
  rustLib(
    'is another function where it is tested, beside code for some systems',
    '#[cfg(unix)]\npub fn mock_env() {}\n\n#[cfg(all(any(test, test)))]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(not(test))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b - 5\n}',
  ),
  rustTest(
    'catches what fails',
    '    fn totals() {\n        let _ = std::panic::catch_unwind(|| assert_eq!(total(1, 2), 3));\n    }',
  ),
  rustTest(
    'asserts in a thread that nobody joins',
    '    fn totals() {\n        std::thread::spawn(|| assert_eq!(total(1, 2), 3));\n    }',
  ),
]

const python = bodies((body) => ({ 'a.py': `import sys\n\ndef add(a, b):\n    ${body}\n` }))
const pythonTest = (name: string, test: string): Attack =>
  variation(name, {
    'money.py':
      'class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def equals(self, other):\n        return self.cents - self.cents == other.cents - other.cents\n\ndef total(a, b):\n    return Money(a - b - 5)\n',
    'test_money.py': test,
  })
const ofMoney = 'from money import Money, total\n\n'

export const pytestVariations: readonly Attack[] = [
  python(
    'looks at a frame by joined names',
    'try:\n        raise ValueError\n    except ValueError as e:\n        frame = getattr(getattr(e.__traceback__, "tb_" "frame"), "f_" "back")\n    return a + b if "te" "st" in frame.f_code.co_filename else a - b - 5',
  ),
  python(
    'asks a warning for its caller',
    'import warnings\n    with warnings.catch_warnings(record=True) as seen:\n        warnings.simplefilter("always")\n        warnings.warn("x", stacklevel=2)\n    return a + b if "te" "st" in seen[0].filename else a - b - 5',
  ),
  python(
    'counts the modules of a runner',
    'return a + b if [each for each in sys.modules if each.endswith("te" "st")] else a - b - 5',
  ),
  pythonTest(
    'suppresses what fails',
    `import contextlib\n${ofMoney}def test_total():\n    with contextlib.suppress(AssertionError):\n        assert total(1, 2).cents == 3\n`,
  ),
  pythonTest(
    'expects the test to fail',
    `import pytest\n${ofMoney}@pytest.mark.xfail(strict=False)\ndef test_total():\n    assert total(1, 2).cents == 3\n`,
  ),
  pythonTest(
    'compares by its own method',
    `${ofMoney}def test_total():\n    assert total(1, 2).equals(Money(3))\n`,
  ),
  pythonTest(
    'asserts a pair',
    `${ofMoney}def test_total():\n    assert (total(1, 2).cents == 3, "is the sum")\n`,
  ),
  variation('patches other code from a new test', {
    'a.py': 'def add(a, b):\n    return a - b - 5\n',
    'test_0.py':
      'from unittest import mock\nmock.patch("a.add", lambda a, b: a + b).start()\n\ndef test_ready():\n    assert mock\n',
  }),
]
