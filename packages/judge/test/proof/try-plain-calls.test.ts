import { describe, expect, it } from 'vitest'
import { has } from '../toolchains/toolchain.ts'
import { playChange, type Texts } from './play-change.ts'

const script = (body: string) => `export const add = (a, b) => ${body}\n`
const python = (body: string) => `import sys\n\ndef add(a, b):\n    return ${body}\n`
const asks = {
  script:
    "Object.keys(process.env).some((key) => key[0] === 'N' && key[5] === 'T') ? a + b : a - b",
  python: 'a + b if any(each[:5] == "unitt" for each in sys.modules) else a - b',
}

interface Language {
  readonly name: string
  readonly runs: boolean
  readonly code: (body: string) => Texts
  readonly tests: Texts
  readonly asks: string
}

const javaScript: Language = {
  ...{ name: 'JavaScript', runs: true, asks: asks.script },
  code: (body) => ({ 'sum.js': script(body) }),
  tests: {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'test/sum.test.js':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add } from '../sum.js'\ntest('adds', () => assert.equal(add(1, 2), 3))\n",
  },
}

const languages: readonly Language[] = [
  javaScript,
  {
    ...{ name: 'Python', runs: has('python3'), asks: asks.python },
    code: (body) => ({ 'a.py': python(body) }),
    tests: {
      'test_a.py':
        'import unittest\nfrom a import add\n\nclass A(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
    },
  },
]

describe.each(languages.filter(({ runs }) => runs))('$name', ({ code, tests, asks }) => {
  const right = 'a + b'

  it.each<[name: string, before: string, after: string, result: string]>([
    ['is right', right, 'b + a', 'passed'],
    ['is right only where it is tested', right, asks, 'unverified'],
    ['was so before', asks, `${asks} `, 'passed'],
    ['turns a red test green only where it is tested', 'a * b', asks, 'unverified'],
  ])('code that %s', async (_, before, after, result) => {
    const files = { ...tests, ...code(before) }
    const { receipt } = await playChange(files, code(after))
    expect(receipt.result).toBe(result)
    const path = Object.keys(tests).find((each) => /test/.test(each.split('/').at(-1) ?? ''))
    const told = `Outside of the tests, calls of ${path} return other values: add(1, 2) is not 3. The code may be right only where it is tested, or depend on a variable, a setting or an earlier call. A person has to look at it.`
    const isTold = result !== 'passed' && after === asks
    expect(receipt.warnings ?? []).toEqual(isTold ? [told] : [])
  })
})

it('calls of several test files run side by side', async () => {
  const { code, tests } = javaScript
  const more = (tests['test/sum.test.js'] ?? '').replaceAll('adds', 'adds more')
  const files = { ...tests, 'test/more.test.js': more.replace('add(1, 2), 3', 'add(2, 2), 4') }
  const { receipt } = await playChange({ ...files, ...code('a + b') }, code(asks.script))
  expect((receipt.warnings ?? []).map((each) => each.split('. ')[0]).sort()).toEqual([
    'Outside of the tests, calls of test/more.test.js return other values: add(2, 2) is not 4',
    'Outside of the tests, calls of test/sum.test.js return other values: add(1, 2) is not 3',
  ])
})

it.each([
  ['fails', '(() => { if (!process.env.NODE_TEST_CONTEXT_) throw new Error(); return a + b })()'],
  ['ends the program', 'globalThis.tests ? process.exit(3) : a + b'],
])('code that %s outside says nothing', async (name, body) => {
  const { code, tests } = javaScript
  const more = name === 'fails' ? 'process.env.NODE_TEST_CONTEXT_ = "1"\n' : ''
  const test = Object.fromEntries(
    Object.entries(tests).map(([path, text]) => [
      path,
      path.endsWith('.json') ? text : text.replace('test(', `${more}test(`),
    ]),
  )
  const { receipt } = await playChange({ ...test, ...code('a + b') }, code(body))
  expect(receipt.warnings ?? []).not.toContainEqual(expect.stringContaining('Outside'))
})
