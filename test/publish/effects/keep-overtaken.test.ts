import { describe, expect, it } from 'vitest'
import type { ComparedWork } from '../../../src/core/ports/workspace.ts'
import { compareOvertaken, tendKept } from '../../../src/publish/effects/keep-overtaken.ts'
import { aTask, fakePorts } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const done =
  'done\n\nExecutor-Run: r\nExecutor-Task: T-1\nExecutor-Attempt: 1\nExecutor-Outcome: done\n'
const key = 'ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX'

async function bench() {
  const workspace = createMemoryWorkspace({ files: {} })
  const forge = createMemoryForge()
  const { base } = await workspace.refresh()
  const changes = [{ action: 'create', path: 'ours.js', content: 'ours\n' }] as const
  const ours = await workspace.commit({ parents: [base.sha], changes, message: done })
  const theirs = workspace.push('agent/T-1', { 'theirs.js': 'theirs\n' })
  await workspace.keep('T-1', ours)
  await forge.upsertPullRequest({
    ...{ head: 'agent/T-1', base: 'main', title: '', body: '', labels: [] },
    ...{ draft: false, reviewers: [], assignees: [] },
  })
  const ports = fakePorts({ workspace, forge })
  const tend = async (task = aTask()) => tendKept(await workspace.refresh(), [task], ports)
  return { workspace, forge, ports, base, ours, theirs, tend }
}

/** What git found, with these facts of another. */
async function compareAs(found: Partial<ComparedWork>) {
  const { ports, ours, theirs } = await bench()
  const workspace = {
    ...ports.workspace,
    compare: async (sides: Parameters<typeof ports.workspace.compare>[0]) => ({
      ...(await ports.workspace.compare(sides)),
      ...found,
    }),
  }
  return {
    ours,
    theirs,
    seen: await compareOvertaken('T-1', ours, theirs, { ...ports, workspace }),
  }
}

describe('a comparison', () => {
  it('is short, whatever their side holds', async () => {
    const each = {
      sha: 'c'.repeat(40),
      author: 'A'.repeat(900),
      title: `${key} \u200B\n`.repeat(99),
    }
    const file = { path: 'x'.repeat(4000), from: key, added: 1, removed: 0 }
    const side = { commits: Array(20).fill(each), count: 3000, files: Array(5000).fill(file) }
    const paths = Array.from({ length: 900 }, (_, at) => `${at}`)
    const merge = { status: 'conflict', paths, hunk: null } as const
    const { seen } = await compareAs({ theirs: side, merge })
    expect(seen.theirs).toMatchObject({ moreCommits: 2995, moreFiles: 4990 })
    expect(seen.conflicts).toHaveLength(20)
    expect(JSON.stringify(seen).length).toBeLessThan(8_000)
    expect(JSON.stringify(seen)).not.toContain(key.slice(0, 12))
    expect(JSON.stringify(seen)).not.toContain('\u200B')
  })

  it('shows the first conflict with three lines around it, and no key that begins before', async () => {
    const { ours, theirs } = await bench()
    const body = Array.from(
      { length: 30 },
      (_, at) => `MIIEpQIBAAKCAQEA${at}xYz0aB1cD2eF3gH4iJ5kL6mN7oP8qR9s`,
    )
    const text = [
      '-----BEGIN RSA PRIVATE KEY-----',
      ...body.slice(0, 20),
      ...[`<<<<<<< ${theirs}`, body[20], '=======', body[21], `>>>>>>> ${ours}`],
      ...body.slice(22),
      '-----END RSA PRIVATE KEY-----',
    ].join('\n')
    const plain = `1\n2\n3\n4\n<<<<<<< ${theirs}\na\n=======\nb\n>>>>>>> ${ours}\n5\n6\n7\n8`
    const of = async (text: string) =>
      (
        await compareAs({
          merge: { status: 'conflict', paths: ['a'], hunk: { path: 'a', text } },
        })
      ).seen.hunk?.text
    expect(await of(plain)).toBe('2\n3\n4\n<<<<<<< theirs\na\n=======\nb\n>>>>>>> ours\n5\n6\n7')
    const long = `<<<<<<< ${theirs}\n${'a\n'.repeat(500)}=======\nb\n>>>>>>> ${ours}`
    expect((await of(long))?.split('\n')).toHaveLength(31)
    expect(await of(text)).toBeUndefined()
  })

  it('names the parent to pick from, where ours is a merge', async () => {
    const { workspace, ports, base, theirs } = await bench()
    const merge = (second: string) =>
      workspace.commit({ parents: [base.sha, second], changes: [], message: done })
    const other = workspace.push('agent/T-2', {})
    const of = async (ours: string) => (await compareOvertaken('T-1', ours, theirs, ports)).mainline
    expect([await of(await merge(theirs)), await of(await merge(other))]).toEqual([2, 1])
  })
})

describe('what is kept, at the start of a run,', () => {
  it('is told in one comment as long as nobody decides', async () => {
    const { tend, forge, ours } = await bench()
    for (const _ of ['once', 'twice']) {
      expect((await tend()).kept.get('T-1')?.sha).toBe(ours)
      expect(forge.comments).toHaveLength(1)
    }
    const { writes } = forge
    await tend()
    expect(forge.writes).toBe(writes)
  })

  it('is forgotten when the branch has it, and the comment says so', async () => {
    const { tend, forge, workspace, ours, theirs } = await bench()
    await tend()
    const parents = [theirs, ours]
    const merged = await workspace.commit({ parents, changes: [], message: 'Merge' })
    await workspace.publish('agent/T-1', merged, theirs)
    expect((await tend()).kept.size).toBe(0)
    expect(forge.comments).toMatchObject([{ body: expect.stringContaining('Resolved') }])
    expect((await workspace.refresh()).branches.map(({ name }) => name)).toEqual(['agent/T-1'])
  })

  it('is forgotten when the task is settled', async () => {
    const { tend, workspace } = await bench()
    expect((await tend(aTask({ status: 'done' }))).kept.size).toBe(0)
    expect((await workspace.refresh()).branches.map(({ name }) => name)).toEqual(['agent/T-1'])
  })
})
