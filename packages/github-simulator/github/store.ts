import type { Git } from './git.ts'
import type {
  App,
  Check,
  Comment,
  Dispatch,
  Identity,
  Issue,
  IssueEvent,
  Label,
  MergeMethod,
  Permission,
  Pull,
  PullFigures,
  Reaction,
  Review,
  ReviewComment,
  ReviewThread,
  Token,
  WebhookEvent,
  WorkflowRun,
} from './records.ts'

export interface RepositoryOptions {
  readonly owner: string
  readonly name: string
  /** An existing bare repository; without one, a new one is made below the server's root. */
  readonly directory?: string
  /** The first commit of a new repository, by path. */
  readonly seed?: { readonly files: Readonly<Record<string, string>> }
  /** Who may do what here, by login; goes before what a person may everywhere. */
  readonly permissions?: Readonly<Record<string, Permission>>
  /** Whether only collaborators see it. */
  readonly private?: boolean
  /** Of the app that is installed here, and named in webhooks. */
  readonly installationId?: number
  /** The setting that GitHub has off in new repositories; on here unless `false`. */
  readonly actionsMayCreatePullRequests?: boolean
  /** Branches that take no push (GH006). */
  readonly protectedBranches?: readonly string[]
  /** `false` where the plan has no draft pull requests. */
  readonly draftPullRequests?: boolean
  /** Allowed only when `true`, as on GitHub. */
  readonly autoMerge?: boolean
  /** All but `rebase` when not given. */
  readonly mergeMethods?: readonly MergeMethod[]
  readonly deleteBranchOnMerge?: boolean
  /** The default branch's conditions for a merge. */
  readonly requiredChecks?: readonly string[]
  readonly requiredReviews?: number
  /** Whether mergeability is unknown at first, as on GitHub after a push. */
  readonly slowMergeability?: boolean
  /** Variables of Actions. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface Repository {
  options: RepositoryOptions
  readonly owner: Identity
  readonly id: number
  readonly directory: string
  readonly git: Git
  readonly defaultBranch: string
  readonly createdAt: string
  /** By a person's id. */
  readonly permissions: Map<number, Permission>
  /** By number; `pulls` and `issues` share their numbers without overlap. */
  readonly pulls: Map<number, Pull>
  readonly issues: Map<number, Issue>
  readonly comments: Map<number, Comment>
  /** The oldest first; a later one of the same name and commit counts. */
  readonly checks: Check[]
  readonly reviews: Map<number, Review>
  readonly threads: Map<number, ReviewThread>
  readonly reviewComments: Map<number, ReviewComment>
  readonly events: IssueEvent[]
  readonly reactions: Reaction[]
  readonly runs: WorkflowRun[]
  readonly dispatches: Dispatch[]
  /** What git said about pairs of commits. */
  readonly figures: Map<string, PullFigures>
  /** Pairs that a client has already asked about. */
  readonly asked: Set<string>
  /** By lower-case name: GitHub's labels differ by more than case. */
  readonly labels: Map<string, Label>
}

/** A person of this server, who may be renamed. */
export type Person = Identity & { login: string }

/** Everything that is not in git. Times are GitHub's: whole seconds, UTC. */
export interface Store {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  readonly apiUrl: string
  readonly people: readonly Person[]
  readonly tokens: Map<string, Token>
  readonly app: App | null
  /** Who answers GitHub's own pages. */
  signedIn: Identity | null
  /** Codes of the manifest flow and of logins; each counts once. */
  readonly codes: Map<string, CodeUse>
  readonly repositories: Repository[]
  /** All webhooks so far. */
  readonly webhooks: WebhookEvent[]
  /** Subscribers to future webhooks. */
  readonly listeners: Set<(event: WebhookEvent) => void>
  /** Requests against the hourly limit so far. */
  used: number
  nextId(): number
  now(): string
  /** The same in milliseconds. */
  time(): number
}

export type CodeUse =
  | { readonly kind: 'manifest' }
  | {
      readonly kind: 'login'
      readonly person: Identity
      readonly redirect: string
      /** Of PKCE, by SHA-256. */
      readonly challenge: string | null
    }

/** Names on GitHub differ by more than case. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const findPerson = (store: Store, login: string): Person | undefined =>
  store.people.find((person) => sameName(person.login, login))

export function findRepository(store: Store, owner: string, name: string): Repository | undefined {
  return store.repositories.find(
    ({ options }) => sameName(options.owner, owner) && sameName(options.name, name),
  )
}

/** An issue or a pull request. */
export const findIssue = ({ pulls, issues }: Repository, number: number): Issue | undefined =>
  pulls.get(number) ?? issues.get(number)

export const nextNumber = ({ pulls, issues }: Repository): number => pulls.size + issues.size + 1

/** The label of this name, made when it is missing, as GitHub does on adding one to an issue. */
export function ensureLabel(store: Store, repository: Repository, name: string): Label {
  const known = repository.labels.get(name.toLowerCase())
  if (known !== undefined) return known
  const label: Label = { id: store.nextId(), name, color: 'ededed', description: '' }
  repository.labels.set(name.toLowerCase(), label)
  return label
}
