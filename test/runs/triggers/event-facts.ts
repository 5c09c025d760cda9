/** Payloads as GitHub sends them, cut down to what could be looked at. */

export const user = { id: 5, login: 'ann', type: 'User' }
export const bot = { id: 6, login: 'helper[bot]', type: 'Bot' }
export const repository = { id: 1, full_name: 'acme/shop', default_branch: 'main' }

interface Who {
  readonly user?: object | null
  readonly sender?: object
}

const times = { created_at: '2026-02-01T10:00:00Z', updated_at: '2026-02-01T10:00:00Z' }

export const commentEvent = (body: string | null, who: Who = {}) => ({
  action: 'created',
  issue: { number: 7, title: 'Count', labels: [], state: 'open' },
  comment: { id: 11, body, user: who.user === undefined ? user : who.user, ...times },
  repository,
  sender: who.sender ?? who.user ?? user,
})

interface Head {
  readonly ref?: string
  readonly repo?: object | null
}

const pullRequest = ({ ref = 'agent/T-1', repo = { id: 1 } }: Head) => ({
  number: 7,
  head: { ref, sha: 'b'.repeat(40), repo },
  base: { ref: 'main' },
})

export const reviewEvent = (state: string, body: string | null, head: Head = {}) => ({
  action: 'submitted',
  review: { id: 21, state, body, user, commit_id: 'b'.repeat(40), submitted_at: times.created_at },
  pull_request: pullRequest(head),
  repository,
  sender: user,
})

export const reviewCommentEvent = (body: string, head: Head = {}) => ({
  action: 'created',
  comment: {
    id: 31,
    body,
    user,
    path: 'ROADMAP.md',
    line: 3,
    original_commit_id: 'a'.repeat(40),
    commit_id: 'b'.repeat(40),
    ...times,
  },
  pull_request: pullRequest(head),
  repository,
  sender: user,
})

export const issueEvent = (
  action: string,
  more: { readonly label?: object; readonly issue?: object; readonly sender?: object },
) => ({
  action,
  issue: {
    number: 12,
    title: 'Count',
    body: 'Words',
    labels: [],
    state: 'open',
    ...times,
    ...more.issue,
  },
  ...(more.label && { label: more.label }),
  repository,
  sender: more.sender ?? user,
})

export const pullRequestEvent = (action: string, head: Head = {}) => ({
  action,
  pull_request: pullRequest(head),
  repository,
  sender: user,
})

export const pushEvent = (ref: string) => ({ ref, deleted: false, repository, sender: user })
