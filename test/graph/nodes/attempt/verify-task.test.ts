import { describe, expect, it } from 'vitest'
import type { CommandReport } from '../../../../packages/judge/results/test-report.ts'
import { openBaseline } from '../../../../packages/judge/run/baseline.ts'
import type { SandboxRequest, SandboxRun } from '../../../../packages/sandbox/port.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import { noUsage } from '../../../../src/core/domain/usage.ts'
import { verifyTask } from '../../../../src/graph/nodes/attempt/verify-task.ts'
import { fakePorts, someSettings } from '../../../fakes/facts.ts'
import type { Files } from '../../../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../bench.ts'

/** A project whose `npm test` is `node --test`, and what that reports before and after. */
const tested: Files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/a.test.js': "import test from 'node:test'\n",
}
const untested: Files = { 'package.json': '{ "type": "module" }\n' }
const failure = { name: 'greets', file: 'test/a.test.js', line: 3, error: "expected 'hello'" }

type Said = Partial<SandboxRun>
/** Knows no better command. */
const silent = { status: 'answered', text: '', finish: 'stop', usage: noUsage } as const
const green: Said = { exitCode: 0, collected: reported(tapReport(2)) }
const red: Said = { exitCode: 1, collected: reported(tapReport(1, [failure])) }

function reported(text: string): ReadonlyMap<string, string> {
  return new Map([['.executor-results-1.report', text]])
}

interface Case {
  readonly files?: Files
  readonly attempt?: Partial<Attempt>
  readonly before?: Said
  readonly after?: Said
  readonly accept?: Said
  readonly verify?: Partial<Settings['verify']>
  readonly limits?: Partial<Settings['limits']>
  readonly strategy?: Settings['strategy']
  /** Accept commands of the task before, which ran tests, by their number. */
  readonly acceptedBefore?: Readonly<Record<string, number>>
}

async function verify({ files = tested, attempt, before = green, after = green, ...given }: Case) {
  const { workspace, state, base } = await taskUnderWay({
    files,
    attempt: { draft: aDraft(), ...attempt },
  })
  const sandbox = createScriptedSandbox((command: string, { folder }: SandboxRequest) => {
    if (command.startsWith('accept')) return given.accept ?? {}
    return folder.includes('baseline') ? before : after
  })
  const settings = someSettings(given.limits)
  const ports = fakePorts({
    workspace,
    sandbox,
    model: { complete: async () => ({ ...silent }) },
    settings: {
      ...settings,
      strategy: given.strategy ?? 'single',
      verify: { ...settings.verify, ...given.verify },
    },
  })
  const kept = Object.entries(given.acceptedBefore ?? {}).map(([command, passed]) =>
    acceptReport(command, passed),
  )
  const start = { sha: base.sha, task: { verify: null, accept: [] } }
  if (kept.length > 0) openBaseline(start, ports).remember({ commands: kept })
  return { step: await verifyTask(state, ports), sandbox, workspace }
}

const acceptReport = (command: string, passed: number): CommandReport => ({
  ...{ command, role: 'accept', exitCode: 0, timedOut: false, failures: [], tail: '', seconds: 1 },
  ...{ counts: { passed, failed: 0, skipped: 0 }, sandbox: 'bubblewrap' },
})

const done = aDraft({ changes: [], claimsDone: true })
const task = async (facts: Partial<Attempt['task']>) => ({
  task: { ...(await taskUnderWay()).attempt.task, ...facts },
})

describe('verify_task', () => {
  it('passes what breaks nothing, with a receipt', async () => {
    const { step, workspace } = await verify({})
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt).toMatchObject({
      result: 'passed',
      before: { passed: 2, failed: 0 },
      after: { passed: 2, failed: 0 },
      sandbox: 'bubblewrap',
      commands: [{ command: 'npm test', exitCode: 0 }],
    })
    expect(attemptAfter(step).failure).toBeNull()
    expect(workspace.filesIn('T-1')).toHaveProperty('src/greet.js')
  })

  it.each([
    ['where they run again, and here nothing does', untested, { 'sh a.sh': 3 }, 'unverified', null],
    [
      'where they run again, beside other tests',
      tested,
      { 'npm test': 2, 'sh a.sh': 3 },
      'passed',
      2,
    ],
    ['where they are the tests of the project', tested, { 'npm test': 3 }, 'failed', 3],
  ] as const)(
    'counts accept commands of the task before only %s',
    async (...[, files, accepted, outcome, passed]) => {
      const { step } = await verify({ files, acceptedBefore: accepted })
      expect(step.outcome).toBe(outcome)
      const { before, notes } = attemptAfter(step).receipt ?? {}
      expect(before?.passed ?? null).toBe(passed)
      expect(notes?.join().includes('fewer tests')).toBe(passed === 3)
    },
  )

  it.each([
    ['as long as they need by the run before it', {}, [600, 120]],
    ['as long as is set', { timeoutSeconds: 900 }, [900, 900]],
  ])('gives tests after a change %s', async (_, verifying, limits) => {
    const { workspace, state, base } = await taskUnderWay({
      files: tested,
      attempt: { draft: aDraft() },
    })
    const given: number[] = []
    const sandbox = createScriptedSandbox((command, { timeoutSeconds }) => {
      if (command === 'npm test' || command.includes('--test')) given.push(timeoutSeconds)
      return green
    })
    const settings = someSettings()
    const verifies = { ...settings.verify, ...verifying }
    const ports = fakePorts({ workspace, sandbox, settings: { ...settings, verify: verifies } })
    await openBaseline({ sha: base.sha, task: { verify: null, accept: [] } }, ports).report()
    await verifyTask(state, ports)
    expect(given.slice(0, 2)).toEqual(limits)
  })

  it('fails what breaks a test, and says which', async () => {
    const { step } = await verify({ after: red })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step)).toMatchObject({
      broken: [{ test: 'greets', file: 'test/a.test.js', line: 3 }],
      failure: { at: 'failed', message: expect.stringContaining("expected 'hello'") },
      receipt: { result: 'failed' },
    })
  })

  it('compares all failures, however many were red before, and keeps the first of them', async () => {
    const reds = Array.from({ length: 80 }, (_, index) => ({ ...failure, name: `red ${index}` }))
    const now = [{ ...failure, name: 'new' }, ...reds.slice(1)]
    const said = (tests: typeof reds): Said => ({
      exitCode: 1,
      collected: reported(tapReport(100 - tests.length, tests)),
    })
    const files = { ...tested, 'test/a.test.js': 'x\n' }
    const mended = await verify({ files, before: said(reds), after: said(reds.slice(1)) })
    expect(mended.step.outcome).toBe('passed')
    expect(attemptAfter(mended.step).tests?.commands[0]?.failures).toHaveLength(50)
    const broke = await verify({ files, before: said(reds), after: said(now) })
    expect(attemptAfter(broke.step).broken.map(({ test }) => test)).toEqual(['new'])
  })

  it('keeps tests that are red for other tasks out of the failure, but for their number', async () => {
    const others = Array.from({ length: 39 }, (_, index) => ({
      ...{ name: `waits ${index}`, file: `test/w${index}.test.js`, line: 2 },
      error: "Cannot find module './user' from 'src/waits.js'",
    }))
    const said = (tests: readonly (typeof failure)[]): Said => ({
      ...{ exitCode: 1, stdout: tests.map(({ name, error }) => `${name}: ${error}`).join('\n') },
      collected: reported(tapReport(2, tests)),
    })
    const { step } = await verify({ before: said(others), after: said([failure, ...others]) })
    const { failure: told, receipt, broken } = attemptAfter(step)
    expect(broken.map(({ test }) => test)).toEqual(['greets'])
    expect(told?.output).toBe('39 other tests were red before this change and still are.')
    expect(JSON.stringify([told, receipt])).not.toContain('waits')
    const alone = await verify({ after: said([failure]) })
    expect(attemptAfter(alone.step).failure?.output).toContain("greets: expected 'hello'")
  })

  it('asks no task for the red tests of the functions beside its own', async () => {
    const stub = "export const flip = () => { throw Error('flip') }\n"
    const files = {
      ...{ ...tested, 'src/words.js': `${stub}${stub.replaceAll('flip', 'trim')}` },
      'test/a.test.js': "import { flip, trim } from '../src/words.js'\n",
      'ROADMAP.md': `- [ ] T-1: Implement \`flip\` in \`src/words.js\`
- [ ] T-2: Implement \`trim\` in \`src/words.js\`
`,
    }
    const content = files['src/words.js'].replace("{ throw Error('flip') }", '1')
    const changes = [
      { action: 'modify', path: 'src/words.js', before: files['src/words.js'], content } as const,
    ]
    const [own, other] = ['flip turns', 'trim cuts'].map((name) => ({ ...failure, name }))
    const said = (...tests: (typeof failure | undefined)[]): Said => ({
      exitCode: 1,
      collected: reported(
        tapReport(
          3 - tests.length,
          tests.flatMap((test) => test ?? []),
        ),
      ),
    })
    const attempt = { draft: aDraft({ changes }) }
    const good = await verify({ files, attempt, before: said(own, other), after: said(other) })
    expect(good.step.outcome).toBe('passed')
    const bad = await verify({ files, attempt, before: said(own, other), after: said(own, other) })
    expect(bad.step.outcome).toBe('failed')
    expect(attemptAfter(bad.step).broken.map(({ test }) => test)).toEqual(['flip turns'])
    expect(attemptAfter(bad.step).failure?.output).toContain('1 other test was red before')
  })

  it.each([
    [
      'nothing can run without it',
      { exitCode: 127, stderr: 'sh: 1: nyc: not found' },
      'cannot_run',
    ],
    ['the tests need none of it', green, 'passed'],
  ])('names the installer that lacks: %s', async (_, said, outcome) => {
    const manifest = { scripts: { test: 'node --test' }, dependencies: { a: '1' } }
    const files = { ...tested, 'package.json': JSON.stringify(manifest), 'yarn.lock': '' }
    const { workspace, state } = await taskUnderWay({ files, attempt: { draft: aDraft() } })
    const sandbox = {
      ...createScriptedSandbox(() => said),
      has: async (program: string) => !/^(?:yarn|npm)$/.test(program),
      dependencyCache: async () => ({ path: '/none', ready: false }),
    }
    const step = await verifyTask(state, fakePorts({ workspace, sandbox }))
    expect(step.outcome).toBe(outcome)
    if (outcome === 'passed') return
    expect(attemptAfter(step).failure).toMatchObject({
      message:
        'yarn install was not run: yarn was not found. Install it: npm install --global yarn',
      output: 'yarn: command not found',
    })
  })

  it('is not done where the change does nothing, unless a test became green through it', async () => {
    const content = "export function greet() {\n  throw new Error('not implemented')\n}\n"
    const draft = aDraft({ changes: [{ action: 'create', path: 'src/greet.js', content }] })
    const { step } = await verify({ attempt: { draft } })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step).broken).toMatchObject([
      { test: 'the change', message: expect.stringContaining('src/greet.js: throw new Error') },
    ])
    const turned = await verify({ attempt: { draft }, before: red })
    expect(turned.step.outcome).toBe('passed')
  })

  /** Of the change: red, then green; before it green. */
  async function verifyByChance(attempt: Partial<Attempt>, limits: Case['limits'] = {}) {
    const { workspace, state } = await taskUnderWay({
      files: tested,
      attempt: { draft: aDraft(), ...attempt },
    })
    const said = [red, green]
    const sandbox = createScriptedSandbox((_, { folder }) =>
      folder.includes('baseline') ? green : (said.shift() ?? green),
    )
    const step = await verifyTask(state, fakePorts({ workspace, sandbox }, limits))
    const ran = sandbox.commands.filter((command) => !command.endsWith('--version')).length
    return { step, ran }
  }

  it.each([
    ['after a repair', { testRepairs: 1 }, {}],
    ['where its tests failed by chance before', { isFlaky: true }, {}],
    ['where nobody would be asked for a repair', {}, { testRepairs: 0 }],
  ])('does not count what fails once and passes when run again: %s', async (_, attempt, limits) => {
    const { step, ran } = await verifyByChance(attempt, limits)
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt?.notes).toEqual([
      'flaky: greets failed once and passed when run again.',
    ])
    expect(ran).toBe(3)
  })

  it('leaves it to the repair to run again what failed once', async () => {
    const { step, ran } = await verifyByChance({})
    expect([step.outcome, ran]).toEqual(['failed', 2])
    expect(attemptAfter(step).tests?.commands).toMatchObject([{ once: true }])
  })

  const weaker = [
    { action: 'create', path: 'src/greet.js', content: "export const greet = () => 'hello'\n" },
    {
      action: 'modify',
      path: 'test/a.test.js',
      before: "test('greets', () => { assert.equal(greet(), 'hi') })\n",
      content: "test('greets', () => { assert.ok(greet()) })\n",
    },
  ] as const

  it('warns of tests that the change makes weaker', async () => {
    const files = { ...tested, 'test/a.test.js': weaker[1].before }
    const { step } = await verify({ files, attempt: { draft: aDraft({ changes: weaker }) } })
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt?.warnings).toEqual([
      'tests weakened: greets: equal(greet(), "hi") became ok(greet()) (test/a.test.js:1)',
    ])
    const asked = await verify({
      files,
      attempt: {
        draft: aDraft({ changes: weaker }),
        ...(await task({ title: 'Simplify the tests' })),
      },
    })
    expect(attemptAfter(asked.step).receipt?.warnings).toBeUndefined()
  })

  it('never passes what may answer for its tests: a person looks at it', async () => {
    const content = 'export function greet() {\n  process.exit(code)\n}\n'
    const draft = aDraft({ changes: [{ action: 'create', path: 'src/greet.js', content }] })
    const { step } = await verify({ attempt: { draft } })
    expect(step.outcome).toBe('unverified')
    expect(attemptAfter(step).receipt).toMatchObject({
      result: 'unverified',
      warnings: [
        'may answer for its tests: "process.exit(" ends or replaces the process (src/greet.js:2)',
      ],
      notes: [expect.stringContaining('A person has to look at it.')],
    })
  })

  it('fails when fewer tests run, unless the task takes something away', async () => {
    const fewer = { collected: reported(tapReport(1)) }
    const { step } = await verify({ after: fewer })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step).failure?.message).toMatch(/Only 1 of the 2 tests/)
    const asked = await verify({
      after: fewer,
      attempt: await task({ title: 'Remove the greeting' }),
    })
    expect(asked.step.outcome).toBe('passed')
  })

  it('warns of a file that was promised and never came', async () => {
    const draft = aDraft({ summary: 'I created src/other.js.' })
    const { step } = await verify({ attempt: { draft, ...(await task({ files: [] })) } })
    expect(attemptAfter(step).receipt?.warnings).toEqual([
      'the model says it wrote src/other.js, and did not',
    ])
  })

  it('runs what the change can reach, and the rest only when that is green', async () => {
    const files = {
      'package.json': '{ "workspaces": ["near", "far"] }',
      'near/package.json': '{ "name": "near", "scripts": { "test": "node --test" } }',
      'far/package.json': '{ "name": "far", "scripts": { "test": "node --test" } }',
    }
    const changes = [
      { action: 'create', path: 'near/a.js', content: 'export const a = 1\n' },
    ] as const
    const attempt = { draft: aDraft({ changes }), ...(await task({ files: [] })) }
    const near = (folder: SandboxRequest, text: string) =>
      new Map([[folder.collect[0] ?? '', text]])
    const runWith = async (isRed: boolean, reds = Number.POSITIVE_INFINITY, limits = {}) => {
      const { workspace, state } = await taskUnderWay({ files, attempt })
      let left = isRed ? reds : 0
      const ran: string[] = []
      const sandbox = createScriptedSandbox((_, request) => {
        const isBaseline = request.folder.includes('baseline')
        if (!isBaseline) ran.push(request.directory)
        const fails = left > 0 && !isBaseline && request.directory === 'near'
        if (fails) left -= 1
        return fails
          ? { exitCode: 1, collected: near(request, tapReport(1, [failure])) }
          : { collected: near(request, tapReport(2)) }
      })
      return { step: await verifyTask(state, fakePorts({ workspace, sandbox }, limits)), ran }
    }
    const good = await runWith(false)
    expect([good.step.outcome, good.ran]).toEqual(['passed', ['near', 'far']])
    const bad = await runWith(true)
    expect([bad.step.outcome, bad.ran]).toEqual(['failed', ['near']])
    expect(attemptAfter(bad.step).receipt?.notes).toContain(
      'Not run, because tests nearer to the change fail: cd far && npm test.',
    )
    const flaky = await runWith(true, 1, { testRepairs: 0 })
    expect([flaky.step.outcome, flaky.ran]).toEqual(['passed', ['near', 'near', 'far']])
  })

  it('says of an accept command that it passed before', async () => {
    const { step } = await verify({ attempt: await task({ accept: ['accept-it'] }) })
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt?.notes).toEqual([
      'accept-it also passed before this change, so it does not show what the change does.',
    ])
  })

  it('does not count what was red before', async () => {
    const { step } = await verify({ before: red, after: red })
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt?.notes).toContain(
      '1 test was red before this change and still is.',
    )
  })

  it.each([
    [0, 'failed'],
    [1, 'failed'],
    [2, 'repairs_spent'],
  ])('after %i repairs of tests, of 2, a failure is %s', async (testRepairs, outcome) => {
    const { step } = await verify({ after: red, attempt: { testRepairs } })
    expect(step.outcome).toBe(outcome)
  })

  it('can be proven by no tests, and says so', async () => {
    const { step, sandbox } = await verify({ files: untested })
    expect(step.outcome).toBe('unverified')
    expect(attemptAfter(step).receipt?.result).toBe('unverified')
    expect(sandbox.commands).toEqual([])
  })

  it('takes no pass from tests that ran none', async () => {
    const { step } = await verify({
      before: { collected: reported(tapReport(0)) },
      after: { collected: reported(tapReport(0)) },
    })
    expect(step.outcome).toBe('unverified')
  })

  it('asks for tests where the settings require them', async () => {
    const { step } = await verify({ files: untested, verify: { requireTests: true } })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step).failure?.message).toMatch(/no tests/)
  })

  it('fails when an accept command does, though all tests pass', async () => {
    const { step } = await verify({
      attempt: await task({ accept: ['accept-it'] }),
      accept: { exitCode: 3, stderr: 'not yet' },
    })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step).broken).toMatchObject([
      { test: 'accept-it', message: expect.stringContaining('not yet') },
    ])
  })

  it.each<[string, Case]>([
    [
      'the program is missing',
      {
        files: { 'package.json': '{}' },
        verify: { testCommand: 'tester' },
        before: notFound(),
        after: notFound(),
      },
    ],
    [
      'the dependencies cannot be had',
      {
        verify: { setupCommand: 'get-it' },
        before: { exitCode: 1, stderr: 'offline' },
        after: { exitCode: 1, stderr: 'offline' },
      },
    ],
  ])('cannot run when %s', async (_, given) => {
    const { step } = await verify(given)
    expect(step.outcome).toBe('cannot_run')
    expect(attemptAfter(step).failure?.message).not.toBe('')
  })

  function notFound(): Said {
    return { exitCode: 127, stderr: 'sh: 1: tester: not found' }
  }

  it('runs the setup command on the start commit, and the tests on the change', async () => {
    const { workspace, state } = await taskUnderWay({
      files: { ...tested, 'gen.txt': 'old\n' },
      attempt: {
        draft: aDraft({
          changes: [
            { action: 'create', path: 'src/new.js', content: 'new\n' },
            { action: 'modify', path: 'gen.txt', before: 'old\n', content: 'new\n' },
          ],
        }),
      },
    })
    const seen: [string, string | undefined, string | undefined][] = []
    const sandbox = createScriptedSandbox((command: string, { folder }: SandboxRequest) => {
      const files = workspace.filesIn(folder.includes('baseline') ? folder : 'T-1')
      if (!folder.includes('baseline')) seen.push([command, files['src/new.js'], files['gen.txt']])
      // What the command makes of a file does not keep the change from it.
      if (command === 'get-it' && !folder.includes('baseline')) {
        workspace.disturb('T-1', 'gen.txt', 'made\n')
      }
      return green
    })
    const settings = someSettings()
    const verify = { ...settings.verify, setupCommand: 'get-it' }
    await verifyTask(state, fakePorts({ workspace, sandbox, settings: { ...settings, verify } }))
    const of = (wanted: RegExp) => seen.filter(([command]) => wanted.test(command))
    expect(of(/get-it/)).toEqual([['get-it', undefined, 'old\n']])
    expect(of(/npm|node/).length).toBeGreaterThan(0)
    for (const each of of(/npm|node/)) expect(each.slice(1)).toEqual(['new\n', 'new\n'])
  })

  it('cannot run what imports a file that a later task brings', async () => {
    const roadmap = '- [ ] **T-1**: Add a\n- [ ] **T-2**: Create `src/later.js`\n'
    const changes = [
      { action: 'create', path: 'src/greet.js', content: "export * from './later.js'\n" },
    ] as const
    const { step, sandbox } = await verify({
      files: { ...tested, 'ROADMAP.md': roadmap },
      attempt: { draft: aDraft({ changes }) },
    })
    expect(step.outcome).toBe('cannot_run')
    expect(attemptAfter(step).failure?.message).toBe(
      "src/greet.js:1 Cannot find module './later.js'",
    )
    expect(sandbox.commands).toEqual([])
  })

  it('runs nothing where it is switched off, and claims nothing', async () => {
    const { step, sandbox } = await verify({ verify: { mode: 'skip' } })
    expect(step.outcome).toBe('unverified')
    expect(attemptAfter(step).receipt).toMatchObject({
      result: 'unverified',
      notes: [expect.stringContaining('switched off')],
    })
    expect(sandbox.commands).toEqual([])
  })
})

describe('"nothing to do" is', () => {
  const shown = [{ path: 'src/greet.js', text: '', whole: true }]
  const refuted = { rung: 'red_tests', form: 'whole', sample: 0, why: 'red' } as const
  const ofGreet = { ...failure, file: 'test/greet.test.js' }
  const redOfGreet: Said = { exitCode: 1, collected: reported(tapReport(1, [ofGreet])) }

  it.each<[string, string, Case]>([
    ['proven by accept commands', 'already_satisfied', { attempt: { draft: done } }],
    [
      'refuted when an accept command fails',
      'refuted',
      { attempt: { draft: done }, accept: { exitCode: 1 } },
    ],
  ])('%s', async (_, outcome, given) => {
    const { step } = await verify({
      ...given,
      attempt: { ...given.attempt, ...(await task({ accept: ['accept-it'] })) },
    })
    expect(step.outcome).toBe(outcome)
  })

  it.each<[string, string, Case]>([
    [
      'proven by the expected files and green tests',
      'already_satisfied',
      { attempt: { draft: done, context: shown } },
    ],
    ['unproven without the expected files', 'unproven', { attempt: { draft: done } }],
    [
      'unproven without tests',
      'unproven',
      { files: untested, attempt: { draft: done, context: shown } },
    ],
    [
      'unproven unseen',
      'unproven',
      { attempt: { draft: done, context: shown }, verify: { mode: 'skip' } },
    ],
    [
      'refuted when tests broke',
      'refuted',
      { attempt: { draft: done, context: shown }, after: red },
    ],
    [
      'unproven when it was refuted before',
      'unproven',
      { attempt: { draft: done, context: shown, requests: [refuted] }, after: red },
    ],
    [
      'refuted by tests of its file that were red before',
      'refuted',
      {
        files: { ...tested, 'src/greet.js': 'export {}\n', 'test/greet.test.js': '' },
        attempt: { draft: done, context: shown, targets: ['src/greet.js'] },
        before: redOfGreet,
        after: redOfGreet,
      },
    ],
    [
      'believed beside red tests of other files',
      'already_satisfied',
      {
        files: { ...tested, 'src/greet.js': 'export {}\n' },
        attempt: { draft: done, context: shown, targets: ['src/greet.js'] },
        before: red,
        after: red,
      },
    ],
  ])('%s', async (_, outcome, given) => {
    const { step } = await verify(given)
    expect(step.outcome).toBe(outcome)
    if (outcome === 'unproven') expect(attemptAfter(step).failure?.message).toMatch(/nothing to do/)
  })

  it.each([
    ['the task', 'Greet', 'src/greet.js', 'project/notes', 'failed'],
    ['the task, also if it is a test', 'Greet', 'src/greet.js', 'test/other.test.js', 'failed'],
    ['others where the file is new', 'Greet', 'src/new.js', 'project/notes', 'passed'],
    [
      'others where the task is about tests',
      'Test the greeting',
      'src/greet.js',
      'test/other.test.js',
      'passed',
    ],
  ])('a change elsewhere leaves red tests to %s', async (_, title, target, path, outcome) => {
    const change = { action: 'create', path, content: '// None.\n' } as const
    const { step } = await verify({
      files: { ...tested, 'src/greet.js': 'export {}\n', 'test/greet.test.js': '' },
      attempt: {
        ...(await task({ title })),
        draft: aDraft({ changes: [change] }),
        targets: [target],
      },
      before: redOfGreet,
      after: redOfGreet,
    })
    expect(step.outcome).toBe(outcome)
  })
})

it('quotes an agent that changed nothing', async () => {
  const gaveUp = { ...done, summary: 'I looked.\nThere is no src/greet.js to change.' }
  const { step } = await verify({ attempt: { draft: gaveUp }, strategy: 'agent' })
  expect(attemptAfter(step).failure?.message).toBe(
    'the agent changed nothing, and says: There is no src/greet.js to change.',
  )
})

describe('verify_task and the names of the tests', () => {
  const text = (...titles: readonly string[]) =>
    titles.map((title) => `test('${title}', () => assert.ok(sum(1)))\n`).join('')
  const said = (...titles: readonly string[]): Said => ({
    exitCode: 0,
    collected: reported(
      `TAP version 13\n${titles.map((title, index) => `ok ${index + 1} - ${title}\n`).join('')}`,
    ),
  })
  const path = 'test/a.test.js'

  async function play(before: Said, after: Said, changes: Attempt['draft'] | null, tests: string) {
    const files = { ...tested, [path]: tests }
    const given = { files, before, after, ...(changes ? { attempt: { draft: changes } } : {}) }
    const { step } = await verify(given)
    return { outcome: step.outcome, ...attemptAfter(step) }
  }

  it('misses one that is still there and no longer runs, though as many ran', async () => {
    const { outcome, broken } = await play(
      said('adds', 'subtracts'),
      said('adds', 'greets'),
      null,
      text('adds', 'subtracts'),
    )
    expect(outcome).toBe('failed')
    expect(broken).toMatchObject([
      { test: 'subtracts', file: path, message: expect.stringContaining('still in the tree') },
    ])
  })

  it.each([
    ['moves to another suite', said('adds', 'b'), said('b', 'adds'), text('adds', 'b')],
    ['has another random name', said('adds 0.7', 'b'), said('adds 0.2', 'b'), text('b')],
    ['is a file, and no test', said(path, 'b'), said('adds', 'b'), text('adds', 'b')],
    ['is called by a mere word', said('basic', 'b'), said('b', 'c'), 'cases() // basic ones\n'],
    ['has other parameters', said('add[1]', 'b'), said('add[2]', 'b'), text('add', 'b')],
  ])('misses none that %s', async (_, before, after, tests) => {
    expect((await play(before, after, null, tests)).outcome).toBe('passed')
  })

  it('misses none that the change renames or takes out', async () => {
    const before = text('adds', 'subtracts')
    const content = text('adds', 'takes away')
    const draft = aDraft({ changes: [{ action: 'modify', path, before, content }] })
    const found = await play(said('adds', 'subtracts'), said('adds', 'takes away'), draft, before)
    expect(found.outcome).toBe('passed')
  })

  const fresh = (content: string) =>
    aDraft({ changes: [{ action: 'create', path: 'test/b.test.js', content }] })

  it('proves nothing by a new file of which no test ran', async () => {
    const { outcome, receipt } = await play(
      said('adds'),
      said('adds'),
      fresh(text('new')),
      text('adds'),
    )
    expect(outcome).toBe('unverified')
    expect(receipt?.notes).toContainEqual(expect.stringContaining('test/b.test.js'))
  })

  it.each([
    ['prints a summary', "console.log('Tests:       20 passed, 20 total\\n')\n", 'unverified'],
    ['speaks of tests', "console.log('20 tests were asked for')\n", 'passed'],
  ])(
    'is no proof what a change may have printed itself: one that %s',
    async (_, content, outcome) => {
      const draft = aDraft({ changes: [{ action: 'create', path: 'src/a.js', content }] })
      const found = await play(said('adds'), said('adds'), draft, text('adds'))
      expect(found.outcome).toBe(outcome)
    },
  )

  it('warns of what the change leaves for later, and counts it', async () => {
    const content =
      "export const one = () => 1\nexport function two() {\n  throw new Error('not implemented')\n}\n"
    const draft = aDraft({ changes: [{ action: 'create', path: 'src/a.js', content }] })
    const { outcome, receipt } = await play(said('adds'), said('adds'), draft, text('adds'))
    expect(outcome).toBe('passed')
    expect(receipt?.stubs).toEqual({ found: 1, lines: 4 })
    expect(receipt?.warnings).toContainEqual(expect.stringContaining('does nothing yet: src/a.js'))
  })

  it('believes a report that tells of a failure before an exit code', async () => {
    const { outcome } = await play(green, { ...red, exitCode: 0 }, null, text('works 1', 'works 2'))
    expect(outcome).toBe('failed')
  })

  it.each([
    ['ran', said('adds', 'new'), text('new')],
    [
      'makes its names',
      said('adds', 'made 1'),
      'for (const n of [1]) test(`made ${n}`, () => {})\n',
    ],
    ['holds no test', said('adds'), 'export const one = 1\n'],
  ])('is proven with a new file that %s', async (_, after, content) => {
    expect((await play(said('adds'), after, fresh(content), text('adds'))).outcome).toBe('passed')
  })

  it('asks nothing of a file unlike those that the runner takes', async () => {
    const found = await play(said('adds'), said('adds'), fresh(text('new')), 'export {}\n')
    expect(found.outcome).toBe('passed')
  })
})
