import { posix } from 'node:path'
import { maskCurly } from '../../source/source.ts'
import type { TestRunner } from '../detect/suite.ts'

export interface Canary {
  /** Of the copy; the test file's own where its language takes no copy. */
  readonly path: string
  readonly text: string
  /** Part of the name of each of its tests, and of nothing else. */
  readonly mark: string
}

const script = /\.[cm]?[jt]sx?$/

/**
 * Copies a test file and appends tests that must fail, one for each way that the file can assert;
 * so it loads and calls what that file does. `null` for a file that the runner does not run.
 *
 * @param marks two unguessable names of letters and digits
 */
export function writeCanary(
  { path, text }: { readonly path: string; readonly text: string },
  runner: TestRunner,
  [name, mark]: readonly [name: string, mark: string],
): Canary | null {
  if (path.endsWith('.py')) {
    if (runner !== 'pytest' && runner !== 'unittest') return null
    const own = { path: named(path, `_${name}`), mark }
    return { ...own, text: `${text}\n\n${pythonTests(mark, runner)}` }
  }
  if (path.endsWith('.rs')) return runner === 'cargo' ? cargoCanary(path, text, [name, mark]) : null
  if (path.endsWith('_test.go')) return runner === 'go' ? goCanary(path, text, [name, mark]) : null
  if (path.endsWith('.java'))
    return runner === 'junit' ? javaCanary(path, text, [name, mark]) : null
  const tests = script.test(path) ? scriptTests(path, text, runner, mark) : null
  if (tests === null) return null
  return { path: named(path, `-${name}`), mark, text: `${unchecked(path, text)}\n\n${tests}` }
}

/**
 * Go does not take a copy of a file beside it. Its tests run in the order of the files' names, so that one at the end
 * is not reported when code ends the process before.
 */
function goCanary(
  path: string,
  text: string,
  [name, mark]: readonly [string, string],
): Canary | null {
  const clause = /^package[ \t]+\w+/m.exec(text)?.[0]
  if (clause === undefined) return null
  const body = 't.Fatal("it must fail")'
  return {
    path: posix.join(posix.dirname(path), `zz_${name}_test.go`),
    text: `${clause}\n\nimport "testing"\n\nfunc TestZz_${mark}(t *testing.T) {\n\t${body}\n}\n`,
    mark,
  }
}

/**
 * A module of Rust has one file, so the test is in the test file itself, last in the order of names. Tests run side
 * by side: it waits for code that ends the process.
 */
function cargoCanary(
  path: string,
  text: string,
  [name, mark]: readonly [string, string],
): Canary | null {
  const wait = 'zz_std::thread::sleep(zz_std::time::Duration::from_millis(300));'
  const body = `${wait}\n        panic!("it must fail")`
  const test = `    extern crate std as zz_std;\n    #[test]\n    fn zz_${mark}() {\n        ${body}\n    }`
  return { path, text: `${text}\n#[cfg(test)]\nmod zz_${name} {\n${test}\n}\n`, mark }
}

/** The libraries of Java's tests: how a method becomes a test, and where assertions are. */
const javaLibraries: readonly {
  readonly used: RegExp
  readonly head: string
  readonly of: string
}[] = [
  {
    used: /\borg\.junit\.jupiter\./,
    head: '@org.junit.jupiter.api.Test public void',
    of: 'org.junit.jupiter.api.Assertions',
  },
  { used: /\borg\.junit\./, head: '@org.junit.Test public void', of: 'org.junit.Assert' },
  {
    used: /\borg\.testng\./,
    head: '@org.testng.annotations.Test public void',
    of: 'org.testng.Assert',
  },
]

function javaCanary(
  path: string,
  text: string,
  [name, mark]: readonly [string, string],
): Canary | null {
  const library = javaLibraries.find(({ used }) => used.test(text))
  if (library === undefined) return null
  const end = maskCurly(text, 'java').lastIndexOf('}')
  const ways = [`${library.of}.assertEquals(1, 2)`, `${library.of}.assertTrue(false)`]
  const tests = [...ways, 'throw new IllegalStateException()'].map(
    (way, index) => `  ${library.head} zz_${mark}_${index}() { ${way}; }\n`,
  )
  const copy = copyOfClass(path, `${text.slice(0, end)}\n${tests.join('')}${text.slice(end)}`, name)
  return copy && { ...copy, mark }
}

/**
 * Copies a test class of Java. A class has the name of its file, so the copy has another one throughout. `null` for a file
 * with a second type, which would be there twice.
 */
export function copyOfClass(path: string, text: string, name: string): Omit<Canary, 'mark'> | null {
  const masked = maskCurly(text, 'java')
  const types = masked.match(/^(?:[\w@]+[ \t]+)*(?:class|interface|enum|record)[ \t]+\w+/gm) ?? []
  if (types.length !== 1) return null
  const old = posix.basename(path, '.java')
  const copied = `${old}${name[0]?.toUpperCase()}${name.slice(1)}Test`
  return {
    path: posix.join(posix.dirname(path), `${copied}.java`),
    text: text.replace(new RegExp(`\\b${old}\\b`, 'g'), copied),
  }
}

/** `a.test.js` → `a-x.test.js`, `test_a.py` → `test_a_x.py`, `a_test.py` → `a_x_test.py`. */
export function named(path: string, added: string): string {
  const base = posix.basename(path)
  const at = /(?:(?<=.)[-_](?:tests?|specs?))?(?:\.|$)/.exec(base)?.index ?? 0
  return posix.join(posix.dirname(path), base.slice(0, at) + added + base.slice(at))
}

/** Turns off type checks for tests that are added or altered; a comment configuring the runner stays first. */
export function unchecked(path: string, text: string): string {
  if (!/\.[cm]?tsx?$/.test(path)) return text
  const first = /^\s*\/\*[\s\S]*?\*\//.exec(text)?.[0] ?? ''
  return `${first}\n// @ts-nocheck\n${text.slice(first.length)}`
}

const pythonWays: readonly string[] = [
  'self.assertEqual(1, 2)',
  'self.assertTrue(False)',
  'self.assertIn(1, [])',
  'self.assertRaises(KeyError, len, [])',
  'self.fail()',
  'assert 1 == 2',
  'raise RuntimeError()',
]
const pytestWays: readonly string[] = [
  'assert [1] == [2]',
  'raise RuntimeError()',
  '__import__("pytest").fail()',
  '__import__("pytest").raises(KeyError, len, [])',
]

function pythonTests(mark: string, runner: TestRunner): string {
  const library = `library_${mark}`
  const own = pythonWays.map(
    (way, index) => `    def test_${mark}_${index}(self):\n        ${way}\n`,
  )
  const more = runner === 'pytest' ? pytestWays : []
  return [
    `import unittest as ${library}\n\n`,
    `class Test${mark}(${library}.TestCase):\n${own.join('\n')}`,
    ...more.map((way, index) => `\ndef test_${mark}_f${index}():\n    ${way}\n`),
  ].join('\n')
}

/** Assertions under a library's import name, here `$`. */
const libraries: readonly { readonly specifier: RegExp; readonly ways: readonly string[] }[] = [
  {
    specifier: /["']((?:node:)?assert(?:\/strict)?)["']/,
    ways: [
      '$.equal(1, 2)',
      '$.strictEqual(1, 2)',
      '$.deepEqual([1], [2])',
      '$.deepStrictEqual([1], [2])',
      '$.ok(false)',
      '$.throws(() => {})',
    ],
  },
  {
    specifier: /["'](chai)["']/,
    ways: [
      '$.assert.equal(1, 2)',
      '$.assert.deepEqual([1], [2])',
      '$.expect(1).to.equal(2)',
      '$.expect(false).to.be.true',
    ],
  },
]

const expected: readonly string[] = [
  'expect(1).toBe(2)',
  'expect([1]).toEqual([2])',
  'expect(false).toBeTruthy()',
  'expect(() => {}).toThrow()',
]

interface RunnerForm {
  /** The module from which its tests import these names. */
  readonly module: string | null
  readonly names: readonly string[]
  /** The function that declares a test. */
  readonly test: string
  readonly ways: readonly string[]
}

const runners: Partial<Record<TestRunner, RunnerForm>> = {
  'node-test': {
    module: 'node:test',
    names: ['test'],
    test: '$test',
    ways: ['t.assert.strictEqual(1, 2)', 't.assert.ok(false)'],
  },
  vitest: {
    module: 'vitest',
    names: ['test', 'expect', 'assert'],
    test: '$test',
    ways: [
      ...expected.map((way) => way.replace('expect', '$expect')),
      '$assert.equal(1, 2)',
      '(globalThis.expect ?? $expect)(1).toBe(2)',
    ],
  },
  jest: { module: null, names: [], test: 'test', ways: expected },
  mocha: {
    module: null,
    names: [],
    test: '(typeof it === "undefined" ? test : it)',
    ways: ['expect(1).to.equal(2)'],
  },
  tap: {
    module: 'ava',
    names: ['default'],
    test: '$default',
    ways: ['t.is(1, 2)', 't.deepEqual([1], [2])', 't.true(false)', 't.throws(() => {})'],
  },
}

function scriptTests(path: string, text: string, runner: TestRunner, mark: string): string | null {
  const known = runners[runner]
  if (known === undefined) return null
  const { module, names, test, ways } = known
  const isModule = runner === 'vitest' || usesImport(path, text)
  const bind = (specifier: string, local: string, name: string) =>
    isModule
      ? `import { ${name} as ${local} } from '${specifier}'`
      : `const ${local} = require('${specifier}')${name === 'default' ? '' : `.${name}`}`
  const own = (line: string) => line.replace(/\$(\w+)/g, (_, name: string) => `${name}_${mark}`)
  const used = libraries.flatMap(({ specifier, ways }, index) => {
    const found = specifier.exec(text)?.[1]
    const local = `library${index}_${mark}`
    const whole = isModule
      ? `import * as ${local}_all from '${found}'\nconst ${local} = ${local}_all.default ?? ${local}_all`
      : `const ${local} = require('${found}')`
    return found === undefined
      ? []
      : [{ whole, ways: ways.map((way) => way.replaceAll('$', () => local)) }]
  })
  const all = [...ways.map(own), ...used.flatMap((each) => each.ways), 'throw new Error()']
  return [
    // Ends a last line without semicolon, which would continue into the next.
    ';',
    ...(module === null ? [] : names.map((name) => bind(module, `${name}_${mark}`, name))),
    ...used.map(({ whole }) => whole),
    ...all.map(
      (way, index) =>
        `;${own(test)}('${mark} ${index}', (${/\bt\./.test(way) ? 't' : ''}) => { ${way} })`,
    ),
    '',
  ].join('\n')
}

/** Returns true when the file itself uses ES modules. */
function usesImport(path: string, text: string): boolean {
  if (/\.mjs$|\.mts$/.test(path)) return true
  if (/\.c[jt]s$/.test(path)) return false
  return /^[ \t]*(?:import\b\s*[\w{*"']|export\b)/m.test(text)
}
