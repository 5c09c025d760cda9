import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Bench, openBench, target } from '../../packages/github-simulator/test/github/bench.ts'
import { readRoadmap } from '../../packages/roadmap/document/read-roadmap.ts'
import { createGitWorkspace } from '../../src/adapters/git-workspace.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import { branchOf } from '../../src/core/domain/branches.ts'
import { label, taskMarker } from '../../src/core/domain/identity.ts'
import { type Refreshed, refreshPullRequests } from '../../src/runs/refresh-pull-requests.ts'
import { apiRequests, connect, dispose, writesIn } from '../adapters/forge-bench.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'

const ids = ['T-1', 'T-2', 'T-3']
const roadmapWith = (ticks: number): string =>
  `# Plan\n\n${ids.map((id, at) => `- [${at < ticks ? 'x' : ' '}] ${id}: do ${id}\n`).join('')}`
const listWith = (lines: number): string =>
  ids
    .slice(0, lines)
    .map((id) => `${id}\n`)
    .join('')

/** Three pull requests of ours, each on the one before, that write line by line into one file. */
async function openStack(): Promise<Bench> {
  const files = { 'ROADMAP.md': roadmapWith(0), 'list.txt': '' }
  const bench = await openBench({
    seed: { files },
    mergeMethods: ['merge', 'squash', 'rebase'],
  })
  const forge = createOctokitForge(connect(bench).repository)
  for (const [at, task] of readRoadmap(roadmapWith(0)).tasks.entries()) {
    const before = ids[at - 1]
    const base = before === undefined ? 'main' : branchOf(before)
    const head = branchOf(task.id)
    const changed = { 'ROADMAP.md': roadmapWith(at + 1), 'list.txt': listWith(at + 1) }
    await bench.push(head, changed, `origin/${base}`)
    const people = { labels: [label.task], draft: false, reviewers: [], assignees: [] }
    await forge.upsertPullRequest({
      ...{ head, base, title: task.id, body: taskMarker(task), ...people },
    })
  }
  return bench
}

/** One pass on a machine that knows nothing yet, as the overview of GitHub has it. */
async function refresh(bench: Bench): Promise<Refreshed> {
  const { repository, clock } = connect(bench)
  const home = await mkdtemp(join(tmpdir(), 'refresh-'))
  const url = `${bench.server.url}/ada/engine.git`
  const workspace = await createGitWorkspace({
    ...{ source: url, remote: url, token: () => 'actions-token', base: null, home, clock },
    identity: { name: 'Bot', email: 'bot@example.org' },
  })
  await workspace.refresh()
  const forge = createOctokitForge(repository)
  const { pullRequests: open } = await createOctokitDiscussion(repository).overview()
  const ports = fakePorts({ workspace, forge, settings: someSettings() })
  const refreshed = await refreshPullRequests(await forge.pullRequests(), open, ports)
  await rm(home, { recursive: true })
  return refreshed
}

it.each([
  ['squash', 'deleted'],
  ['rebase', 'kept'],
] as const)(
  'a stack of three stays mergeable on GitHub after a %s (branch %s)',
  async (how, branch) => {
    const bench = await openStack()
    const owner = bench.octokit('owner-token')
    const heads = await Promise.all([2, 3].map((n) => headOf(bench, n)))
    await owner.pulls.merge({ ...target, pull_number: 1, merge_method: how })
    // By GitHub's button: only that gives what is based on it the next base.
    if (branch === 'deleted') await bench.server.pressDeleteBranch('ada', 'engine', 1)
    expect(await refresh(bench)).toMatchObject({ noticed: [], errors: [] })
    await bench.git('fetch', '--quiet', '--prune')
    for (const [at, number] of [2, 3].entries()) {
      const { data } = await owner.pulls.get({ ...target, pull_number: number })
      expect(data.base.ref).toBe(number === 2 ? 'main' : 'agent/T-2')
      expect(data.mergeable).toBe(true)
      await bench.git('merge-base', '--is-ancestor', heads[at] ?? '', data.head.sha)
      const roadmap = await bench.git('show', `origin/agent/T-${number}:ROADMAP.md`)
      expect(`${roadmap}\n`).toBe(roadmapWith(number))
    }
    const [writes, asked] = [writesIn(bench), apiRequests(bench).length]
    expect(await refresh(bench)).toEqual({ updated: [], retargeted: [], noticed: [], errors: [] })
    expect(writesIn(bench)).toBe(writes)
    expect(apiRequests(bench).length - asked).toBeLessThanOrEqual(3)
    await dispose(bench)
  },
)

async function headOf(bench: Bench, pull_number: number): Promise<string> {
  return (await bench.octokit('owner-token').pulls.get({ ...target, pull_number })).data.head.sha
}
