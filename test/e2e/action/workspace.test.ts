import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { startGitHubServer } from '../../../packages/github-simulator/github/server.ts'
import type { RepositoryOptions } from '../../../packages/github-simulator/github/store.ts'
import { startModelServer } from '../../../packages/github-simulator/model.ts'
import { tokens } from '../../../packages/github-simulator/test/github/bench.ts'
import { cli } from '../cli/bench.ts'
import { alphabet } from '../cli/letters.ts'
import { file } from '../cli/model.ts'
import { withoutReports } from './action-bench.ts'

const files = (task: string) => ({
  ...alphabet,
  '.github/executor.yml': 'merge-without-checks: true\n',
  'ROADMAP.md': `# Work\n\n${task}`,
})

/** Two repositories on a GitHub of ours, with a clone of each, and a workspace of both. */
async function open(web: Partial<RepositoryOptions> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'executor-workspace-'))
  const one = '- [ ] T-1: Add `one`\n  - **Files**: `src/one.js`\n'
  const two = '- [ ] T-2: Add `two`\n  - **Files**: `src/two.js`\n  - **Depends on**: api:T-1\n'
  const server = await startGitHubServer({
    root,
    tokens,
    repositories: [
      { owner: 'ada', name: 'api', seed: { files: files(one) } },
      { owner: 'ada', name: 'web', seed: { files: files(two) }, ...web },
    ],
  })
  const answer = ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => {
    const name = messages.some(({ content }) => content.includes('TASK T-2')) ? 'two' : 'one'
    return file(`src/${name}.js`, `export const ${name} = 1\n`)
  }
  const model = await startModelServer({ script: [{ when: {}, answers: [answer] }] })
  for (const name of ['api', 'web']) {
    await execa('git', [
      'clone',
      '--quiet',
      `${server.url}/ada/${name}`,
      join(root, 'clones', name),
    ])
  }
  const sets = 'sets: { pay: { tasks: [web:T-2, api:T-1], atomic: true } }'
  await writeFile(
    join(root, 'workspace.yml'),
    `repositories: { web: ada/web, api: ./clones/api }\n${sets}\n`,
  )
  const workspace = (...args: readonly string[]) =>
    execa(process.execPath, [cli, 'workspace', ...args], {
      cwd: root,
      reject: false,
      env: {
        GITHUB_TOKEN: 'actions-token',
        GITHUB_API_URL: server.apiUrl,
        GITHUB_SERVER_URL: server.url,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'key-of-the-model-4711',
        OPENAI_MODEL: 'scripted',
        XDG_CACHE_HOME: join(root, 'cache'),
      },
    })
  const pulls = async (name: string) => (await server.state('ada', name)).pulls
  const comments = async (name: string) =>
    withoutReports((await server.state('ada', name)).comments)
  const close = async () => {
    await model.close()
    await server.close()
    await rm(root, { recursive: true, force: true })
  }
  return { workspace, pulls, comments, model, [Symbol.asyncDispose]: close }
}

it('opens pull requests that name one another, and merges a set in order', async () => {
  await using opened = await open()
  const { workspace, pulls, comments, model } = opened
  const run = await workspace('run', '--github')
  expect(run.exitCode, run.stderr).toBe(0)
  expect(await pulls('api')).toMatchObject([{ head: 'agent/T-1', state: 'open' }])
  expect(await pulls('web')).toMatchObject([{ head: 'agent/T-2', state: 'open' }])
  for (const name of ['api', 'web']) {
    const [comment] = await comments(name)
    expect(comment?.body).toMatch(
      /1\. `api:T-1`: http\S+\/ada\/api\/pull\/1\n2\. `web:T-2`: http\S+\/ada\/web\/pull\/1/,
    )
  }
  const requests = model.requests.length
  const again = await workspace('run', '--github')
  expect(again.exitCode, again.stderr).toBe(0)
  expect(model.requests).toHaveLength(requests)
  expect(await comments('api')).toHaveLength(1)

  const merged = await workspace('merge', 'pay')
  expect(merged.exitCode, merged.stderr).toBe(0)
  expect(merged.stderr.indexOf('api:T-1 is merged')).toBeLessThan(
    merged.stderr.indexOf('web:T-2 is merged'),
  )
  for (const name of ['api', 'web']) expect(await pulls(name)).toMatchObject([{ state: 'merged' }])
  const third = await workspace('merge', 'pay')
  expect(third.exitCode, third.stderr).toBe(0)
}, 120_000)

it('takes a set back on GitHub', async () => {
  await using opened = await open()
  const { workspace, pulls } = opened
  const run = await workspace('run', '--github')
  expect(run.exitCode, run.stderr).toBe(0)
  const back = await workspace('rollback', 'pay', '--github', '--yes')
  expect(back.exitCode, back.stderr).toBe(0)
  expect(back.stderr.indexOf('web:T-2')).toBeLessThan(back.stderr.indexOf('api:T-1'))
  for (const name of ['api', 'web']) expect(await pulls(name)).toMatchObject([{ state: 'closed' }])
}, 120_000)

it('says what is wrong with the name of a repository on GitHub', async () => {
  await using opened = await open()
  const { workspace } = opened
  const local = await workspace('plan')
  expect([local.exitCode, local.stderr]).toEqual([
    2,
    expect.stringContaining(
      'web is ada/web on GitHub. Add --github, or write ./ada/web for a folder.',
    ),
  ])
}, 60_000)

it('proposes the reverts of an atomic set whose second merge fails', async () => {
  await using opened = await open({ requiredReviews: 1 })
  const { workspace, pulls } = opened
  const early = await workspace('merge', 'pay')
  expect([early.exitCode, early.stderr]).toEqual([
    3,
    expect.stringContaining('api:T-1 has no pull request'),
  ])
  const run = await workspace('run', '--github')
  expect(run.exitCode, run.stderr).toBe(0)
  const halfway = await workspace('merge', 'pay')
  expect(halfway.exitCode, halfway.stderr).toBe(1)
  expect(halfway.stderr).toMatch(/set pay: api:T-1 merged, and web:T-2 cannot be merged/)
  expect(halfway.stderr).toContain('It is atomic, so the reverts are proposed')
  const proposed = (await pulls('api')).filter(({ state }) => state === 'open')
  expect(proposed).toHaveLength(1)
  expect(proposed[0]?.title).toMatch(/revert/i)
  expect(await pulls('web')).toMatchObject([{ state: 'open' }])
}, 120_000)
