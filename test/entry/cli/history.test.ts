import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { analyze, history } from '../../../src/entry/cli/commands/history.ts'
import type { Terminal } from '../../../src/entry/cli/terminal.ts'
import { attemptOf, putJournal, type Told } from '../../core/history/journal-of.ts'

function makeProject() {
  const directory = mkdtempSync(join(tmpdir(), 'executor-history-'))
  execFileSync('git', ['init', '-q', directory])
  const said: string[] = []
  const printed: string[] = []
  const terminal: Terminal = {
    ...{ directory, environment: { OPENAI_MODEL: 'small' }, isTTY: false, live: null },
    say: (text) => said.push(text),
    print: (text) => printed.push(text),
    paint: (_, text) => text,
    redact: (text) => text,
  }
  return {
    ...{ directory, terminal, said, printed, folder: join(directory, '.executor') },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

const several = (count: number, from: number, told: Told): readonly JournalEntry[] =>
  Array.from({ length: count }, (_, index) =>
    attemptOf({ ...told, task: `T-${from + index}` }),
  ).flat()

/** What is older than the retention is not shown, so these are as fresh as they say. */
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Ten large tasks that fail at once, and are served with a plan. */
function putBoth(folder: string): void {
  const told = { files: 6, fails: true } as const
  const failed = several(10, 1, { ...told, result: { verdict: 'failed' } })
  putJournal(folder, 'r1', failed, hoursAgo(60))
  const planned = several(10, 1, { ...told, strategy: 'two_phase' })
  putJournal(folder, 'r2', planned, hoursAgo(12))
}

it.each(['', 'stats', 'errors', 'misroutes', 'routing', 'learning'])(
  '%j says that nothing is there yet',
  async (view) => {
    using project = makeProject()
    const { terminal, said, printed } = project
    const code = await (view === 'routing' || view === 'learning'
      ? analyze(view, {}, terminal)
      : history(view || undefined, {}, terminal))
    expect([code, printed]).toEqual([0, []])
    expect(said.join()).toMatch(/^(Nothing here yet|No step has failed yet|No misroutes to show)/)
  },
)

it.each<[string, Parameters<typeof history>[1], RegExp]>([
  ['', { limit: '2' }, /T-10 +in_review +small +two_phase(?=.*T-9)(?!.*T-8)/s],
  ['', { task: 'T-3' }, /T-3, attempt 1, run r2.*plan_task +planned.*run r1/s],
  ['', { since: '1d' }, /^(?!.*failed)/s],
  ['stats', {}, /two_phase +10 +█{10} 100 %.*single +10 +·{10} 0 %/s],
  ['errors', {}, /20 +test_failure +verify_task +[-\d]+ +ask_again 10\/20 +expected <n>/s],
  ['misroutes', {}, /10 of 10 by small, single.*would have served: small, two_phase.*6 files/s],
])('history %s %j', async (view, flags, expected) => {
  using project = makeProject()
  putBoth(project.folder)
  expect(await history(view || undefined, flags, project.terminal)).toBe(0)
  expect(project.printed.join('\n')).toMatch(expected)
})

it('analyze routing shows both intervals, and the lines that a person may take over', async () => {
  using project = makeProject()
  putBoth(project.folder)
  expect(await analyze('routing', {}, project.terminal)).toBe(0)
  const text = project.printed.join('\n')
  expect(text).toMatch(/→ +small +single +0 of 10 \(0 %, 0–28 %\)/)
  expect(text).toContain('    model: "small"\n    strategy: two_phase')
})

it.each([
  ['history', undefined, ['executions']],
  ['history', 'stats', ['since', 'models', 'strategies', 'days']],
  ['history', 'errors', ['since', 'errors']],
  ['history', 'misroutes', ['since', 'shownFrom', 'shown', 'tooFew']],
  ['analyze', 'routing', ['since', 'configured', 'current', 'routes', 'advice', 'silence']],
])('%s %s --json is one document', async (command, view, keys) => {
  using project = makeProject()
  const { terminal, printed, folder } = project
  putBoth(folder)
  const flags = { json: true }
  await (command === 'analyze'
    ? analyze(String(view), flags, terminal)
    : history(view, flags, terminal))
  expect(printed).toHaveLength(1)
  const document: object = JSON.parse(printed.join(''))
  for (const key of keys) expect(document).toHaveProperty(key)
})

it('writes nothing where it is switched off', async () => {
  using project = makeProject()
  putBoth(project.folder)
  mkdirSync(join(project.directory, '.github'))
  writeFileSync(join(project.directory, '.github', 'executor.yml'), 'history: false\n')
  expect(await history('stats', {}, project.terminal)).toBe(0)
  expect(project.said.join()).toContain('switched off')
  expect(existsSync(join(project.folder, 'history.db'))).toBe(false)
})

it.each([
  ['there is no such view', 'sums', {}],
  ['since is no day', 'stats', { since: 'yesterday' }],
  ['the limit is no number', undefined, { limit: '0' }],
])('%s: wrong use', async (_, view, flags) => {
  using project = makeProject()
  const called = async () => history(view, flags, project.terminal)
  await expect(called()).rejects.toMatchObject({ code: 'bad_usage' })
})

it('moves no cursor with what a journal says', async () => {
  using project = makeProject()
  const task = 'T\u001b[2J\u202e-1\n'
  putJournal(project.folder, 'r1', attemptOf({ task, model: 'm\u001b]0;x\u0007' }), hoursAgo(1))
  await history(undefined, { task }, project.terminal)
  expect(project.printed.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
})

it('analyze routing --apply prints the diff where there is no forge, and changes nothing', async () => {
  using project = makeProject()
  putBoth(project.folder)
  const file = join(project.directory, '.github/executor.yml')
  mkdirSync(join(project.directory, '.github'))
  const text = 'model: small # cheap\nstrategy: single\n'
  writeFileSync(file, text)
  // A token alone is no forge: it would be sent to a stranger.
  const terminal = {
    ...project.terminal,
    environment: { ...project.terminal.environment, GITHUB_TOKEN: 'secret' },
  }
  for (let times = 0; times < 2; times += 1)
    expect(await analyze('routing', { apply: true }, terminal)).toBe(0)
  expect(project.printed.join('\n')).toContain(
    ' model: small # cheap\n-strategy: single\n+strategy: two_phase',
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
  const other = async () => analyze('misroutes', { apply: true }, terminal)
  await expect(other()).rejects.toMatchObject({ code: 'bad_usage' })
})

it('analyze routing recommends no route for strategy: auto', async () => {
  using project = makeProject()
  putBoth(project.folder)
  mkdirSync(join(project.directory, '.github'))
  writeFileSync(join(project.directory, '.github/executor.yml'), 'strategy: auto\n')
  expect(await analyze('routing', { apply: true }, project.terminal)).toBe(0)
  expect(project.printed.join('\n')).toContain('each task has its own way')
  expect(project.said.join('\n')).toContain('There is no advice to apply.')
})

it('analyze learning shows the refinements with their figures', async () => {
  using project = makeProject()
  const put = (from: number, count: number, told: Told) => {
    for (let at = from; at < from + count; at += 1) {
      const entries = attemptOf({ task: `T-${at}`, shape: 'one_file', ...told })
      putJournal(project.folder, `r${at}`, entries, hoursAgo(40 - at / 10))
    }
  }
  put(0, 12, { fails: true, result: { verdict: 'failed' } })
  put(12, 10, { refinement: 'keep_tests' })
  put(22, 3, { refinement: 'no_lesson' })
  expect(await analyze('learning', {}, project.terminal)).toBe(0)
  const shown = project.printed.join('\n')
  expect(shown).toMatch(/keep_tests +one_file +10 of 10 +72–100 % +0 of 12 +kept/)
  expect(shown).toMatch(/no_lesson +one_file +3 of 3 +44–100 % +0 of 12 +on trial/)
  expect(await analyze('learning', { json: true }, project.terminal)).toBe(0)
  const { refinements } = JSON.parse(project.printed.at(-1) ?? '')
  expect(refinements).toMatchObject([{ refinement: 'keep_tests' }, { state: 'on_trial' }])
})

it('analyze learning shows what passed at once, and the recoveries with their target', async () => {
  using project = makeProject()
  const split = { recovered: 'DECOMPOSE', result: { verdict: 'replaced' } } as const
  putJournal(project.folder, 'r1', attemptOf({ task: 'T-1', ...split }), hoursAgo(60))
  putJournal(project.folder, 'r2', attemptOf({ task: 'T-2', ...split }), hoursAgo(50))
  putJournal(project.folder, 'r3', several(12, 20, { lesson: 'go' }), hoursAgo(40))
  const parts = [...attemptOf({ task: 'T-1-a' }), ...attemptOf({ task: 'T-2-a' })]
  const lost = attemptOf({ task: 'T-2-b', result: { verdict: 'failed' } })
  putJournal(project.folder, 'r4', [...parts, ...lost], hoursAgo(12))
  expect(await analyze('learning', {}, project.terminal)).toBe(0)
  const shown = project.printed.join('\n')
  expect(shown).toMatch(/lesson +go +12 +█{10} 100 % +76–100 % +as usual/)
  expect(shown).toContain('1 of 2 recoveries succeeded (50 %, target 60 %)')
  await expect(
    (async () => analyze('learning', { apply: true }, project.terminal))(),
  ).rejects.toThrow()
})
