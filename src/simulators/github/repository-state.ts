import { followGit } from './follow-git.ts'
import type { Repository, Store } from './store.ts'

/** What a test may look at: plain, and a copy. */
export interface RepositoryState {
  /** Full reference names, `refs/heads/main`, and their commits. */
  readonly refs: Readonly<Record<string, string>>
  readonly labels: readonly string[]
  readonly pulls: readonly {
    readonly number: number
    readonly author: string
    readonly head: string
    readonly headSha: string
    readonly base: string
    readonly state: 'open' | 'closed' | 'merged'
    readonly draft: boolean
    readonly title: string
    readonly body: string
    readonly labels: readonly string[]
    readonly assignees: readonly string[]
    readonly reviewers: readonly string[]
  }[]
  readonly comments: readonly {
    readonly id: number
    readonly pull: number
    readonly author: string
    readonly body: string
  }[]
}

export async function viewState(store: Store, repository: Repository): Promise<RepositoryState> {
  await followGit(store, repository)
  const logins = (people: readonly { readonly login: string }[]): string[] =>
    people.map(({ login }) => login)
  return {
    refs: Object.fromEntries(await repository.git.refs()),
    labels: [...repository.labels.values()].map(({ name }) => name),
    pulls: [...repository.pulls.values()].map((pull) => ({
      number: pull.number,
      author: pull.author.login,
      head: pull.head,
      headSha: pull.headSha,
      base: pull.base,
      state: pull.merged === null ? pull.state : 'merged',
      draft: pull.draft,
      title: pull.title,
      body: pull.body ?? '',
      labels: [...pull.labels],
      assignees: logins(pull.assignees),
      reviewers: logins(pull.reviewers),
    })),
    comments: [...repository.comments.values()].map(({ id, issue, author, body }) => ({
      id,
      pull: issue,
      author: author.login,
      body,
    })),
  }
}
