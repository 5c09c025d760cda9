import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { label } from '../../../src/core/domain/identity.ts'
import { attemptOf, putJournal } from '../../core/history/journal-of.ts'
import { openActionBench, withoutReports } from './action-bench.ts'
import { edit, once, tool, withRoadmap } from './toolbox.ts'

const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
const part = (n: number, value: string): string => `export const part${n} = ${value}`
const refactored = numbers
  .map((n) =>
    edit(
      `src/part${n}.js`,
      part(n, `() => ${n}`),
      part(n, n === 7 ? '() => {' : `() => Number('${n}')`),
    ),
  )
  .join('')
const worse = (from: string) =>
  edit('src/part7.js', part(7, `() => ${from}`), part(7, `() => ${from}{`))

it('a refactoring that breaks at the seventh of ten files leaves nothing; what went well is rolled back from a clone', async () => {
  const files = {
    ...withRoadmap('T-1: Compute every part', 'T-2: Halve a number, in `src/halve.js`'),
    ...Object.fromEntries(numbers.map((n) => [`src/part${n}.js`, `${part(n, `() => ${n}`)}\n`])),
  }
  await using bench = await openActionBench(files, [
    { when: { purpose: 'draft', contains: 'T-1' }, answers: [refactored] },
    { when: { purpose: 'repair_code' }, answers: [worse('{'), worse('{{')] },
    {
      when: { purpose: 'classify' },
      answers: ['{"reason": "unknown", "explanation": "It stays wrong."}'],
    },
    {
      when: { purpose: 'draft', contains: 'T-2' },
      answers: [tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')],
    },
  ])
  const { git } = bench
  const run = await bench.run({ inputs: { 'approval-mode': 'review_only' } })
  expect(run.outputs, run.stdout).toMatchObject({ completed: '1', failed: '1' })
  await git('fetch', '--quiet', '--prune', 'origin')
  const remote = await git('for-each-ref', '--format=%(refname:short)', 'refs/remotes/origin')
  expect(remote.split('\n').filter((name) => name.includes('T-1'))).toEqual([])
  expect((await git('diff', '--name-only', 'origin/main', 'origin/agent/T-2')).split('\n')).toEqual(
    ['ROADMAP.md', 'src/halve.js', 'test/halve.test.js'],
  )
  const work = await git('rev-parse', 'origin/agent/T-2')

  const clone = mkdtempSync(join(tmpdir(), 'executor-clone-'))
  try {
    await execa('git', [
      'clone',
      '--quiet',
      `${bench.server.url}/${target.owner}/${target.repo}`,
      clone,
    ])
    const rollback = (...args: readonly string[]) =>
      execa(process.execPath, [cli, 'rollback', 'T-2', '--github', ...args], {
        cwd: clone,
        reject: false,
        env: {
          GITHUB_TOKEN: 'actions-token',
          GITHUB_API_URL: bench.server.apiUrl,
          GITHUB_SERVER_URL: bench.server.url,
          XDG_CACHE_HOME: join(clone, '.cache'),
        },
      })
    const done = await rollback('--yes', '--json')
    expect(done.exitCode, done.stderr).toBe(0)
    expect(JSON.parse(done.stdout).operations).toMatchObject([
      { kind: 'close', task: 'T-2', branch: 'agent/T-2', outcome: 'done' },
      { kind: 'revert', task: 'T-2', key: work, outcome: 'done' },
    ])
    const [pull] = await bench.pulls()
    expect(pull).toMatchObject({ state: 'closed', head: 'agent/T-2' })
    expect(pull?.labels).toContain(label.rolledBack)
    expect(
      (await bench.comments()).filter(({ body }) => body.includes('Rolled back')),
    ).toHaveLength(1)
    expect(await bench.message('agent/T-2')).toContain(`Executor-Reverts: ${work}`)
    expect(await git('diff', '--name-only', 'origin/main', 'origin/agent/T-2')).toBe('')
    expect(await git('rev-parse', 'origin/agent/T-2~1')).toBe(work)

    const writes = bench.server.requests.filter((request) => request.writes).length
    const again = await rollback('--yes')
    expect(again.exitCode, again.stderr).toBe(0)
    expect(bench.server.requests.filter((request) => request.writes)).toHaveLength(writes)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})

const cli = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))

it('of five tasks that belong together the third fails: the second is closed, and reverting the merged first is proposed', async () => {
  const names = ['half', 'third', 'fourth', 'fifth', 'sixth']
  const tasks = names.map((name, at) =>
    [
      `T-${at + 1}: Divide by ${at + 2}, in \`src/${name}.js\``,
      '  - **Together**: division',
      ...(at === 0 ? [] : [`  - **Depends on**: T-${at}`]),
    ].join('\n'),
  )
  const good = (at: number) =>
    tool(names[at] ?? '', `(n) => n / ${at + 2}`, `assert.equal(${names[at]}(${at + 2}), 1)`)
  const bad = tool('fourth', '(n) => {', 'assert.equal(fourth(4), 1)')
  await using bench = await openActionBench(withRoadmap(...tasks), [
    once('T-1', good(0)),
    once('T-2', good(1)),
    once('T-3', bad),
    { when: { purpose: 'repair_code' }, answers: [bad, bad] },
    {
      when: { purpose: 'classify' },
      answers: ['{"reason": "unknown", "explanation": "It stays wrong."}'],
    },
  ])
  await bench.run({ inputs: { 'max-tasks': '1' } })
  await bench.merge(1)
  const run = await bench.run({ inputs: { 'approval-mode': 'auto' } })
  expect(run.outputs, run.stdout).toMatchObject({ completed: '0', failed: '2' })
  const pulls = () => bench.pulls().then((all) => all.map(({ head, state }) => `${head} ${state}`))
  expect(await pulls()).toEqual([
    ...['agent/T-1 merged', 'agent/T-2 closed', 'agent/T-3 open', 'agent/T-1 open'],
  ])
  const [, second, , revert] = await bench.pulls()
  expect(second?.labels).toContain(label.rolledBack)
  expect(revert?.title).toMatch(/^Revert /)
  expect(revert?.body).toContain('T-3 failed, and T-1 belongs together with it.')
  const [why] = withoutReports(await bench.comments()).filter(({ pull }) => pull === second?.number)
  expect(why?.body).toContain('**Rolled back**: T-3 failed, and T-2 belongs together with it.')
  expect(run.summary).toContain('rolled back')
  expect(await bench.file('main', 'src/half.js')).toContain('n / 2')

  const again = await bench.run({ inputs: { 'approval-mode': 'auto' } })
  expect(again.modelCalls).toBe(0)
  expect(await pulls()).toHaveLength(4)
  // The second says that the failed attempt builds on a closed pull request.
  const said = withoutReports(await bench.comments())
  expect(said.map(({ pull }) => pull)).toEqual([2, 3])
})

it('advice on routing becomes one pull request on the configuration, from a clone, however often it is applied', async () => {
  const config = '# Ours.\nmodel: small # cheap\nstrategy: single\n'
  await using bench = await openActionBench(
    { ...withRoadmap('T-1: Halve a number'), '.github/executor.yml': config },
    [],
  )
  const clone = mkdtempSync(join(tmpdir(), 'executor-clone-'))
  try {
    const remote = `${bench.server.url}/${target.owner}/${target.repo}`
    await execa('git', ['clone', '--quiet', remote, clone])
    const hour = 3_600_000
    for (const [at, strategy, verdict] of [
      [2, 'single', 'failed'],
      [1, 'two_phase', 'in_review'],
    ] as const) {
      const entries = Array.from({ length: 12 }, (_, index) =>
        attemptOf({ task: `T-${index + 1}`, strategy, result: { verdict } }),
      )
      const time = new Date(Date.now() - at * hour).toISOString()
      putJournal(join(clone, '.executor'), `r${at}-${strategy}`, entries.flat(), time)
    }
    const analyze = (...args: readonly string[]) =>
      execa(process.execPath, [cli, 'analyze', 'routing', ...args], {
        cwd: clone,
        reject: false,
        env: {
          GITHUB_TOKEN: 'actions-token',
          GITHUB_API_URL: bench.server.apiUrl,
          GITHUB_SERVER_URL: bench.server.url,
          XDG_CACHE_HOME: join(clone, '.cache'),
        },
      })
    const looked = await analyze()
    expect([looked.exitCode, await bench.pulls()], looked.stderr).toEqual([0, []])
    const applied = await analyze('--apply')
    expect(applied.exitCode, applied.stderr).toBe(0)
    const [pull] = await bench.pulls()
    expect(pull).toMatchObject({ state: 'open', head: 'executor/routing', base: 'main' })
    expect(await bench.git('fetch', '--quiet', 'origin')).toBe('')
    expect(await bench.git('show', 'origin/executor/routing:.github/executor.yml')).toBe(
      config.replace('single', 'two_phase').trimEnd(),
    )
    const writes = bench.server.requests.filter((request) => request.writes).length
    const again = await analyze('--apply')
    expect(again.exitCode, again.stderr).toBe(0)
    expect(bench.server.requests.filter((request) => request.writes)).toHaveLength(writes)
    expect(await bench.git('show', 'origin/main:.github/executor.yml')).toBe(config.trimEnd())
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})

it('a comment undoes a merged task, and command: rollback one whose pull request is open', async () => {
  await using bench = await openActionBench(
    withRoadmap('T-1: Halve a number, in `src/halve.js`', 'T-2: Double it, in `src/double.js`'),
    [
      once('T-1', tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')),
      once('T-2', tool('double', '(n) => n * 2', 'assert.equal(double(4), 8)')),
    ],
  )
  await bench.run({ inputs: { 'max-tasks': '1' } })
  await bench.merge(1)
  await bench.run({ inputs: { 'max-tasks': '1' } })
  const owner = bench.octokit('owner-token')
  const { data: comment } = await bench
    .octokit('writer-token')
    .issues.createComment({ ...target, issue_number: 1, body: '/rollback' })
  const payload = {
    ...{ action: 'created', comment },
    issue: (await owner.issues.get({ ...target, issue_number: 1 })).data,
    repository: (await owner.repos.get(target)).data,
  }
  const said = await bench.run({ event: 'issue_comment', payload, inputs: { 'max-tasks': '1' } })
  expect(said.exitCode, said.stdout).toBe(0)
  const [first, second, revert, ...others] = await bench.pulls()
  expect([first, second]).toMatchObject([{ state: 'merged' }, { state: 'open' }])
  expect(revert).toMatchObject({ state: 'open', head: 'agent/T-1' })
  expect(revert?.title).toMatch(/^Revert /)
  expect(others).toEqual([])
  expect((await bench.comments()).at(-1)?.body).toMatch(
    /Rolled back \*\*T-1\*\*[\s\S]*- propose to revert/,
  )

  const command = { command: 'rollback', task: 'T-2' }
  const looked = await bench.run({ inputs: { ...command, 'dry-run': 'true' } })
  expect(looked.summary).toContain('- planned: close')
  expect((await bench.pulls())[1]).toMatchObject({ state: 'open' })
  const undone = await bench.run({ inputs: command })
  expect(undone.exitCode, undone.stdout).toBe(0)
  expect(undone.summary).toMatch(/^## Rollback of T-2\n\n- done: close #\S+ of agent\/T-2 /)
  expect((await bench.pulls())[1]).toMatchObject({ state: 'closed' })
  const nothing = await bench.run({ inputs: { command: 'rollback' } })
  expect(nothing.exitCode).toBe(1)
  expect(nothing.stdout).toContain('what to revert')
}, 120_000)
