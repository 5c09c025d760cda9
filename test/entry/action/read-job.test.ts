import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { defaultBranchOf, readJobEvent, readJobPlace } from '../../../src/entry/action/read-job.ts'

const job = { GITHUB_REPOSITORY: 'ada/engine', GITHUB_WORKSPACE: '/checkout', RUNNER_TEMP: '/temp' }

/** What the runner says, and nothing of a runner that these tests may be run by. */
const say = (said: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(said)) vi.stubEnv(name, value)
}

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('GITHUB_') || name === 'RUNNER_TEMP') vi.stubEnv(name, undefined)
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'job-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('reads the event that this job is for, and no earlier one', async () => {
  const path = join(folder, 'event.json')
  for (const number of [1, 2]) {
    await writeFile(path, JSON.stringify({ issue: { number } }))
    say({ GITHUB_EVENT_NAME: 'issues', GITHUB_EVENT_PATH: path })
    expect(readJobEvent()).toEqual({ name: 'issues', payload: { issue: { number } } })
  }
})

it('has no event outside a job', () => {
  expect(readJobEvent()).toEqual({ name: '', payload: {} })
})

it('works at github.com unless the runner says otherwise', () => {
  const place = { owner: 'ada', repo: 'engine', workspace: '/checkout', temporary: '/temp' }
  say(job)
  expect(readJobPlace()).toEqual({
    ...place,
    serverUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
  })
  say({ GITHUB_SERVER_URL: 'https://git.example', GITHUB_API_URL: 'https://git.example/api' })
  expect(readJobPlace()).toEqual({
    ...place,
    serverUrl: 'https://git.example',
    apiUrl: 'https://git.example/api',
  })
})

it.each(Object.keys(job))('is nowhere without %s', (name) => {
  say({ ...job, [name]: '' })
  expect(() => readJobPlace()).toThrow('runs as a GitHub Action only')
})

it.each([
  [{ repository: { default_branch: 'trunk' } }, 'trunk'],
  [{ repository: {} }, null],
  [{ repository: { default_branch: 7 } }, null],
  [{}, null],
  [null, null],
])('of %j, the default branch is %s', (payload, branch) => {
  expect(defaultBranchOf({ name: 'push', payload })).toBe(branch)
})
