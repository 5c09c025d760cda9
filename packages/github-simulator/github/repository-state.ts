import { followGit } from './follow-git.ts'
import { publishedComments } from './published.ts'
import type { Check, CheckAnnotation, Issue, Reaction, Review } from './records.ts'
import type { Repository, Store } from './store.ts'

/** The content for tests: a plain copy. */
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
  readonly issues: readonly {
    readonly number: number
    readonly author: string
    readonly state: 'open' | 'closed'
    readonly title: string
    readonly body: string
    readonly labels: readonly string[]
    readonly assignees: readonly string[]
  }[]
  /** What happened to issues and pull requests, the oldest first. */
  readonly events: readonly {
    readonly issue: number
    readonly event: string
    readonly actor: string
    readonly label: string | null
  }[]
  readonly dispatches: readonly {
    readonly type: string
    readonly payload: Readonly<Record<string, unknown>>
    readonly actor: string
  }[]
  readonly runs: readonly {
    readonly path: string
    readonly event: string
    readonly branch: string
    readonly inputs: Readonly<Record<string, string>>
    readonly actor: string
  }[]
  /** Statuses and check runs, the oldest first. */
  readonly checks: readonly {
    readonly sha: string
    readonly name: string
    readonly outcome: Check['outcome']
    readonly title: string | null
    readonly description: string | null
    readonly annotations: readonly CheckAnnotation[]
  }[]
  readonly reviews: readonly {
    readonly id: number
    readonly pull: number
    readonly author: string
    readonly state: Review['state']
    readonly body: string
    readonly commit: string
  }[]
  /** Comments on lines, each with its first one's id. */
  readonly reviewComments: readonly {
    readonly id: number
    readonly thread: number
    readonly pull: number
    readonly author: string
    readonly body: string
    readonly path: string
    /** `null` when outdated, and of a comment on the whole file. */
    readonly line: number | null
    readonly resolved: boolean
  }[]
  readonly reactions: readonly {
    readonly kind: Reaction['kind']
    /** The id of its subject. */
    readonly subject: number
    readonly author: string
    readonly content: Reaction['content']
  }[]
  readonly comments: readonly {
    readonly id: number
    /** The number of the pull request or issue. */
    readonly pull: number
    readonly author: string
    readonly body: string
  }[]
}

const viewCheck = ({ sha, name, outcome, description, output }: Check) => ({
  ...{ sha, name, outcome, description },
  title: output?.title ?? null,
  annotations: output?.annotations ?? [],
})

export async function viewState(store: Store, repository: Repository): Promise<RepositoryState> {
  await followGit({ store, repository, viewer: repository.owner })
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
    issues: [...repository.issues.values()].map((issue: Issue) => ({
      number: issue.number,
      author: issue.author.login,
      state: issue.state,
      title: issue.title,
      body: issue.body ?? '',
      labels: [...issue.labels],
      assignees: logins(issue.assignees),
    })),
    events: repository.events.map(({ issue, event, actor, label }) => ({
      issue,
      event,
      actor: actor.login,
      label,
    })),
    dispatches: repository.dispatches.map(({ type, payload, actor }) => ({
      ...{ type, payload },
      actor: actor.login,
    })),
    runs: repository.runs.map(({ path, event, branch, inputs, actor }) => ({
      ...{ path, event, branch, inputs },
      actor: actor.login,
    })),
    checks: repository.checks.map(viewCheck),
    reviews: [...repository.reviews.values()].map(({ id, pull, author, state, body, commit }) => ({
      ...{ id, pull, state, body, commit },
      author: author.login,
    })),
    reviewComments: publishedComments(repository).map((comment) => {
      const thread = repository.threads.get(comment.thread)
      return {
        ...{ id: comment.id, thread: comment.thread, pull: comment.pull, body: comment.body },
        author: comment.author.login,
        path: thread?.path ?? '',
        line: thread?.line ?? null,
        resolved: (thread?.resolvedBy ?? null) !== null,
      }
    }),
    reactions: repository.reactions.map(({ kind, subject, author, content }) => ({
      ...{ kind, subject, content },
      author: author.login,
    })),
    comments: [...repository.comments.values()].map(({ id, issue, author, body }) => ({
      id,
      pull: issue,
      author: author.login,
      body,
    })),
  }
}
