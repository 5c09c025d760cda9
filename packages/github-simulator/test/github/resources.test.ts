import { describe, expect, it } from 'vitest'
import { type Bench, openBench, refusal, target } from './bench.ts'

async function openPull(bench: Bench): Promise<void> {
  await bench.push('agent/T-1', { a: '1' })
  await bench
    .octokit('writer-token')
    .pulls.create({ ...target, head: 'agent/T-1', base: 'main', title: 'One' })
}

describe('the test server', () => {
  it('keeps comments, and lets their author or a writer change them', async () => {
    await using bench = await openBench()
    await openPull(bench)
    const [writer, reader] = [bench.octokit('writer-token'), bench.octokit('reader-token')]
    const { data: one } = await writer.issues.createComment({
      ...target,
      issue_number: 1,
      body: 'one',
    })
    const { data: two } = await reader.issues.createComment({
      ...target,
      issue_number: 1,
      body: 'two',
    })

    await writer.issues.updateComment({ ...target, comment_id: one.id, body: 'changed' })
    expect(
      await refusal(reader.issues.updateComment({ ...target, comment_id: one.id, body: 'mine' })),
    ).toMatch(/^403/)
    await writer.issues.deleteComment({ ...target, comment_id: two.id })
    const { data: list } = await reader.issues.listComments({ ...target, issue_number: 1 })
    expect(list).toMatchObject([
      { body: 'changed', user: { login: 'grace' }, author_association: 'COLLABORATOR' },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('tells through which app somebody wrote', async () => {
    await using bench = await openBench()
    await openPull(bench)
    const via = async (token: 'writer-token' | 'writer-by-app-token' | 'actions-token') => {
      const { issues } = bench.octokit(token)
      const { data } = await issues.createComment({ ...target, issue_number: 1, body: 'x' })
      return [data.user?.id, data.performed_via_github_app?.slug ?? null]
    }
    expect(await via('writer-token')).toEqual([2, null])
    expect(await via('writer-by-app-token')).toEqual([2, 'other'])
    expect(await via('actions-token')).toEqual([41898282, 'github-actions'])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('makes labels that are missing when they are added', async () => {
    await using bench = await openBench()
    await openPull(bench)
    const { issues } = bench.octokit('writer-token')
    await issues.createLabel({ ...target, name: 'Bug', color: 'ff0000' })
    await issues.addLabels({ ...target, issue_number: 1, labels: ['bug', 'executor:task'] })
    await issues.removeLabel({ ...target, issue_number: 1, name: 'BUG' })
    expect(await refusal(issues.removeLabel({ ...target, issue_number: 1, name: 'bug' }))).toMatch(
      /^404 Label does not exist/,
    )
    expect(await refusal(issues.createLabel({ ...target, name: 'BUG' }))).toMatch(
      /^422 .*already_exists/,
    )
    const { data } = await issues.listLabelsForRepo(target)
    expect(data.map(({ name, color }) => [name, color])).toEqual([
      ['Bug', 'ff0000'],
      ['executor:task', 'ededed'],
    ])
    const { data: ofIssue } = await issues.listLabelsOnIssue({ ...target, issue_number: 1 })
    expect(ofIssue.map(({ name }) => name)).toEqual(['executor:task'])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('asks reviewers and assigns people as strictly as GitHub', async () => {
    await using bench = await openBench()
    await openPull(bench)
    const { pulls, issues } = bench.octokit('writer-token')
    const ask = (...reviewers: string[]) =>
      refusal(pulls.requestReviewers({ ...target, pull_number: 1, reviewers }))
    expect(await ask('grace')).toMatch(/^422 Review cannot be requested from pull request author/)
    expect(await ask('ada', 'nobody')).toMatch(
      /^422 Reviews may only be requested from collaborators/,
    )
    expect(await ask('ada')).toBe('accepted')
    await issues.addAssignees({ ...target, issue_number: 1, assignees: ['grace', 'nobody'] })
    const { pulls: seen } = await bench.server.state('ada', 'engine')
    expect(seen).toMatchObject([{ reviewers: ['ada'], assignees: ['grace'] }])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('reads files, commits, branches and comparisons from git', async () => {
    await using bench = await openBench({ protectedBranches: ['main'] })
    const octokit = bench.octokit()
    const sha = await bench.push('deep/er', {
      'src/app.ts': 'export const one = 11\n',
      'ü b.md': 'x',
    })
    const read = async (path: string, ref?: string): Promise<unknown> =>
      (await octokit.repos.getContent({ ...target, path, ...(ref === undefined ? {} : { ref }) }))
        .data
    expect(await read('src/app.ts', 'deep/er')).toMatchObject({
      content: Buffer.from('export const one = 11\n').toString('base64'),
    })
    expect(await read('src')).toMatchObject([{ name: 'app.ts', type: 'file' }])
    expect(await read('')).toMatchObject([{ name: 'README.md' }, { name: 'src', type: 'dir' }])
    expect(await refusal(read('nowhere.txt'))).toMatch(/^404/)

    const { data: compared } = await octokit.repos.compareCommitsWithBasehead({
      ...target,
      basehead: 'main...deep/er',
    })
    expect(compared).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      commits: [{ sha }],
    })
    expect(compared.files?.map(({ filename, status }) => [filename, status])).toEqual([
      ['src/app.ts', 'modified'],
      ['ü b.md', 'added'],
    ])
    const { data: commits } = await octokit.repos.listCommits({
      ...target,
      sha: 'deep/er',
      path: 'ü b.md',
    })
    expect(commits.map((commit) => commit.sha)).toEqual([sha])
    const { data: branch } = await octokit.repos.getBranch({ ...target, branch: 'main' })
    expect(branch.protected).toBe(true)
    expect((await octokit.repos.getBranch({ ...target, branch: 'deep/er' })).data.commit.sha).toBe(
      sha,
    )
    expect((await octokit.repos.listBranches(target)).data).toHaveLength(2)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('creates, moves and deletes references', async () => {
    await using bench = await openBench()
    const { git } = bench.octokit('writer-token')
    const one = await bench.push('one', { a: '1' })
    const main = (await git.getRef({ ...target, ref: 'heads/main' })).data.object.sha
    const ref = 'executor/claim/T-1'
    await git.createRef({ ...target, ref: `refs/${ref}`, sha: main })
    expect(await refusal(git.createRef({ ...target, ref: `refs/${ref}`, sha: one }))).toMatch(
      /^422 Reference already exists/,
    )
    await git.updateRef({ ...target, ref, sha: one })
    expect(await refusal(git.updateRef({ ...target, ref, sha: main }))).toMatch(
      /^422 Update is not a fast forward/,
    )
    await git.updateRef({ ...target, ref, sha: main, force: true })
    const matching = await git.listMatchingRefs({ ...target, ref: 'executor/claim/' })
    expect(matching.data).toMatchObject([{ ref: `refs/${ref}`, object: { sha: main } }])
    await git.deleteRef({ ...target, ref })
    expect(await refusal(git.getRef({ ...target, ref }))).toMatch(/^404/)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('knows who asks and what they may', async () => {
    await using bench = await openBench()
    const [anyone, reader, actions] = [
      bench.octokit(),
      bench.octokit('reader-token'),
      bench.octokit('actions-token'),
    ]
    expect((await bench.octokit('writer-token').users.getAuthenticated()).data.login).toBe('grace')
    expect(await refusal(actions.users.getAuthenticated())).toMatch(/^403 Resource not accessible/)
    expect(
      await refusal(anyone.request('GET /user', { headers: { authorization: 'token x' } })),
    ).toMatch(/^401 Bad credentials/)
    expect((await anyone.repos.get(target)).data.default_branch).toBe('main')
    expect((await reader.repos.get(target)).data.permissions).toMatchObject({
      push: false,
      pull: true,
    })
    const write = { ...target, ref: 'refs/heads/x', sha: '0'.repeat(40) }
    expect(await refusal(anyone.git.createRef(write))).toMatch(/^401 Requires authentication/)
    expect(await refusal(reader.git.createRef(write))).toMatch(/^403 Must have admin rights/)
    expect(await refusal(anyone.repos.get({ owner: 'ada', repo: 'other' }))).toMatch(/^404/)
    expect(await refusal(actions.request('GET /repos/ada/engine/no-such-thing'))).toMatch(/^404/)
    const permission = await bench
      .octokit('owner-token')
      .repos.getCollaboratorPermissionLevel({ ...target, username: 'mallory' })
    expect(permission.data.permission).toBe('read')
    expect((await anyone.rateLimit.get()).data.rate.remaining).toBeLessThan(5000)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('answers 304 to who has the newest already, for free', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    const { headers } = await octokit.repos.get(target)
    const again = refusal(
      octokit.repos.get({ ...target, headers: { 'if-none-match': headers.etag ?? '' } }),
    )
    expect(await again).toMatch(/^304/)
    const { data } = await octokit.rateLimit.get()
    expect(data.rate.used).toBe(2)
  })
})
