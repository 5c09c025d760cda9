import { schema as officialSchema } from '@octokit/graphql-schema'
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { describe, expect, it, test } from 'vitest'
import { schemaText } from '../../github/graphql/schema.ts'
import { mutationSchemaText } from '../../github/graphql/schema-mutations.ts'
import { pullSchemaText } from '../../github/graphql/schema-pulls.ts'
import { type Bench, openBench, type Token, target } from './bench.ts'

/** What a type promises, a line each, so that one schema can be looked for in another. */
function promisesOf(type: GraphQLNamedType): readonly string[] {
  const own = `${type.name}: ${type.constructor.name}`
  if (isEnumType(type)) return [own, ...type.getValues().map(({ name }) => `${type.name}.${name}`)]
  if (isUnionType(type)) {
    return [own, ...type.getTypes().map(({ name }) => `${type.name} may be ${name}`)]
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    return [own, ...fields.map((field) => `${type.name}.${field.name}: ${field.type}`)]
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [own]
  const fields = Object.values(type.getFields()).flatMap((field) => [
    `${type.name}.${field.name}: ${field.type}`,
    ...field.args.map((one) => `${type.name}.${field.name}(${one.name}: ${one.type})`),
  ])
  return [own, ...fields, ...type.getInterfaces().map(({ name }) => `${type.name} is ${name}`)]
}

it("has nothing in its schema that is not in GitHub's", () => {
  // GitHub's own file defines two fields twice.
  const official = buildSchema(officialSchema.idl, { assumeValidSDL: true })
  const ours = buildSchema(schemaText + pullSchemaText + mutationSchemaText)
  const types = Object.values(ours.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  const promises = types.flatMap(promisesOf)
  const known = new Set(
    types.flatMap(({ name }) => {
      const type = official.getType(name)
      return type === undefined ? [] : promisesOf(type)
    }),
  )
  expect(promises.filter((promise) => !known.has(promise))).toEqual([])
  expect(promises.length).toBeGreaterThan(300)
})

const overview = `query ($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) {
    autoMergeAllowed mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed
    defaultBranchRef { name target { oid } }
    pullRequests(first: 10, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) {
      nodes {
        number title state isDraft mergeable mergeStateStatus reviewDecision
        headRefName headRefOid baseRefName baseRefOid author { __typename login }
        labels(first: 5) { nodes { name } }
        autoMergeRequest { enabledAt mergeMethod }
        commits(last: 1) { nodes { commit { oid statusCheckRollup { state } } } }
        reviews(last: 5) {
          nodes {
            databaseId fullDatabaseId state body submittedAt lastEditedAt commit { oid }
            author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
          }
        }
        reviewThreads(first: 5) {
          nodes {
            id isResolved isOutdated path line originalLine
            comments(first: 5) { nodes { fullDatabaseId body author { login } lastEditedAt } }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
    issues(first: 5, states: [OPEN], labels: ["executor", "other"]) {
      nodes { number title body author { login } labels(first: 5) { nodes { name } } }
    }
  }
}`

/** A pull request with a review, a thread and a label, and an issue with the label `executor`. */
async function openPull(bench: Bench): Promise<string> {
  const sha = await bench.push('agent/T-1', { 'notes.md': 'one\ntwo\n' })
  const { pulls, issues } = bench.octokit('actions-token')
  const pull = { ...target, head: 'agent/T-1', base: 'main', title: 'One', draft: true }
  await pulls.create(pull)
  await issues.addLabels({ ...target, issue_number: 1, labels: ['executor:task'] })
  await bench.octokit('owner-token').pulls.createReview({
    ...{ ...target, pull_number: 1, event: 'REQUEST_CHANGES', body: 'No' },
    comments: [{ path: 'notes.md', line: 2, body: 'Why?' }],
  })
  await issues.create({ ...target, title: 'A wish', body: 'Please', labels: ['executor'] })
  return sha
}

/** The errors of a request, as GitHub types and words them. */
async function errorsOf(request: Promise<unknown>): Promise<readonly string[]> {
  try {
    await request
  } catch (error) {
    if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) {
      return error.errors.map((one) => `${one.type}: ${one.message}`)
    }
    throw error
  }
  return []
}

describe('GraphQL on the test server', () => {
  it('shows a repository with its pull requests, reviews, threads and issues at once', async () => {
    await using bench = await openBench()
    const sha = await openPull(bench)
    const { repository } = await bench.octokit('owner-token').graphql<{
      repository: { pullRequests: { nodes: { reviewThreads: { nodes: { id: string }[] } }[] } }
    }>(overview, target)
    expect(repository).toMatchObject({
      autoMergeAllowed: false,
      rebaseMergeAllowed: false,
      squashMergeAllowed: true,
      defaultBranchRef: { name: 'main', target: { oid: expect.stringMatching(/^[0-9a-f]{40}$/) } },
      pullRequests: {
        nodes: [
          {
            number: 1,
            isDraft: true,
            mergeable: 'MERGEABLE',
            mergeStateStatus: 'DRAFT',
            reviewDecision: null,
            headRefOid: sha,
            author: { __typename: 'Bot', login: 'github-actions' },
            labels: { nodes: [{ name: 'executor:task' }] },
            commits: { nodes: [{ commit: { oid: sha, statusCheckRollup: null } }] },
            reviews: {
              nodes: [
                {
                  state: 'CHANGES_REQUESTED',
                  body: 'No',
                  commit: { oid: sha },
                  fullDatabaseId: expect.stringMatching(/^\d+$/),
                  author: { __typename: 'User', login: 'ada', databaseId: 1 },
                },
              ],
            },
            reviewThreads: {
              nodes: [{ isResolved: false, line: 2, comments: { nodes: [{ body: 'Why?' }] } }],
            },
          },
        ],
        pageInfo: { hasNextPage: false },
      },
      issues: { nodes: [{ number: 2, body: 'Please', author: { login: 'github-actions' } }] },
    })

    const threadId = repository.pullRequests.nodes[0]?.reviewThreads.nodes[0]?.id
    const { graphql } = bench.octokit('actions-token')
    await graphql(
      `mutation ($threadId: ID!) {
        addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: $threadId, body: "Done"}) {
          comment { replyTo { body } }
        }
        resolveReviewThread(input: {threadId: $threadId}) { thread { isResolved } }
      }`,
      { threadId },
    )
    expect((await bench.server.state('ada', 'engine')).reviewComments).toMatchObject([
      { body: 'Why?', resolved: true },
      { body: 'Done', author: 'github-actions[bot]', line: 2 },
    ])
    expect(bench.server.requests.at(-1)).toMatchObject({ kind: 'graphql', writes: true })
    expect(bench.server.contractViolations).toEqual([])
  })

  it('pages by cursors, over what is filtered', async () => {
    await using bench = await openBench()
    const { issues, graphql } = bench.octokit('owner-token')
    for (const title of ['a', 'b', 'c', 'd']) await issues.create({ ...target, title })
    await issues.update({ ...target, issue_number: 3, state: 'closed' })
    const query = `query ($after: String) { repository(owner: "ada", name: "engine") {
      issues(first: 2, after: $after, states: [OPEN], orderBy: {field: CREATED_AT, direction: DESC}) {
        totalCount nodes { title } pageInfo { endCursor hasNextPage }
      }
    } }`
    const pages: unknown[] = []
    for (let after: string | null = null; pages.length < 2; ) {
      const { repository }: { repository: { issues: { pageInfo: { endCursor: string } } } } =
        await graphql(query, { after })
      after = repository.issues.pageInfo.endCursor
      pages.push(repository.issues)
    }
    expect(pages).toMatchObject([
      { totalCount: 3, nodes: [{ title: 'd' }, { title: 'b' }], pageInfo: { hasNextPage: true } },
      { totalCount: 3, nodes: [{ title: 'a' }], pageInfo: { hasNextPage: false } },
    ])
  })

  const inRepository = (fields: string): string =>
    `{ repository(owner: "ada", name: "engine") { ${fields} } }`
  const nested = 'nodes { reviews(first: 100) { nodes { id } } }'
  const failures: readonly [string, string, RegExp, boolean][] = [
    [
      'a repository that is not there',
      '{ repository(owner: "a", name: "b") { id } }',
      /^NOT_FOUND: Could not resolve to a Repository with the name 'a\/b'/,
      false,
    ],
    [
      'an issue that is not there',
      inRepository('issue(number: 9) { id }'),
      /^NOT_FOUND: Could not resolve to an Issue/,
      false,
    ],
    [
      'a connection without an end',
      inRepository('issues { totalCount }'),
      /^MISSING_PAGINATION_BOUNDARIES: /,
      false,
    ],
    [
      'pages that are too long',
      inRepository('issues(first: 101) { totalCount }'),
      /^EXCESSIVE_PAGINATION: /,
      false,
    ],
    [
      'too much at once',
      inRepository(
        `pullRequests(first: 100) { nodes { comments(first: 100) { nodes { id } } reviewThreads(first: 100) { nodes { comments(first: 50) { nodes { id } } } } } ${nested} }`,
      ),
      /^MAX_NODE_LIMIT_EXCEEDED: .* up to 530,100 /,
      false,
    ],
    [
      'a field that GitHub does not have',
      inRepository('stars'),
      /Cannot query field "stars"/,
      true,
    ],
    ['what is no query', '{ repository(', /Syntax Error/, true],
  ]
  test.for(failures)('refuses %s', async ([, query, expected, isViolation]) => {
    await using bench = await openBench()
    expect(await errorsOf(bench.octokit('owner-token').graphql(query))).toEqual([
      expect.stringMatching(expected),
    ])
    expect(bench.server.contractViolations).toHaveLength(isViolation ? 1 : 0)
  })

  it('lets those who may write change drafts and auto-merge, when there is something to wait for', async () => {
    await using bench = await openBench()
    await openPull(bench)
    const { data } = await bench.octokit().pulls.get({ ...target, pull_number: 1 })
    const mutate = (token: Token, name: string) =>
      errorsOf(
        bench
          .octokit(token)
          .graphql(
            `mutation ($id: ID!) { ${name}(input: {pullRequestId: $id}) { pullRequest { id } } }`,
            { id: data.node_id },
          ),
      )
    expect(await mutate('reader-token', 'markPullRequestReadyForReview')).toEqual([
      'FORBIDDEN: mallory does not have the correct permissions to execute `MarkPullRequestReadyForReview`',
    ])
    expect(await mutate('writer-token', 'enablePullRequestAutoMerge')).toEqual([
      'UNPROCESSABLE: Auto merge is not allowed for this repository',
    ])
    expect(await mutate('writer-token', 'markPullRequestReadyForReview')).toEqual([])
    expect((await bench.server.state('ada', 'engine')).pulls[0]?.draft).toBe(false)

    bench.server.configure('ada', 'engine', { autoMerge: true })
    expect(await mutate('writer-token', 'enablePullRequestAutoMerge')).toEqual([
      'UNPROCESSABLE: Pull request Pull request is in clean status',
    ])
    bench.server.configure('ada', 'engine', { requiredReviews: 1 })
    expect(await mutate('writer-token', 'enablePullRequestAutoMerge')).toEqual([])
    const { data: waiting } = await bench.octokit().pulls.get({ ...target, pull_number: 1 })
    expect(waiting).toMatchObject({
      mergeable_state: 'blocked',
      auto_merge: { merge_method: 'merge', enabled_by: { login: 'grace' } },
    })
    expect(await mutate('writer-token', 'disablePullRequestAutoMerge')).toEqual([])
    expect(await mutate('writer-token', 'convertPullRequestToDraft')).toEqual([])
    const { data: after } = await bench.octokit().pulls.get({ ...target, pull_number: 1 })
    expect([after.draft, after.auto_merge]).toEqual([true, null])
    expect(bench.server.contractViolations).toEqual([])
  })
})
