import { expect, it } from 'vitest'
import { openBench, refusal, type Token, target } from './bench.ts'

it("tells what someone may do in GitHub's two vocabularies", async () => {
  await using bench = await openBench({ permissions: { grace: 'read' } })
  const { repos } = bench.octokit('owner-token')
  const level = async (username: string): Promise<unknown> => {
    const { data } = await repos.getCollaboratorPermissionLevel({ ...target, username })
    return [data.permission, data.role_name, data.user?.id]
  }
  expect(await level('ada')).toEqual(['admin', 'admin', 1])
  expect(await level('grace')).toEqual(['read', 'read', 2])
  expect(await level('margaret')).toEqual(['write', 'maintain', 4])
  expect(await level('tim')).toEqual(['read', 'triage', 5])
  expect(await level('oscar'), 'anyone reads what is public').toEqual(['read', 'read', 6])
  expect(await refusal(level('helper[bot]'))).toMatch(/^404 helper\[bot\] is not a user/)
  expect(await refusal(level('nobody'))).toMatch(/^404/)

  bench.server.setPermission('ada', 'engine', 'grace', 'write')
  expect(await level('grace')).toEqual(['write', 'write', 2])
  bench.server.rename('oscar', 'newcomer')
  bench.server.rename('margaret', 'oscar')
  expect(await level('oscar'), 'a login is not who has it').toEqual(['write', 'maintain', 4])
  expect(bench.server.contractViolations).toEqual([])
})

it('hides a private repository from those who have no part in it', async () => {
  await using bench = await openBench({ private: true })
  const { repos } = bench.octokit('owner-token')
  const { data } = await repos.getCollaboratorPermissionLevel({ ...target, username: 'oscar' })
  expect([data.permission, data.role_name]).toEqual(['none', 'none'])
  expect(await refusal(bench.octokit('outsider-token').repos.get(target))).toMatch(/^404/)
  expect(await refusal(bench.octokit().repos.get(target))).toMatch(/^404/)
  expect(await refusal(bench.octokit('reader-token').repos.get(target))).toBe('accepted')
})

it('lets each role do what it may, and no more', async () => {
  await using bench = await openBench()
  await bench.push('agent/T-1', { a: '1' })
  const owner = bench.octokit('owner-token')
  const pull = { ...target, pull_number: 1, issue_number: 1 }
  await owner.pulls.create({ ...target, head: 'agent/T-1', base: 'main', title: 'One' })
  const { data: main } = await owner.git.getRef({ ...target, ref: 'heads/main' })
  const sha = main.object.sha

  const asks = {
    comment: (token: Token) => bench.octokit(token).issues.createComment({ ...pull, body: 'x' }),
    label: (token: Token) => bench.octokit(token).issues.addLabels({ ...pull, labels: ['x'] }),
    push: (token: Token) =>
      bench.octokit(token).git.createRef({ ...target, ref: `refs/heads/${token}`, sha }),
    look: (token: Token) =>
      bench.octokit(token).repos.getCollaboratorPermissionLevel({ ...target, username: 'ada' }),
    merge: (token: Token) => bench.octokit(token).pulls.merge({ ...pull, sha: '0'.repeat(40) }),
  }
  const allowed: Record<string, readonly string[]> = {}
  const roles = ['outsider', 'reader', 'triager', 'writer', 'maintainer', 'bot'] as const
  for (const role of roles) {
    const may: string[] = []
    for (const [name, ask] of Object.entries(asks)) {
      const answer = await refusal(ask(`${role}-token`))
      if (!/^403/.test(answer)) may.push(name)
    }
    allowed[role] = may
  }
  const everything = ['comment', 'label', 'push', 'look', 'merge']
  expect(allowed).toEqual({
    outsider: ['comment'],
    reader: ['comment'],
    triager: ['comment', 'label'],
    writer: everything,
    maintainer: everything,
    bot: everything,
  })
  expect(bench.server.contractViolations).toEqual([])
})
