import { describe, expect, it } from 'vitest'
import type { CommandReport, TestFailure } from '../../../../packages/judge/results/test-report.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import { repairTest } from '../../../../src/graph/nodes/attempt/repair-test.ts'
import { failureSignature } from '../../../../src/recovery/step/note-repair.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createKnownFixes } from '../../../fakes/known-fixes.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { createScriptedSandbox, tapReport } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

const testText = [
  "import test from 'node:test'",
  "import { greet } from '../src/greet.js'",
  "test('greets', () => greet() === 'hi')",
  '',
].join('\n')

const broken: TestFailure = {
  test: 'greets',
  file: 'test/greet.test.js',
  line: 3,
  message: "expected 'hi'",
  expected: "'hi'",
  actual: "'hello'",
  errorType: 'AssertionError',
  trace: ['test/greet.test.js:3', 'src/index.js:1'],
}

async function repair(
  reply: ScriptedReply | readonly ScriptedReply[],
  attempt: Partial<Attempt> = {},
  limits = {},
  memory = createKnownFixes(),
) {
  const { workspace, state } = await taskUnderWay({
    files: { 'test/greet.test.js': testText },
    attempt: { draft: aDraft(), broken: [broken], ...attempt },
    state: { progress: { next: 'repair_test' } },
  })
  const model = createScriptedModel([reply].flat())
  const step = await repairTest(state, fakePorts({ workspace, model, memory }, limits))
  return { step, asked: model.requests[0]?.messages.at(-1)?.content ?? '', model }
}

const ranOnce: CommandReport = {
  command: 'npm test',
  exitCode: 1,
  timedOut: false,
  counts: { passed: 1, failed: 1, skipped: 0 },
  failures: [broken],
  once: true,
  tail: '',
  seconds: 1,
  sandbox: 'bubblewrap',
}

const reported = (text: string): ReadonlyMap<string, string> =>
  new Map([['.executor-results-1.report', text]])

const mended = "src/greet.js\n```js\nexport const greet = () => 'hi'\n```\n"
const bentTest = "test/greet.test.js\n```js\nimport 'node:test'\n```\n"

/** The files that a prompt shows as those that may change. */
const filesIn = (asked: string): string => /FILES\n([\s\S]*?)\n\nYour change/.exec(asked)?.[1] ?? ''

describe('repair_test', () => {
  it('shows what the attempt changed in a long file', async () => {
    const before = Array.from({ length: 300 }, (_, n) => `export const greet${n} = ${n}\n`)
    const after = before.with(200, "export const greet200 = 'hello'\n")
    const texts = { before: before.join(''), content: after.join('') }
    const change = { action: 'modify' as const, path: 'src/greet.js', ...texts }
    const { asked } = await repair(mended, { draft: aDraft({ changes: [change] }) })
    expect(asked).toContain("greet199 = 199\nexport const greet200 = 'hello'\n")
    expect(asked).not.toContain('greet100 ')
  })

  it('mends the code, and counts', async () => {
    const { step } = await repair(mended)
    expect(step.outcome).toBe('repaired')
    expect(attemptAfter(step)).toMatchObject({
      draft: {
        changes: [
          { action: 'create', path: 'src/greet.js', content: "export const greet = () => 'hi'\n" },
        ],
      },
      testRepairs: 1,
      problems: [],
    })
  })

  const failsAgain = { name: 'greets', file: 'test/greet.test.js', line: 3, error: "expected 'hi'" }
  const red = { exitCode: 1, collected: reported(tapReport(1, [failsAgain])) }
  const redElsewhere = {
    exitCode: 1,
    collected: reported(tapReport(1, [{ ...failsAgain, name: 'waves' }])),
  }
  const green = { collected: reported(tapReport(2)) }

  it.each([
    ['fails again: the answer counts', mended, red, 'repaired', { testRepairs: 1 }],
    ['fails again in part: it counts, too', mended, redElsewhere, 'repaired', { testRepairs: 1 }],
    ['passes: the answer is dropped', mended, green, 'flaky', { testRepairs: 0, isFlaky: true }],
    ['passes, and no model answers', { unavailable: 'down' }, green, 'flaky', { isFlaky: true }],
    [
      'fails again, and no model answers',
      { unavailable: 'down' },
      red,
      'unavailable',
      { testRepairs: 0, tests: { commands: [expect.not.objectContaining({ once: true })] } },
    ],
    ['breaks off', mended, { exitCode: 1, stderr: 'Killed' }, 'repaired', { testRepairs: 1 }],
  ] as const)('meanwhile runs a second time what %s', async (_, reply, second, outcome, left) => {
    const failures = second === redElsewhere ? [broken, { ...broken, test: 'waves' }] : [broken]
    const { workspace, state } = await taskUnderWay({
      files: {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
        'test/greet.test.js': testText,
      },
      attempt: {
        draft: aDraft(),
        broken: failures,
        tests: { commands: [{ ...ranOnce, failures }] },
      },
      state: { progress: { next: 'repair_test' } },
    })
    let ran = 0
    const sandbox = createScriptedSandbox((command, { folder }) => {
      if (folder.includes('baseline') || command.endsWith('--version')) return green
      ran += 1
      return second
    })
    const model = createScriptedModel([reply])
    const step = await repairTest(state, fakePorts({ workspace, model, sandbox }))
    expect(step.outcome).toBe(outcome)
    expect(attemptAfter(step)).toMatchObject(left)
    expect(step.patch?.spent?.usage?.requests).toBe(1)
    expect(outcome === 'flaky' && (step.patch?.progress ?? step.patch?.record)).toBeFalsy()
    expect(ran).toBe(1)
  })

  it.each([
    [
      'one line',
      mended,
      "export const greet = () => 'hello' → export const greet = () => 'hi'",
      null,
    ],
    ['many lines', mended.replace("=> 'hi'", "=>\n  'hi'"), '', null],
    ['nothing', 'NOTHING_TO_DO', '', false],
  ])('notes a try of %s', async (_, answer, fix, worked) => {
    const { step } = await repair(answer)
    expect(attemptAfter(step).remedies).toMatchObject([
      {
        ...{ node: 'repair_test', type: 'test_failure', strategy: 'ask_again', fix, worked },
        signature: 'test_failure | js greets | expected <quoted>',
      },
    ])
  })

  it('is told what the repair before it tried in vain', async () => {
    const { step } = await repair("src/greet.js\n```js\nexport const greet = () => 'ho'\n```\n")
    const [tried] = attemptAfter(step).remedies
    if (tried === undefined) throw new Error('The repair was not noted.')
    const { asked } = await repair(mended, { remedies: [{ ...tried, worked: false }] })
    expect(asked).toContain(
      "It changed:\n- export const greet = () => 'hello'\n+ export const greet = () => 'ho'",
    )
    const useful = await repair(mended, { remedies: [{ ...tried, worked: true }] })
    expect(useful.asked).not.toContain('It changed')
  })

  it('is told what mended the same test before', async () => {
    const about = { type: 'test_failure', strategy: 'ask_again', worked: true } as const
    const memory = createKnownFixes()
    const fix = "export const wave = () => 'bye' → export const wave = () => 'ciao'"
    const signature = failureSignature(broken)
    await memory.learn({ ...about, signature, fix })
    expect((await repair(mended, {}, {}, memory)).asked).toContain(
      `The same was mended before in this way: ${fix}`,
    )
    const strange = createKnownFixes()
    await strange.learn({ ...about, signature, fix: 'return helper(1) → return helper(2)' })
    expect((await repair(mended, {}, {}, strange)).asked).not.toContain('before')
    const other = { ...broken, test: 'waves' }
    expect((await repair(mended, { broken: [other] }, {}, memory)).asked).not.toContain('before')
  })

  it('asks with less where the model cannot read it all, and gives up in the end', async () => {
    const tooLarge = { tooLarge: 'no room' }
    const { step, model } = await repair([tooLarge, mended])
    expect(step.outcome).toBe('repaired')
    const [first = '', second = ''] = model.requests.map(
      ({ messages }) => messages.at(-1)?.content ?? '',
    )
    expect(second.length).toBeLessThan(first.length)
    expect(attemptAfter(step).remedies).toMatchObject([
      { type: 'model_error', strategy: 'smaller_scope', worked: true },
      { node: 'repair_test', worked: null },
    ])
    const never = await repair([tooLarge, tooLarge, tooLarge, tooLarge])
    expect(never.step.outcome).toBe('too_large')
    expect(attemptAfter(never.step).failure?.at).toBe('too_large')
  })

  it('shows the failure, the test to be read, the change, and what the trace passes', async () => {
    const { asked, model } = await repair(mended)
    expect(model.requests[0]?.purpose).toBe('repair_test')
    expect(asked).toContain('FAILED greets (test/greet.test.js:3)')
    expect(asked).toContain("actual: 'hello'")
    expect(asked).toMatch(/THE TEST \(read only\)\n```\nimport test/)
    expect(asked).toContain("export const greet = () => 'hello'")
    expect(asked).toContain('export const answer = 42')
    expect(filesIn(asked)).not.toContain('test/greet.test.js')
  })

  it('never changes the failing test, but takes the rest of the answer', async () => {
    const { step } = await repair(`${bentTest}\n${mended}`)
    expect(step.outcome).toBe('repaired')
    const { draft } = attemptAfter(step)
    expect(draft?.changes.map(({ path }) => path)).toEqual(['src/greet.js'])
    expect(draft?.refusals).toEqual([])
    expect(draft?.notes).toContain('an edit of the failing test test/greet.test.js was discarded')
  })

  it('never changes it, and asks for something else, when the answer did nothing else', async () => {
    const { step } = await repair(bentTest)
    expect(step.outcome).toBe('repaired')
    expect(attemptAfter(step).draft).toMatchObject({
      changes: greeting,
      refusals: [
        { path: 'test/greet.test.js', reason: expect.stringContaining('must not be changed') },
      ],
    })
  })

  const other = "test/other.test.js\n```js\ntest('other', () => { assert.ok(true) })\n```\n"

  it.each([
    ['and takes the rest', `${other}\n${mended}`, 0],
    ['and says so', other, 1],
  ])('weakens no other test, %s', async (_, reply, refused) => {
    const text = "test('other', () => { assert.equal(greet().length, 2) })\n"
    const { workspace, state } = await taskUnderWay({
      files: { 'test/greet.test.js': testText, 'test/other.test.js': text },
      attempt: { draft: aDraft(), broken: [broken] },
    })
    const step = await repairTest(
      state,
      fakePorts({ workspace, model: createScriptedModel([reply]) }),
    )
    const { draft } = attemptAfter(step)
    expect(draft?.changes.map(({ path }) => path)).toEqual(['src/greet.js'])
    expect(draft?.refusals).toHaveLength(refused)
    expect(draft?.notes).toContain(
      'an edit of test/other.test.js that weakens the tests was discarded',
    )
    for (const { reason } of draft?.refusals ?? []) {
      expect(reason).toMatch(/^tests weakened: other: .*change the code that they test\.$/)
    }
  })

  it('does not delete it, either', async () => {
    const { step } = await repair('DELETE: test/greet.test.js\n')
    expect(attemptAfter(step).draft?.changes).toEqual(greeting)
  })

  const ownTest = "test('own', () => { assert.equal(greet(), 'hi') })\n"
  const own = { action: 'create', path: 'test/own.test.js', content: ownTest } as const
  const ownBroken = { ...broken, file: own.path }
  const withOwn = { draft: aDraft({ changes: [...greeting, own] }), broken: [ownBroken] }

  it.each([
    ["'hi'", "'hello'", true],
    ['assert.equal(greet(), ', 'assert.ok(', false],
    ["assert.equal(greet(), 'hi')", '', false],
    ['test(', 'test.skip(', false],
  ])(
    'mends a test that the attempt wrote, and does not weaken it: %s → %s',
    async (from, to, isTaken) => {
      const content = ownTest.replace(from, to)
      const { step, asked } = await repair(`${own.path}\n\`\`\`js\n${content}\`\`\`\n`, withOwn)
      expect(filesIn(asked)).toContain(own.path)
      expect(asked).not.toContain('THE TEST')
      const { draft } = attemptAfter(step)
      expect(draft?.changes).toContainEqual(isTaken ? { ...own, content } : own)
      expect(draft?.refusals).toHaveLength(isTaken ? 0 : 1)
    },
  )

  const compiled = (file: string): TestFailure => ({
    ...{ test: "error: expected ';'", file, line: 2, message: "expected ';'", trace: [] },
    ...{ expected: null, actual: null, errorType: null },
  })
  const lintOf = (failure: TestFailure): Partial<Attempt> => ({
    broken: [failure],
    tests: {
      commands: [
        {
          ...{ command: 'lint', role: 'lint', exitCode: 1, timedOut: false, counts: null },
          ...{ failures: [failure], tail: '', seconds: 1, sandbox: 'bubblewrap' },
        },
      ],
    },
  })

  it.each([
    ['compiler', 'src/index.js', { broken: [compiled('src/index.js')] }],
    ['linter', 'src/index.js', lintOf(compiled('src/index.js'))],
    ['linter in a test', 'test/greet.test.js', lintOf(compiled('test/greet.test.js'))],
  ])('takes what a %s names for code to mend', async (_, path, attempt) => {
    const text = path.startsWith('test') ? `${testText}// mended\n` : 'export const answer = 43\n'
    const { step, asked } = await repair(`${path}\n\`\`\`js\n${text}\`\`\`\n`, attempt)
    expect(asked).not.toContain('THE TEST')
    expect(filesIn(asked)).toContain(path)
    expect(attemptAfter(step).draft?.changes.map((change) => change.path)).toContain(path)
  })

  it.each([
    [0, 'repeated'],
    [1, 'failed'],
  ])(
    'is not over when the model says once that there is nothing to do (%i before)',
    async (testRepairs, outcome) => {
      const { step } = await repair('NOTHING_TO_DO', { testRepairs })
      expect(step.outcome).toBe(outcome)
      expect(attemptAfter(step)).toMatchObject({
        testRepairs: testRepairs + 1,
        draft: { changes: greeting },
      })
    },
  )

  it('asks for something else when the answer is the change that broke the test', async () => {
    const { step } = await repair("src/greet.js\n```js\nexport const greet = () => 'hello'\n```\n")
    expect(step.outcome).toBe('repaired')
    expect(attemptAfter(step)).toMatchObject({
      draft: {
        changes: greeting,
        refusals: [{ reason: expect.stringContaining('changed nothing') }],
      },
    })
  })

  it('says what is missing when no test is broken', async () => {
    const failure = {
      at: 'failed' as const,
      message: 'There are no tests.',
      problems: [],
      failures: [],
      output: '',
    }
    const { asked } = await repair(mended, { broken: [], failure })
    expect(asked).toContain('There are no tests.')
  })

  it('shows a long file around the line that the trace names', async () => {
    const lines = Array.from({ length: 900 }, (_, n) => `export const line${n + 1} = ${n + 1}`)
    const changes = [{ action: 'create', path: 'src/greet.js', content: lines.join('\n') }] as const
    const { asked } = await repair(mended, {
      draft: aDraft({ changes }),
      broken: [{ ...broken, trace: ['src/greet.js:500'] }],
    })
    expect(asked).toContain('line500 ')
    expect(asked).not.toContain('line400 ')
    expect(asked).not.toContain('line600 ')
  })

  it.each<[string, ScriptedReply, object, object]>([
    ['unavailable', { unavailable: 'overloaded' }, {}, { progress: { resumeAt: 'repair_test' } }],
    [
      'over_budget',
      mended,
      { dollarsPerTask: 0 },
      { tasks: { results: { 'T-1': { verdict: 'over_budget' } } } },
    ],
  ])('is %s without an answer', async (outcome, reply, limits, patch) => {
    const { step } = await repair(reply, {}, limits)
    expect(step).toMatchObject({ outcome, patch })
  })
})
