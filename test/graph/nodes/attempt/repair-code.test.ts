import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../../packages/change/change-set.ts'
import type { CodeProblem } from '../../../../packages/change/problem.ts'
import type { TestFailure } from '../../../../packages/judge/results/test-report.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import { repairCode } from '../../../../src/graph/nodes/attempt/repair-code.ts'
import { noteRepair } from '../../../../src/recovery/step/note-repair.ts'
import { anAttempt, fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

async function repair(attempt: Partial<Attempt>, replies: readonly ScriptedReply[], limits = {}) {
  const { workspace, state } = await taskUnderWay({
    attempt,
    state: { progress: { next: 'repair_code' } },
  })
  const model = createScriptedModel(replies)
  const step = await repairCode(state, fakePorts({ workspace, model }, limits))
  return { step, model }
}

const problem = (facts: Partial<CodeProblem>): CodeProblem => ({
  path: 'src/greet.js',
  type: 'syntax',
  message: "'}' expected",
  line: 1,
  column: 9,
  ...facts,
})
const broken: ChangeSet = [
  { action: 'create', path: 'src/greet.js', content: "export const greet = () => { 'hello'\n" },
]
const workflow: ChangeSet[number] = {
  action: 'create',
  path: '.github/workflows/ci.yml',
  content: 'on: push\n',
}
const edit = [
  'src/greet.js',
  '```',
  '<<<<<<< SEARCH',
  "export const greet = () => { 'hello'",
  '=======',
  "export const greet = () => 'hello'",
  '>>>>>>> REPLACE',
  '```',
].join('\n')

const contentOf = ([change]: ChangeSet) => (change?.action === 'create' ? change.content : '')

describe('repair_code', () => {
  it('mends the draft by an edit of what was wrong, and counts', async () => {
    const draft = aDraft({ changes: broken, summary: 'Greets.' })
    const { step, model } = await repair({ draft, problems: [problem({})] }, [edit])
    expect(step.outcome).toBe('repaired')
    expect(attemptAfter(step)).toMatchObject({
      draft: { changes: greeting, refusals: [], summary: 'Greets.' },
      validationRepairs: 1,
      usage: { requests: 1 },
    })
    const [request] = model.requests
    expect(request?.purpose).toBe('repair_code')
    expect(request?.messages.at(-1)?.content).toContain(
      "> 1 | export const greet = () => { 'hello'",
    )
  })

  const testText = "test('greets', () => { assert.equal(greet(), 'hi') })\n"
  const bentTest = testText.replace("'hi'", "'hello'")
  const failed: TestFailure = {
    ...{ test: 'greets', file: 'test/greet.test.js', line: 1, message: 'x', trace: [] },
    ...{ expected: null, actual: null, errorType: null },
  }

  it('changes no failing test once tests have failed', async () => {
    const attempt = {
      draft: aDraft({ changes: broken }),
      problems: [problem({})],
      broken: [failed],
    }
    const files = { 'test/greet.test.js': testText }
    const { workspace, state } = await taskUnderWay({ files, attempt })
    const reply = `${edit}\n\ntest/greet.test.js\n\`\`\`js\n${bentTest}\`\`\`\n`
    const ports = fakePorts({ workspace, model: createScriptedModel([reply]) })
    const { draft } = attemptAfter(await repairCode(state, ports))
    expect(draft?.changes).toEqual(greeting)
    expect(draft?.notes).toContain('an edit of the failing test test/greet.test.js was discarded')
  })

  it('asks for the whole again when nothing of the answer could be used', async () => {
    const refusals = [{ path: '', reason: 'The answer was empty.', excerpt: '' }]
    const problems = [
      problem({ path: '', type: 'reply', message: 'The answer was empty.', line: 0 }),
    ]
    const { step, model } = await repair({ draft: aDraft({ changes: [], refusals }), problems }, [
      "src/greet.js\n```js\nexport const greet = () => 'hello'\n```",
    ])
    expect(attemptAfter(step).draft?.changes).toEqual(greeting)
    const asked = model.requests[0]?.messages.at(-1)?.content ?? ''
    expect(asked).toContain('Your last answer could not be used: The answer was empty.')
    expect(asked).toContain('TASK T-1: Add a greeting')
  })

  const [other, spec] = ['src/other.js', 'test/greet.test.js']
  const review = { by: 'ada', text: `Do the same in ${other}`, threads: [] }
  const elsewhere = `It changes only ${other}. The task needs src/greet.js.`
  it.each<
    [
      name: string,
      change: {
        readonly path: string
        readonly title: string
        readonly target: string
        readonly feedback?: Attempt['feedback']
      },
      said: string,
      after: readonly string[],
    ]
  >([
    [
      'another file alone is asked for again',
      { path: other, title: 'Add a greeting', target: 'src/greet.js' },
      elsewhere,
      ['src/greet.js'],
    ],
    [
      'the file of the task is repaired',
      { path: other, title: 'Add a greeting', target: other },
      "'}' expected",
      [other, 'src/greet.js'],
    ],
    [
      'the tests that the task asks for is repaired',
      { path: spec, title: 'Test the greeting', target: 'src/greet.js' },
      "'}' expected",
      [spec, 'src/greet.js'],
    ],
    [
      'the file that a reviewer asks for is repaired',
      { path: other, title: 'Add a greeting', target: 'src/greet.js', feedback: review },
      "'}' expected",
      [other, 'src/greet.js'],
    ],
  ])('an answer that changes %s', async (_, { path, title, target, feedback }, said, after) => {
    const changes: ChangeSet = [{ action: 'create', path, content: contentOf(broken) }]
    const task = { ...anAttempt().task, title }
    const attempt = { draft: aDraft({ changes }), problems: [problem({ path })], task }
    const about = { ...attempt, targets: [target], feedback: feedback ?? null }
    const { step, model } = await repair(about, [
      "src/greet.js\n```js\nexport const greet = () => 'hello'\n```",
    ])
    const asked = model.requests[0]?.messages.at(-1)?.content ?? ''
    expect(asked).toContain(said)
    expect(asked.includes("{ 'hello'")).toBe(said !== elsewhere)
    expect(model.requests[0]?.maxOutputTokens).toBeLessThan(2_100)
    expect(attemptAfter(step).draft?.changes.map((each) => each.path)).toEqual(after)
  })

  it('draws another sample, without the faulty code, when the last repair sent that code again', async () => {
    const draft = aDraft({ changes: broken })
    const [copied] = noteRepair({ ...anAttempt(), draft, problems: [problem({})] }, draft)
    const attempt = { draft, problems: [problem({})], validationRepairs: 1 }
    const remedies = copied === undefined ? [] : [{ ...copied, worked: false }]
    const { step, model } = await repair({ ...attempt, remedies }, [
      "src/greet.js\n```js\nexport const greet = () => 'hello'\n```",
    ])
    expect(attemptAfter(step)).toMatchObject({
      draft: { changes: greeting },
      requests: [{ rung: 'sample', sample: 1 }],
      validationRepairs: 2,
    })
    const [request] = model.requests
    expect(request?.sample).toBe(1)
    const asked = request?.messages.at(-1)?.content ?? ''
    expect(asked).toContain("Your last answer could not be used: '}' expected")
    expect(asked).not.toContain("{ 'hello'")
  })

  const functions = Array.from({ length: 400 }, (_, n) => `export const f${n} = () => ${n}`)
  const long = `${functions.join('\n')}\n`
  const refused = { path: 'src/long.js', reason: 'the SEARCH lines are not in the file' }
  const asOutline = { path: 'src/long.js', text: 'export const f0', whole: false }
  const failing = { at: 'failed' as const, message: 'no', problems: [], failures: [], output: '' }
  it.each([
    ['an outline was shown', { context: [asOutline] }, {}, true],
    ['the file was shown', { context: [{ ...asOutline, whole: true }] }, {}, false],
    [
      'nothing is to be changed for a failing test',
      { context: [{ ...asOutline, whole: true }], failure: failing },
      { isEcho: true as const },
      true,
    ],
    ['nothing is to be changed', { context: [asOutline] }, { isEcho: true as const }, false],
  ])('shows the code around a refused edit where %s', async (_, facts, more, isShown) => {
    const refusals = [{ ...refused, ...more, excerpt: functions[200] ?? '' }]
    const said = problem({ path: refused.path, type: 'reply', message: refused.reason, line: 0 })
    const attempt = { ...facts, problems: [said], draft: aDraft({ changes: broken, refusals }) }
    const { workspace, state } = await taskUnderWay({ files: { 'src/long.js': long }, attempt })
    const model = createScriptedModel([edit])
    await repairCode(state, fakePorts({ workspace, model }))
    const asked = model.requests[0]?.messages.at(-1)?.content ?? ''
    expect(asked).toContain(functions[200])
    expect(asked.includes(`${functions[180]}\n`)).toBe(isShown)
    expect(asked).not.toContain(functions[399])
  })

  it.each(['protected', 'scope', 'path'])(
    'leaves out a file that may not be changed (%s), without asking the model',
    async (type) => {
      const draft = aDraft({ changes: [...greeting, workflow] })
      const problems = [problem({ path: workflow.path, type, message: 'not yours', line: 0 })]
      const { step, model } = await repair({ draft, problems }, [])
      expect(step.outcome).toBe('repaired')
      expect(attemptAfter(step)).toMatchObject({
        draft: {
          changes: greeting,
          notes: ['.github/workflows/ci.yml was left out: not yours'],
        },
        validationRepairs: 0,
      })
      expect(model.requests).toHaveLength(0)
    },
  )

  it.each([
    ['of its name', 'src/lib/greet.js', 1],
    ['of another name and other words', 'src/other.js', 2],
  ])('leaves out a wrong new file where the answer has one %s elsewhere', async (_, path, left) => {
    const draft = aDraft({ changes: broken })
    const answer = `${path}\n\`\`\`js\nexport const other = () => 'hello, you'\n\`\`\`\n`
    const { step } = await repair({ draft, problems: [problem({})] }, [answer])
    expect(attemptAfter(step).draft?.changes).toHaveLength(left)
    expect(attemptAfter(step).draft?.changes.at(-1)?.path).toBe(path)
  })

  it('keeps the first reason when the answer is the draft again', async () => {
    const draft = aDraft({ changes: broken })
    const echo = `src/greet.js\n\`\`\`js\n${contentOf(broken)}\`\`\`\n`
    const { step } = await repair({ draft, problems: [problem({})] }, [echo])
    expect(attemptAfter(step).draft).toMatchObject({ changes: broken, refusals: [] })
  })

  it('tells of the failing test whose repair went wrong', async () => {
    const failure = {
      at: 'failed' as const,
      message: 'adds: expected 3',
      problems: [],
      failures: [],
      output: '',
    }
    const draft = aDraft({ changes: broken })
    const { model } = await repair({ draft, failure, problems: [problem({})] }, [edit])
    const asked = model.requests[0]?.messages.at(-1)?.content
    expect(asked).toContain('This still fails and is to be mended too: adds: expected 3')
  })

  it('asks when nothing but forbidden files would be left', async () => {
    const problems = [problem({ path: workflow.path, type: 'protected', line: 0 })]
    const { step, model } = await repair({ draft: aDraft({ changes: [workflow] }), problems }, [''])
    expect(model.requests).toHaveLength(1)
    expect(attemptAfter(step)).toMatchObject({
      validationRepairs: 1,
      draft: { changes: [workflow] },
    })
  })

  it('shows of a refused edit what was refused', async () => {
    const refusals = [{ path: 'src/greet.js', reason: 'no such lines', excerpt: 'EXCERPT' }]
    const problems = [problem({ type: 'reply', message: 'no such lines', line: 0 })]
    const { model } = await repair({ draft: aDraft({ refusals }), problems }, [edit])
    expect(model.requests[0]?.messages.at(-1)?.content).toContain('EXCERPT')
  })

  it.each<[string, ScriptedReply, object, object]>([
    [
      'unavailable',
      { unavailable: 'overloaded', retryAt: '2026-01-03T00:00:00Z' },
      {},
      {
        progress: {
          resumeAt: 'repair_code',
          retryAt: '2026-01-03T00:00:00Z',
          stopped: 'unavailable',
        },
      },
    ],
    [
      'over_budget',
      edit,
      { tokensPerTask: 20 },
      { tasks: { results: { 'T-1': { verdict: 'over_budget', attempts: 1 } } } },
    ],
  ])('is %s without an answer', async (outcome, reply, limits, patch) => {
    const attempt = { draft: aDraft({ changes: broken }), problems: [problem({})] }
    const { step } = await repair(attempt, [reply], limits)
    expect(step).toMatchObject({ outcome, patch })
  })
})
