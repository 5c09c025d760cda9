import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../../packages/change/change-set.ts'
import type { TestFailure } from '../../../../packages/judge/results/test-report.ts'
import { repairTest } from '../../../../src/graph/nodes/attempt/repair-test.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel } from '../../../fakes/scripted-model.ts'
import { aDraft, taskUnderWay } from '../bench.ts'

interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly changed: Readonly<Record<string, string>>
  readonly test: string
  readonly line: number
  readonly trace?: readonly string[]
}

/** What a model is asked where this test fails, and how long it is. */
async function ask({ files, changed, test, line, trace = [] }: Case) {
  const broken: TestFailure = {
    ...{ test: 'adds up', file: test, line, message: 'expected 3 to be 5', errorType: null },
    ...{ expected: '5', actual: '3', trace: [`${test}:${line}`, ...trace] },
  }
  const changes: ChangeSet = Object.entries(changed).map(([path, content]) => {
    const before = files[path]
    return before === undefined
      ? { action: 'create', path, content }
      : { action: 'modify', path, content, before }
  })
  const { workspace, state } = await taskUnderWay({
    files,
    attempt: { draft: aDraft({ changes }), broken: [broken] },
  })
  const model = createScriptedModel(['NOTHING_TO_DO'])
  await repairTest(state, fakePorts({ workspace, model }))
  const messages = model.requests[0]?.messages ?? []
  const tokens = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
  return { asked: messages.at(-1)?.content ?? '', tokens }
}

const filler = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `export function ${name}${n}(value) {\n  const kept = value + ${n}\n  return kept\n}\n`,
  ).join('\n')

const total = `export function total(values) {
  let sum = 0
  for (const value of values) sum = value
  return sum
}
`
const orderTest = `import assert from 'node:assert/strict'
import test from 'node:test'
import { order } from '../src/order.js'

test('adds up', () => assert.equal(order([2, 3]), 5))
`
const order =
  "import { total } from './total.js'\n\nexport const order = (values) => total(values)\n"

/** Each stands in the prompt, and after the one before it. */
function inOrder(text: string, parts: readonly string[]): void {
  const places = parts.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
}

describe('a repair of a failing test shows', () => {
  it('failing lines, the change, outlines of what the test imports, and bodies that it names', async () => {
    const { asked, tokens } = await ask({
      files: {
        'src/order.js': order,
        'src/total.js': `${filler('before', 12)}\n${total}`,
        'test/order.test.js': orderTest.replace('order([2', 'total([2'),
      },
      changed: { 'src/log.js': 'export const log = (text) => text\n' },
      test: 'test/order.test.js',
      line: 5,
    })
    inOrder(asked, [
      'THE TEST',
      'src/log.js',
      'src/order.js\n```',
      'src/total.js (outline',
      'export function before3(value) {\n…',
      'let sum = 0',
    ])
    expect(tokens).toBeLessThanOrEqual(2_000)
  })

  it('the module, where module and test come from two tasks', async () => {
    const { asked } = await ask({
      files: { 'src/order.js': order, 'src/total.js': total },
      changed: { 'test/order.test.js': orderTest },
      test: 'test/order.test.js',
      line: 5,
    })
    inOrder(asked, ['test/order.test.js', 'src/order.js\n```', 'src/total.js\n```', 'let sum = 0'])
    expect(asked).toContain('or test/order.test.js, which you wrote, where it is wrong')
  })

  it('an unchanged import of the change, within 600 tokens where the test imports the change', async () => {
    const { asked, tokens } = await ask({
      files: { 'src/total.js': total, 'test/order.test.js': orderTest },
      changed: { 'src/order.js': order },
      test: 'test/order.test.js',
      line: 5,
    })
    inOrder(asked, ['THE TEST', 'src/order.js\n```', 'src/total.js\n```', 'let sum = 0'])
    expect(asked).toContain('Never change a failing test.')
    expect(tokens).toBeLessThanOrEqual(600)
  })

  it.each([
    [
      'python',
      'py',
      'from pricing.order import order\n\n\ndef test_adds():\n    assert order([2, 3]) == 5\n',
      'def order(values):\n    return values[0]\n',
      'tests',
    ],
    [
      'go',
      'go',
      'package pricing\n\nfunc TestAdds(t *testing.T) { if Order() != 5 { t.Fail() } }\n',
      'package pricing\n\nfunc Order() int { return 3 }\n',
      'pricing',
    ],
    [
      'ruby',
      'rb',
      "require_relative '../pricing/order'\n\nit('adds') { expect(order([2, 3])).to eq 5 }\n",
      'def order(values)\n  values[0]\nend\n',
      'tests',
    ],
    [
      'rust',
      'rs',
      'use pricing::order;\n\n#[test]\nfn adds() { assert_eq!(order::sum(), 5); }\n',
      'pub fn sum() -> u32 { 3 }\n',
      'tests',
    ],
    [
      'java',
      'java',
      'import pricing.order;\n\nclass T { void adds() { assertEquals(5, order.sum()); } }\n',
      'class order { static int sum() { return 3; } }\n',
      'tests',
    ],
  ])(
    'what a test in %s means that imports nothing of the change',
    async (_, ending, text, code, tests) => {
      const { asked } = await ask({
        files: { [`pricing/order.${ending}`]: code, [`${tests}/order_test.${ending}`]: text },
        changed: { 'docs/notes.md': '# Notes\n' },
        test: `${tests}/order_test.${ending}`,
        line: 3,
      })
      inOrder(asked, ['THE TEST', 'docs/notes.md', `pricing/order.${ending}`, code.trim()])
    },
  )

  it('not all of a project where everything imports everything', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `src/part${n}.js`)
    const imports = names.map((path) => `import '../${path}'\n`).join('')
    const { tokens } = await ask({
      files: {
        ...Object.fromEntries(names.map((path, n) => [path, filler(`some${n}`, 20)])),
        'test/order.test.js': `${imports}\n${orderTest}`,
      },
      changed: { 'src/log.js': filler('log', 60) },
      test: 'test/order.test.js',
      line: 36,
    })
    expect(tokens).toBeLessThanOrEqual(2_000)
  })
})

describe('whose a failing test is', () => {
  it.each([
    [
      'the attempt wrote it',
      true,
      /or test\/order\.test\.js, which you wrote, where it is wrong\. Never weaken it\./,
    ],
    ['it was there before', false, /Never change a failing test\./],
  ])('%s', async (_, isOwn, says) => {
    const tests = { 'test/order.test.js': orderTest }
    const { asked } = await ask({
      files: { 'src/total.js': total, ...(isOwn ? {} : tests) },
      changed: { 'src/order.js': order, ...(isOwn ? tests : {}) },
      test: 'test/order.test.js',
      line: 5,
    })
    expect(asked).toMatch(says)
    expect(asked.includes('Never change a failing test.')).toBe(!isOwn)
  })
})
