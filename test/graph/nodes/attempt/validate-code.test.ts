import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../../packages/change/change-set.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import { changeState } from '../../../../src/core/domain/change-state.ts'
import { validateCode } from '../../../../src/graph/nodes/attempt/validate-code.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { fakePorts, someSettings } from '../../../fakes/facts.ts'
import { createScriptedSandbox, tapReport } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

const syntax = {
  check: async () => ({ status: 'unavailable', reason: 'no parser in this case' }) as const,
}

async function validate(attempt: Partial<Attempt>, limits = {}) {
  const { workspace, state } = await taskUnderWay({ attempt })
  return validateCode(state, fakePorts({ workspace, syntax }, limits))
}

async function taskOf(title: string, files: readonly string[] = []) {
  const { attempt } = await taskUnderWay()
  return { task: { ...attempt.task, title, files } }
}

const creating = (path: string, content: string): ChangeSet => [{ action: 'create', path, content }]

const script = "import { rmSync } from 'node:fs'\nrmSync(process.argv[2], { recursive: true })\n"

describe('validate_code and the tests there were', () => {
  const path = 'test/greet.test.js'
  const text = "test('greets', () => { assert.equal(greet(), 'hi') })\n"
  const bend = (content: string): ChangeSet => [
    ...greeting,
    { action: 'modify', path, before: text, content },
  ]
  const bent = bend(text.replace("'hi'", "'hello'"))
  const red = { name: 'greets', file: path, line: 1, error: 'no' }

  async function look(
    changes: ChangeSet,
    failing: readonly (typeof red)[],
    title = 'Greet people',
  ) {
    const files = { 'package.json': '{ "scripts": { "test": "node --test" } }', [path]: text }
    const attempt = { draft: aDraft({ changes }), ...(await taskOf(title)) }
    const { workspace, state } = await taskUnderWay({ files, attempt })
    const collected = new Map([['.executor-results-1.report', tapReport(2, failing)]])
    const sandbox = createScriptedSandbox(() => ({
      exitCode: failing.length > 0 ? 1 : 0,
      collected,
    }))
    const step = await validateCode(state, fakePorts({ workspace, syntax, sandbox }))
    return { step, sandbox }
  }

  it('lets no first answer bend a test that fails without it', async () => {
    const { step } = await look(bent, [red])
    expect(step.outcome).toBe('invalid')
    expect(attemptAfter(step).problems).toMatchObject([{ path, type: 'tests', line: 1 }])
  })

  it.each([
    ['green before', bent, [], 'Greet people'],
    ['asked for', bent, [red], 'Update the test of the greeting'],
    ['another test of the file is red', bent, [{ ...red, name: 'parts' }], 'Greet people'],
    ['more is tested', bend(`${text}test('b', () => { assert.ok(1) })\n`), [red], 'Greet people'],
  ])('lets through: %s', async (_, changes, failing, title) => {
    expect((await look(changes, failing, title)).step.outcome).toBe('valid')
  })

  it('waits for no tests where none is weakened', async () => {
    const { step, sandbox } = await look(greeting, [red])
    expect([step.outcome, sandbox.commands]).toEqual(['valid', []])
  })
})

it('lets no answer put something else in the place of the assertions', async () => {
  const changes = creating('src/greet.js', 'globalThis.expect = () => fine\n')
  const step = await validate({ draft: aDraft({ changes }) })
  expect(attemptAfter(step).problems).toMatchObject([{ type: 'assertion', line: 1 }])
})

describe('validate_code and destructive operations', () => {
  const draft = aDraft({ changes: creating('src/greet.js', script) })

  it.each<[string, ChangeSet, string]>([
    ['a name', creating('requirements.txt', 'requests>=2\n'), 'valid'],
    ['an address', creating('requirements.txt', 'x @ https://example.com/x.zip\n'), 'destructive'],
    ['what another file named', creating('Gemfile', "source 'https://a.example.com'\n"), 'valid'],
    ['what a setting names', creating('Gemfile', "source 'https://c.example.com'\n"), 'valid'],
    ['what nobody named', creating('Gemfile', "source 'https://b.example.com'\n"), 'destructive'],
  ])('asks about what is installed: %s', async (_, changes, outcome) => {
    const files = { 'web/Gemfile.lock': 'GEM\n  remote: https://a.example.com/\n' }
    const attempt = { draft: aDraft({ changes }), ...(await taskOf('Use a package')) }
    const { workspace, state } = await taskUnderWay({ files, attempt })
    const settings = someSettings()
    const verify = { ...settings.verify, registries: ['https://c.example.com'] }
    const ports = fakePorts({ workspace, syntax, settings: { ...settings, verify } })
    expect((await validateCode(state, ports)).outcome).toBe(outcome)
  })

  it('pauses before anything is written, in every approval mode', async () => {
    for (const approvalMode of [
      'auto',
      'interactive',
      'review_only',
      'approve_decompose',
    ] as const) {
      const { workspace, state } = await taskUnderWay({ attempt: { draft } })
      const settings = { ...someSettings(), approvalMode }
      const step = await validateCode(state, fakePorts({ workspace, syntax, settings }))
      expect(step.outcome).toBe('destructive')
      expect(attemptAfter(step)).toMatchObject({
        draft,
        problems: [],
        destructive: [
          {
            path: 'src/greet.js',
            line: 2,
            column: 1,
            category: 'filesystem',
            operation: 'rmSync(process.argv[2], { recursive: true })',
          },
        ],
      })
    }
  })

  it('lets through what was approved, and asks again for one more of it', async () => {
    const { destructive } = attemptAfter(await validate({ draft }))
    const allowed = destructive.map(({ fingerprint }) => fingerprint)
    const same = await validate({ draft, allowed })
    expect(same.outcome).toBe('valid')
    expect(attemptAfter(same).destructive).toEqual([])
    const [first = '', second = ''] = script.split('\n')
    const twice = creating('src/greet.js', [first, second, second, ''].join('\n'))
    const more = await validate({ draft: aDraft({ changes: twice }), allowed })
    expect(more.outcome).toBe('destructive')
    expect(attemptAfter(more).destructive).toMatchObject([{ line: 3 }])
  })

  it('leaves alone what stood in the file before', async () => {
    const change = {
      action: 'modify',
      path: 'src/index.js',
      before: script,
      content: `// Clears a folder.\n${script}`,
    } as const
    const { workspace, state } = await taskUnderWay({
      files: { 'src/index.js': script },
      attempt: { ...(await taskOf('Explain it')), draft: aDraft({ changes: [change] }) },
    })
    expect(await validateCode(state, fakePorts({ workspace, syntax }))).toMatchObject({
      outcome: 'valid',
    })
  })

  it('mends mistakes first', async () => {
    const broken = creating('src/greet.js', `${script}export const a = {\n`)
    const step = await validate({ draft: aDraft({ changes: broken }) })
    expect(step.outcome).toBe('invalid')
    expect(attemptAfter(step).destructive).toEqual([])
  })

  it('only notes them where nobody wants to be asked, once', async () => {
    const { workspace, state } = await taskUnderWay({ attempt: { draft } })
    const settings = { ...someSettings(), pauseDestructive: false }
    const ports = fakePorts({ workspace, syntax, settings })
    const step = await validateCode(state, ports)
    expect(step).toMatchObject({
      outcome: 'valid',
      patch: {
        record: {
          destructive: [
            {
              taskId: 'T-1',
              decision: 'approved',
              by: 'pause-destructive: false',
              operations: [{ category: 'filesystem' }],
              patch: expect.stringContaining('+rmSync('),
            },
          ],
        },
      },
    })
    const again = await validateCode(changeState(state, step.patch), ports)
    expect(again).toMatchObject({ outcome: 'valid' })
    expect(again.patch?.record?.destructive).toBeUndefined()
  })
})

describe('validate_code', () => {
  it('lets a sound change through, with nothing left of earlier problems', async () => {
    const problem = { path: 'a', type: 'syntax', message: '', line: 1, column: 1 }
    const step = await validate({ draft: aDraft(), problems: [problem] })
    expect(step.outcome).toBe('valid')
    expect(attemptAfter(step).problems).toEqual([])
  })

  it.each<[string, ChangeSet, Partial<Attempt['problems'][number]>]>([
    ['a syntax error', creating('src/greet.js', 'export const a = {\n'), { type: 'syntax' }],
    ['a file out of scope', [...greeting, ...creating('src/other.js', '')], { type: 'scope' }],
    [
      'a protected file',
      [...greeting, ...creating('.github/workflows/ci.yml', 'on: push\n')],
      { type: 'protected', path: '.github/workflows/ci.yml' },
    ],
    ['the roadmap', [...greeting, ...creating('ROADMAP.md', '')], { type: 'protected' }],
    ['a way out', [...greeting, ...creating('../evil.js', '')], { type: 'path' }],
    [
      'an import of nothing',
      creating('src/greet.js', "import { a } from './nowhere.js'\nexport const b = a\n"),
      { type: 'import', line: 1 },
    ],
  ])('finds %s', async (_, changes, problem) => {
    const step = await validate({ draft: aDraft({ changes }) })
    expect(step.outcome).toBe('invalid')
    expect(attemptAfter(step).problems).toContainEqual(expect.objectContaining(problem))
  })

  it('says nothing of imports while something does not parse', async () => {
    const text = "import { a } from './nowhere.js'\nexport const b = {\n"
    const step = await validate({ draft: aDraft({ changes: creating('src/greet.js', text) }) })
    expect(attemptAfter(step).problems.map(({ type }) => type)).toEqual(['syntax'])
  })

  it('leaves an import that a later task will answer to the order of tasks', async () => {
    const roadmap = [
      '- [ ] **T-1**: Add a greeting',
      '  - **Files**: `src/greet.js`',
      '- [ ] **T-2**: Create `src/later.js`',
      '',
    ].join('\n')
    const { workspace, state } = await taskUnderWay({
      files: { 'ROADMAP.md': roadmap },
      attempt: {
        draft: aDraft({
          changes: creating('src/greet.js', "export * from './later.js'\n"),
        }),
      },
    })
    const step = await validateCode(state, fakePorts({ workspace, syntax }))
    expect(step.outcome).toBe('valid')
  })

  it('asks for what another file imports and this change takes away', async () => {
    const path = 'src/index.js'
    const before = 'export const answer = 42\n'
    const content = 'export const reply = 42\n'
    const { workspace, state } = await taskUnderWay({
      files: { 'src/ask.js': "import { answer } from './index.js'\n" },
      attempt: { draft: aDraft({ changes: [{ action: 'modify', path, before, content }] }) },
    })
    const step = await validateCode(state, fakePorts({ workspace, syntax }))
    expect(step.outcome).toBe('invalid')
    const message = expect.stringMatching(/no longer has answer, .*src\/ask\.js:1/)
    const problems = attemptAfter(step).problems.filter(({ type }) => type === 'import')
    expect(problems).toMatchObject([{ path, message }])
  })

  it('asks for a file that the task names and the answer lacks', async () => {
    const { task } = await taskOf('Create `src/other.js`')
    const step = await validate({ task, draft: aDraft() })
    expect(step.outcome).toBe('invalid')
    expect(attemptAfter(step).problems).toMatchObject([
      { path: 'src/other.js', type: 'expected_file' },
    ])
    const again = await validate({ task, draft: aDraft(), validationRepairs: 1 })
    expect(again.outcome).toBe('valid')
  })

  it('fails for a file of the scope that never comes', async () => {
    const { task } = await taskOf('Greet', ['src/greet.js', 'src/other.js'])
    const step = await validate({ task, draft: aDraft(), validationRepairs: 2 })
    expect(step.outcome).toBe('repairs_spent')
    expect(attemptAfter(step).failure?.message).toContain('The task asks for src/other.js')
  })

  it('counts what could not be read of the answer as a problem', async () => {
    const refusals = [{ path: 'src/greet.js', reason: 'no such lines', excerpt: 'x' }]
    const step = await validate({ draft: aDraft({ refusals }) })
    expect(step.outcome).toBe('invalid')
    expect(attemptAfter(step).problems).toMatchObject([{ type: 'reply', message: 'no such lines' }])
  })

  it.each([
    [0, 0, 'repairs_spent'],
    [1, 2, 'invalid'],
    [2, 2, 'repairs_spent'],
  ])('after %i of %i repairs is %s', async (validationRepairs, allowed, outcome) => {
    const draft = aDraft({ changes: creating('src/greet.js', 'export {\n') })
    const step = await validate({ draft, validationRepairs }, { validationRepairs: allowed })
    expect(step.outcome).toBe(outcome)
  })

  it('asks for no repair of a model of which hardly an answer can be used', async () => {
    const draft = aDraft({ changes: creating('src/greet.js', 'export {\n') })
    const { workspace, state } = await taskUnderWay({ attempt: { draft } })
    const answers = { usable: 2, of: 6 }
    const tried = { verdict: 'failed', thisRun: true, attempts: 1, answers } as const
    const weak = changeState(state, { tasks: { results: { 'T-0': sampleResult('T-0', tried) } } })
    const step = await validateCode(weak, fakePorts({ workspace, syntax }))
    expect(step.outcome).toBe('repairs_spent')
  })

  it('hands on what the model said instead of files', async () => {
    const refusals = [
      { path: '', reason: 'The answer has no file in it.', excerpt: 'Could you clarify?' },
      { path: 'a.js', reason: 'no such lines', excerpt: 'ENOSPC' },
    ]
    const draft = aDraft({ changes: [], refusals })
    const step = await validate({ draft, validationRepairs: 2 })
    expect(attemptAfter(step).failure).toMatchObject({
      at: 'repairs_spent',
      message: expect.stringContaining('after 2 repairs'),
      problems: [{ type: 'reply' }, { type: 'reply' }],
      output: 'Could you clarify?',
    })
  })
})

describe('validate_code and the first reason', () => {
  const refusals = [{ path: '', reason: 'The answer has no file in it.', excerpt: '' }]
  const broken = creating('src/greet.json', '{ "a": \n')

  it('tells of what was wrong before ahead of a repair that went wrong', async () => {
    const first = attemptAfter(await validate({ draft: aDraft({ changes: broken }) }))
    const step = await validate(
      { draft: aDraft({ changes: broken, refusals }), problems: first.problems },
      { validationRepairs: 0 },
    )
    expect(attemptAfter(step).failure?.message).toContain('src/greet.json')
  })

  it.each([
    ['was an answer that cannot be used', refusals, greeting, 'adds: expected 3'],
    ['does not parse', [], broken, /^adds: expected 3; still not valid .*src\/greet\.json/],
  ])('is the failing test, where its repair %s', async (_, refused, changes, message) => {
    const failure = {
      ...{ at: 'failed' as const, message: 'adds: expected 3', problems: [], output: 'OUTPUT' },
      failures: [],
    }
    const step = await validate(
      { draft: aDraft({ changes, refusals: refused }), failure },
      { validationRepairs: 0 },
    )
    expect(step.outcome).toBe('repairs_spent')
    expect(attemptAfter(step).failure).toMatchObject({ at: 'repairs_spent', output: 'OUTPUT' })
    expect(attemptAfter(step).failure?.message).toMatch(message)
  })
})

describe('validate_code and files in full', () => {
  it.each([
    ['asked', 'invalid'],
    ['again', 'repairs_spent'],
  ] as const)('asks for edits once: %s', async (lost, outcome) => {
    const refusals = [{ path: 'src/index.js', reason: 'loses answer', excerpt: '', lost }]
    const step = await validate({ draft: aDraft({ changes: [], refusals }) })
    expect(step.outcome).toBe(outcome)
    expect(attemptAfter(step).problems).toMatchObject([{ message: 'loses answer' }])
  })
})

describe('validate_code and refused parts', () => {
  const refused = { reason: 'not in the file', excerpt: '' }

  it('names a file that may not be changed, where the answer has others', async () => {
    const refusals = [{ path: 'ROADMAP.md', ...refused }]
    const step = await validate({ draft: aDraft({ changes: greeting, refusals }) })
    expect(attemptAfter(step).problems).toMatchObject([{ path: 'ROADMAP.md', type: 'protected' }])
    const alone = await validate({ draft: aDraft({ changes: [], refusals }) })
    expect(attemptAfter(alone).problems).toContainEqual(
      expect.objectContaining({ path: 'ROADMAP.md', message: 'not in the file' }),
    )
  })

  it('does not take a file of the answer for a wrong name', async () => {
    const refusals = [{ path: 'src/greet.js', reason: 'the answer was cut off', excerpt: '' }]
    const changes = [...greeting, ...creating('src/greet.js', 'export const a = 1\n')].slice(-1)
    const step = await validate({ draft: aDraft({ changes, refusals }) })
    expect(attemptAfter(step).problems).toMatchObject([{ message: 'the answer was cut off' }])
  })

  it.each([
    ['a claim, where the task has commands that judge it', ['npm test'], {}, 'valid', true],
    ['a failure, where it has none', [], {}, 'repairs_spent', false],
    [
      'a failure, where a reviewer asks',
      ['npm test'],
      { feedback: { by: 'ann', text: 'No.', threads: [] } },
      'repairs_spent',
      false,
    ],
  ] as const)(
    'takes the present state, sent again and again, for %s',
    async (_, accept, more, outcome, claimsDone) => {
      const refusals = [{ path: 'src/index.js', ...refused, isEcho: true as const }]
      const { attempt } = await taskUnderWay()
      const task = { ...attempt.task, files: [], accept: [...accept] }
      const draft = aDraft({ changes: [], refusals })
      const step = await validate({ draft, task, ...more }, { validationRepairs: 0 })
      expect(step.outcome).toBe(outcome)
      expect(attemptAfter(step).draft ?? draft).toMatchObject({ claimsDone })
    },
  )
})
