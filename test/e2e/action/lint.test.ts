import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { type ActionBench, openActionBench, writesOf } from './action-bench.ts'
import { withRoadmap } from './toolbox.ts'

let bench: ActionBench
beforeAll(async () => {
  bench = await openActionBench(withRoadmap('T-1: Halve `src/add.js`'), [])
})
afterAll(() => bench[Symbol.asyncDispose]())

/** A runner's checkout of a pull request with these files changed, on no branch. */
async function checkOutPull(files: Readonly<Record<string, string>>, link?: string) {
  const workspace = await mkdtemp(join(tmpdir(), 'pull-'))
  const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const git = async (...args: readonly string[]) =>
    (
      await execa('git', ['-c', 'user.name=M', '-c', 'user.email=m@example.org', ...args], {
        cwd: workspace,
        env,
      })
    ).stdout
  const url = `${bench.server.url.replace('://', '://x-access-token:actions-token@')}/${target.owner}/${target.repo}`
  await git('clone', '--quiet', '--depth=1', url, '.')
  await git('checkout', '--quiet', '--detach')
  for (const [path, text] of Object.entries(files)) await writeFile(join(workspace, path), text)
  if (link !== undefined) {
    await rm(join(workspace, 'ROADMAP.md'))
    await symlink(link, join(workspace, 'ROADMAP.md'))
  }
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '-m', 'a change')
  return {
    workspace,
    sha: await git('rev-parse', 'HEAD'),
    [Symbol.asyncDispose]: () => rm(workspace, { recursive: true }),
  }
}

const pull = { event: 'pull_request', ref: 'refs/pull/1/merge' }
const payload = { action: 'synchronize', number: 1, repository: { default_branch: 'main' } }
const noModel = { model: '', 'api-key': '' }

async function lint(
  roadmap: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>> = {},
  more: { readonly link?: string; readonly payload?: unknown } = {},
) {
  await using checkout = await checkOutPull(roadmap, more.link)
  const { workspace, sha } = checkout
  const run = await bench.run({
    ...pull,
    payload: more.payload ?? payload,
    inputs: { ...noModel, ...inputs },
    workspace,
    sha,
  })
  expect(run.modelCalls).toBe(0)
  expect(writesOf(run)).toEqual([])
  return run
}

const broken = '- [ ] T-1: Fix `src/ad.js`\n- [ ] T-1: Login | page ::error::x\n'

describe('a pull request', () => {
  it('that breaks the roadmap is red, with annotations on its lines and a table', async () => {
    const run = await lint({ 'ROADMAP.md': broken })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^::error title=duplicate-id,file=ROADMAP\.md,line=2,col=1::/m)
    expect(run.stdout).toMatch(/^::warning title=vague-task,file=ROADMAP\.md,line=2,col=1::/m)
    expect(run.stdout).toMatch(/^::notice title=missing-file,file=ROADMAP\.md,line=1,col=\d+::/m)
    expect(run.annotations.map(({ level }) => level)).toEqual([
      'notice',
      'error',
      'warning',
      'error',
    ])
    expect(run.summary).toContain('1 error, 1 warning, 1 note. Forecast: 2 open tasks')
    expect(run.summary).toMatch(/^\| 2 \| error \| duplicate-id \| .* \| .* \|$/m)
    expect(run.summary).toContain('Login \\| page')
  })

  it('that changes it well is green', async () => {
    const run = await lint({ 'ROADMAP.md': '- [ ] T-1: Add `src/half.js` with half()\n' })
    expect(run).toMatchObject({ exitCode: 0, annotations: [] })
    expect(run.summary).toContain('0 errors, 0 warnings, 0 notes')
  })

  it.each([
    ['does not change it', { 'README.md': 'new\n' }, {}, {}, 'does not change ROADMAP.md'],
    [
      'is closed',
      { 'ROADMAP.md': broken },
      {},
      { payload: { ...payload, action: 'closed' } },
      'Nothing to do',
    ],
    ['is to be worked on', { 'ROADMAP.md': broken }, { command: 'run' }, {}, 'Nothing to do'],
  ])('that %s is left alone', async (_, files, inputs, more, said) => {
    const run = await lint(files, inputs, more)
    expect(run).toMatchObject({ exitCode: 0, annotations: [], summary: '' })
    expect(run.stdout).toContain(said)
  })

  it('cannot make a symlink be read', async () => {
    const run = await lint({}, {}, { link: '.git/config' })
    expect(run).toMatchObject({ exitCode: 0, summary: '' })
    expect(run.annotations).toEqual([
      { level: 'warning', message: 'This pull request deletes ROADMAP.md.' },
    ])
    expect(run.stdout).not.toContain('actions-token@')
  })

  it('does not choose what is linted: the configuration is the default branch’s', async () => {
    await using checkout = await checkOutPull({ 'ROADMAP.md': broken })
    await writeFile(join(checkout.workspace, 'executor.yml'), 'enabled: false\n')
    const { workspace, sha } = checkout
    const inputs = { ...noModel, config: 'executor.yml' }
    const run = await bench.run({ ...pull, payload, inputs, workspace, sha })
    expect(run.exitCode).toBe(1)
  })
})

it('command: lint looks at the checked-out roadmap on any event', async () => {
  const run = await bench.run({
    event: 'workflow_dispatch',
    payload: {},
    inputs: { ...noModel, command: 'lint' },
  })
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 0 })
  expect(run.summary).toContain('## Lint of ROADMAP.md')
  expect(writesOf(run)).toEqual([])
})
