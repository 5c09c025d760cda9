/** What others wrote is theirs: the same marker, the same branch, a commit pushed meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { target } from '../../packages/github-simulator/test/github/bench.ts'
import { openSharedState } from '../../src/adapters/durable-store/shared-state.ts'
import { remoteRefs } from '../../src/adapters/git-workspace/network-upstream.ts'
import { performEffect } from '../../src/core/perform-effect.ts'
import { unrecorded } from '../../src/core/ports/effect-log.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import type { CallWorld } from './github-calls.ts'

/** Somebody else's comment begins with our marker. */
export async function checkForeignMarker({
  bench,
  issue,
  start,
}: CallWorld): Promise<readonly string[]> {
  const marker = `<!-- executor:theirs-${bench.server.requests.length} -->`
  const place = { ...target, issue_number: issue }
  const body = `${marker}\nTheirs.`
  await bench.octokit('reader-token').issues.createComment({ ...place, body })
  await start().forge.upsertComment(issue, marker, 'Ours.')
  await start().forge.upsertComment(issue, marker, 'Ours, later.')
  const { comments } = await bench.server.state(target.owner, target.repo)
  const bodies = comments.filter((one) => one.body.includes(marker)).map((one) => one.body)
  const isRight = bodies.length === 2 && bodies[0] === body && bodies[1]?.includes('Ours, later.')
  return isRight ? [] : [`it says ${JSON.stringify(bodies)}`]
}

/** Somebody else has a pull request open from our branch. */
export async function checkForeignPull({
  bench,
  sha,
  start,
}: CallWorld): Promise<readonly string[]> {
  const head = `agent/theirs-${bench.server.requests.length}`
  await bench.octokit('owner-token').git.createRef({ ...target, ref: `refs/heads/${head}`, sha })
  const theirs = { ...target, head, base: 'main', title: 'Theirs', body: 'Theirs' }
  const { data } = await bench.octokit('writer-token').pulls.create(theirs)
  const nobody = { labels: [], reviewers: [], assignees: [], draft: false }
  const ours = { head, base: 'main', title: 'Ours', body: 'Ours', ...nobody }
  const said = await start().forge.upsertPullRequest(ours)
  const { pulls } = await bench.server.state(target.owner, target.repo)
  const title = pulls.find(({ number }) => number === data.number)?.title
  return said.status === 'refused' && title === 'Theirs'
    ? []
    : [`it is ${said.status}, and theirs is called ${title}`]
}

/** Somebody pushed to our branch after we looked. */
export async function checkForeignCommit({ bench }: CallWorld): Promise<readonly string[]> {
  const name = `agent/pushed-${bench.server.requests.length}`
  const ours = await bench.push(name, { 'ours.md': `${name}\n` })
  const theirs = await bench.push(name, { 'theirs.md': `${name}\n` }, ours)
  const gitDir = await bench.git('rev-parse', '--absolute-git-dir')
  const newer = await bench.git('commit-tree', `${ours}^{tree}`, '-p', ours, '-m', 'more of ours')
  const url = `${bench.server.url}/${target.owner}/${target.repo}.git`
  const remote = { url, token: () => 'actions-token' }
  const clone = { gitDir } as Parameters<typeof remoteRefs>[0]
  const ref = `refs/heads/${name}`
  const { swap } = remoteRefs(clone, remote)
  const move = { kind: 'branch', ref, sha: newer, expected: ours } as const
  await performEffect(
    {
      ...{ kind: 'branch', key: ref, detail: 'more of ours', readDelays: [] },
      // They push between the look and the act.
      read: async () => ours,
      alreadyApplied: () => null,
      apply: async () => (await swap(move)) ?? 'moved',
    },
    { log: unrecorded, clock: createFakeClock(), judge: () => 'refused' },
  )
  const { refs } = await bench.server.state(target.owner, target.repo)
  return refs[ref] === theirs ? [] : ['their commit is gone']
}

/** Another machine pushed its state after we looked: both are there in the end. */
export async function checkForeignState({ bench }: CallWorld): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), 'faults-'))
  const url = `${bench.server.url}/${target.owner}/${target.repo}.git`
  const open = (home: string) =>
    openSharedState(
      {
        ...{ source: url, remote: url, token: () => 'actions-token', home: join(root, home) },
        ...{ identity: { name: 'bot', email: 'bot@example.org' }, clock: createFakeClock() },
      },
      { fraction: () => 0 },
    )
  const push = (machine: Awaited<ReturnType<typeof open>>, path: string) =>
    machine.update(async () => ({
      files: new Map([[path, `${path}\n`]]),
      ...{ leases: new Map(), published: () => {} },
    }))
  try {
    const [ours, theirs] = [await open('ours'), await open('theirs')]
    await Promise.all([ours.look(), theirs.look()])
    const said = [await push(theirs, 'theirs.jsonl'), await push(ours, 'ours.jsonl')]
    const { paths } = await theirs.look()
    const isPushed = said.every(({ status }) => status === 'published')
    const isThere = ['theirs.jsonl', 'ours.jsonl'].every((path) => paths.includes(path))
    return isPushed && isThere ? [] : [`there is ${paths.join(', ')}`]
  } finally {
    await rm(root, { recursive: true })
  }
}
