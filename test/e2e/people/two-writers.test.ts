/** A person pushes to a pull request's branch while the executor answers their review. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { overtakenMarker } from '../../../src/core/domain/identity.ts'
import { edit, multipleAnswers, multiples, withRoadmap } from '../action/toolbox.ts'
import { openWorld, type Way, type World } from './world.ts'

const one = withRoadmap(...multiples(1))
const line = (body: string) => `export const times2 = (n) => ${body}`
const kept = 'refs/executor/kept/'

const notes = async ({ bench }: World) =>
  (await bench.comments()).filter(({ body }) => body.startsWith(overtakenMarker))

const keptRefs = async ({ bench }: World): Promise<readonly string[]> =>
  Object.keys((await bench.server.state(target.owner, target.repo)).refs).filter((ref) =>
    ref.startsWith(kept),
  )

/** Opens a pull request, and a world where this commit comes onto its branch while the review is answered. */
async function meet(way: Way, changed: Readonly<Record<string, string>>) {
  let arrive = () => {}
  const revised = () => {
    arrive()
    return edit('src/times2.js', line('2 * n'), line('n + n'))
  }
  const script = [
    { when: { task: 'T-1', contains: 'REVIEW' }, answers: [revised] },
    {
      when: { task: 'T-1', contains: 'n << 1' },
      answers: [edit('src/times2.js', line('n << 1'), line('n * 2'))],
    },
    ...multipleAnswers(1),
  ]
  const world = await openWorld(way, one, script)
  const { bench } = world
  await world.night()
  await bench.git('fetch', '--quiet', 'origin')
  const theirs = await bench.push('their-work', changed, 'origin/agent/T-1')
  const bare = join(await bench.git('rev-parse', '--show-toplevel'), '../ada/engine.git')
  arrive = () =>
    execFileSync('git', ['--git-dir', bare, 'update-ref', 'refs/heads/agent/T-1', theirs])
  const head = async () =>
    (await bench.server.state(target.owner, target.repo)).refs['refs/heads/agent/T-1'] ?? ''
  /** Their clone has both, as the comment's command fetches them. */
  const fetchBoth = async () => {
    const [ref = ''] = await keptRefs(world)
    await bench.git('fetch', '--quiet', 'origin', 'agent/T-1', ref)
    const [ours = ''] = (await bench.git('ls-remote', 'origin', ref)).split('\t')
    return { ref, ours }
  }
  return { world, theirs, head, fetchBoth }
}

const noConflict = { 'src/theirs.js': 'export const theirs = 1\n' }
const conflict = { 'src/times2.js': `${line('n << 1')}\n` }

describe.each<Way>(['action', 'app'])('a push in mid-run, by way of the %s,', (way) => {
  it.concurrent('without a conflict: one comment tells both, and a rebase by hand ends well', async ({
    expect,
  }) => {
    const { world, theirs, head, fetchBoth } = await meet(way, noConflict)
    await using _ = world
    await world.say(1, '/revise Please add, do not multiply')
    expect(await head()).toBe(theirs)
    const [note, ...more] = await notes(world)
    expect(more).toEqual([])
    const { ours, ref } = await fetchBoth()
    for (const said of [
      'Two changes met on `agent/T-1`',
      `\`${theirs.slice(0, 7)}\` Change their-work (Ada)`,
      '`src/theirs.js` +1 −0',
      '`src/times2.js` +1 −1',
      'git merges them without a conflict',
      `git fetch origin agent/T-1 ${ref}`,
      `git cherry-pick ${ours}`,
    ]) {
      expect(note?.body).toContain(said)
    }
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })

    await world.bench.git('switch', '--quiet', '--detach', theirs)
    await world.bench.git('cherry-pick', ours)
    await world.bench.git('push', '--quiet', 'origin', 'HEAD:agent/T-1')
    const rebased = await head()
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
    expect(await head()).toBe(rebased)
    expect(await world.bench.file('agent/T-1', 'src/times2.js')).toContain('n + n')
    expect((await notes(world)).map(({ body }) => body)).toEqual([
      expect.stringContaining('Resolved'),
    ])
    expect(await keptRefs(world)).toEqual([])
    expect(await world.bench.pulls()).toMatchObject([{ state: 'open', headSha: rebased }])
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
  })

  it.concurrent('with a conflict: the comment shows it, and `/retry` builds on their commit', async ({
    expect,
  }) => {
    const { world, theirs, head } = await meet(way, { ...conflict, ...noConflict })
    await using _ = world
    await world.say(1, '/revise Please add, do not multiply')
    const [note] = await notes(world)
    expect(note?.body).toContain('they conflict in `src/times2.js`')
    expect(note?.body).toContain(
      `<<<<<<< theirs\n${line('n << 1')}\n=======\n${line('n + n')}\n>>>>>>> ours`,
    )
    expect(await world.say(1, '/retry')).toMatchObject({ modelCalls: 1 })
    expect(await head()).not.toBe(theirs)
    await world.bench.git('fetch', '--quiet', 'origin')
    await world.bench.git('merge-base', '--is-ancestor', theirs, 'origin/agent/T-1')
    expect(await world.bench.file('agent/T-1', 'src/theirs.js')).toContain('theirs = 1')
    expect(await world.bench.file('agent/T-1', 'src/times2.js')).toContain('n * 2')
    expect((await notes(world)).map(({ body }) => body)).toEqual([
      expect.stringContaining('Resolved'),
    ])
    expect(await keptRefs(world)).toEqual([])
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
  })
})

describe('a push in mid-run, before a kill at the comment', () => {
  it.concurrent('leaves one comment and one kept commit', async ({ expect }) => {
    const { world, theirs, head } = await meet('action', noConflict)
    await using _ = world
    const { bench } = world
    const machine = new AbortController()
    const octokit = bench.octokit('owner-token')
    const body = '/revise Please add, do not multiply'
    const { data: comment } = await bench
      .octokit('writer-token')
      .issues.createComment({ ...target, issue_number: 1, body })
    const { data: issue } = await octokit.issues.get({ ...target, issue_number: 1 })
    const repository = (await octokit.repos.get(target)).data
    const payload = { action: 'created', comment, issue, repository }
    bench.server.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
      times: 1,
      effect: { kind: 'drop', when: 'after', met: () => machine.abort() },
    })
    const killed = await bench.run({ event: 'issue_comment', payload, vanish: machine.signal })
    expect(killed.exitCode).toBe(-1)
    expect(await notes(world)).toHaveLength(1)
    const asked = bench.model.requests.length
    await world.night()
    expect(bench.model.requests).toHaveLength(asked)
    expect(await notes(world)).toHaveLength(1)
    expect(await keptRefs(world)).toHaveLength(1)
    expect(await head()).toBe(theirs)
  })
})
