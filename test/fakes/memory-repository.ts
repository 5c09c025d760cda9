import type { Clock } from '../../src/core/ports/clock.ts'
import type { Author, Permission, Remark } from '../../src/core/ports/discussion.ts'
import type { Checks, PullRequest, PullRequestDraft } from '../../src/core/ports/forge.ts'

export const memoryLogin = 'executor[bot]'

export interface MemoryIssue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly author: Author
  readonly labels: readonly string[]
  readonly state: 'open' | 'closed'
  readonly editedAt: string | null
  readonly renamedAt?: string
}

/** A remark, with what only the repository knows of it. */
export interface MemoryRemark extends Remark {
  /** Of a review comment: the first of its thread. */
  readonly thread: number | null
}

interface LabelEvent {
  readonly number: number
  readonly label: string
  readonly by: Author
  readonly at: string
}

/** What GitHub knows of a pull request besides what the Forge port shows. */
interface PullFacts {
  readonly conflicts: boolean | null
  /** Who pushed its head, where somebody else must approve that. */
  readonly lastPushBy?: string
  /** Why it may not be merged, in GitHub's words; `null`: it may. */
  readonly blocked: string | null
  /** Lines of its diff by path; `null`: every line there is. */
  readonly diff: Readonly<Record<string, readonly number[]>> | null
}

export interface MemoryRepositoryOptions {
  /** The times of what is said; each is at least a second after the one before. */
  readonly clock?: Clock
  /** The commit of a branch, `workspace.head`; without it, heads have numbers of their own. */
  readonly tipOf?: (branch: string) => string | null
  /** Makes the merge commit of a pull request, and says its sha. */
  readonly mergeCommit?: (pull: PullRequest) => string
  /** Our login; `memoryLogin` by default. */
  readonly login?: string
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** What a repository on GitHub holds besides its commits; `MemoryForge` and `MemoryDiscussion` share one. */
export interface MemoryRepository {
  readonly us: Author
  /** A second later than the last time. */
  now(): string
  readonly pulls: readonly PullRequest[]
  readonly issues: readonly MemoryIssue[]
  /** All three kinds, in the order they were made. */
  readonly remarks: readonly MemoryRemark[]
  readonly reactions: readonly {
    readonly kind: Remark['kind']
    readonly id: number
    readonly reaction: string
  }[]
  readonly variables: Map<string, string>
  /** By login. */
  readonly people: Map<string, { readonly author: Author; readonly permission: Permission }>
  readonly resolvedThreads: Set<number>
  /** Requests so far, about as many as GitHub would get. */
  readonly counters: { reads: number; writes: number }
  checksOf(sha: string): Checks
  setChecks(sha: string, checks: Checks): void
  factsOf(number: number): PullFacts
  setFacts(number: number, change: Partial<PullFacts>): void

  pull(number: number): PullRequest | null
  changePull(number: number, change: Partial<PullRequest>): void
  issue(number: number): MemoryIssue | null
  changeIssue(number: number, change: Partial<MemoryIssue>): void
  open(by: Author | string, draft: PullRequestDraft): number
  openIssue(by: Author, issue: Pick<MemoryIssue, 'title' | 'body' | 'labels'>): number
  close(number: number): void
  merge(number: number): string
  label(by: Author, number: number, name: string): void
  unlabel(number: number, name: string): void
  /** The last time this label was put on. */
  labelEvent(number: number, name: string): LabelEvent | null

  /** Somebody with an account; a bot where the login ends with `[bot]`. */
  person(login: string, permission?: Permission): Author
  say(by: Author, on: number, body: string): MemoryRemark
  /** On a line of the diff; `reply` names any remark of the thread it goes on. */
  sayOnLine(
    by: Author,
    on: number,
    said: {
      readonly body: string
      readonly path?: string
      readonly line?: number | null
      readonly commit?: string
      readonly reply?: Remark
    },
  ): MemoryRemark
  review(
    by: Author,
    on: number,
    said: {
      readonly verdict: NonNullable<Remark['verdict']>
      readonly body?: string
      /** The head, when not said. */
      readonly commit?: string
    },
  ): MemoryRemark
  edit(remark: Remark, body: string): MemoryRemark
  delete(remark: Remark): void
  resolve(remark: Remark): void
  react(remark: Pick<Remark, 'kind' | 'id'>, reaction: string): boolean
}

/** GitHub in memory: one repository, and us as `executor[bot]`. */
export function createMemoryRepository(options: MemoryRepositoryOptions = {}): MemoryRepository {
  const us: Author = { id: 1, login: options.login ?? memoryLogin, isBot: true }
  const pulls: PullRequest[] = []
  const issues: MemoryIssue[] = []
  const remarks: MemoryRemark[] = []
  const events: LabelEvent[] = []
  const reactions: Mutable<MemoryRepository['reactions'][number]>[] = []
  const facts = new Map<number, PullFacts>()
  const checks = new Map<string, Checks>()
  const people: MemoryRepository['people'] = new Map()
  let time = Date.parse('2026-01-02T03:04:05Z')
  let lastId = 1000

  const now = (): string => {
    time = Math.max(time + 1000, Date.parse(options.clock?.now() ?? '1970-01-01T00:00:00Z'))
    return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  const nextNumber = (): number => pulls.length + issues.length + 1
  const current = (pull: PullRequest): PullRequest => {
    const tip = pull.state === 'open' ? options.tipOf?.(pull.head) : null
    return tip ? { ...pull, headSha: tip } : pull
  }
  const pull = (number: number): PullRequest | null => {
    const found = pulls.find((one) => one.number === number)
    return found === undefined ? null : current(found)
  }
  const existing = (number: number): PullRequest => {
    const found = pull(number)
    if (found === null) throw new Error(`There is no pull request #${number}.`)
    return found
  }
  const issue = (number: number): MemoryIssue | null =>
    issues.find((one) => one.number === number) ?? null
  const changePull: MemoryRepository['changePull'] = (number, change) => {
    pulls[pulls.findIndex((one) => one.number === number)] = { ...existing(number), ...change }
  }
  const changeIssue: MemoryRepository['changeIssue'] = (number, change) => {
    const at = issues.findIndex((one) => one.number === number)
    const found = issues[at]
    if (found === undefined) throw new Error(`There is no issue #${number}.`)
    const isSame = change.title === undefined || change.title === found.title
    issues[at] = { ...found, ...change, ...(isSame ? {} : { renamedAt: now() }) }
  }
  const labelsOf = (number: number): readonly string[] =>
    (pull(number) ?? issue(number))?.labels ?? []
  const setLabels = (number: number, labels: readonly string[]): void => {
    if (pull(number) === null) changeIssue(number, { labels })
    else changePull(number, { labels })
  }
  const factsOf = (number: number): PullFacts =>
    facts.get(number) ?? { conflicts: false, blocked: null, diff: null }
  const merge = (number: number): string => {
    const merged = existing(number)
    const mergeSha = options.mergeCommit?.(merged) ?? `${number}`.padStart(40, 'f')
    changePull(number, { state: 'merged', mergeSha })
    return mergeSha
  }
  const add = (remark: Pick<Remark, 'kind' | 'on' | 'author' | 'body'>): MemoryRemark => {
    if (pull(remark.on) === null && issue(remark.on) === null)
      throw new Error(`There is no #${remark.on}.`)
    const createdAt = now()
    const nowhere = { commit: null, verdict: null, path: null, line: null, thread: null }
    const isOurs = remark.author.login === us.login && remark.body.startsWith('<!-- executor:')
    const made = { id: ++lastId, createdAt, updatedAt: createdAt, isOurs, ...nowhere, ...remark }
    remarks.push(made)
    return made
  }
  const at = (remark: Pick<Remark, 'kind' | 'id'>): number =>
    remarks.findIndex(({ kind, id }) => kind === remark.kind && id === remark.id)
  const change = (remark: Remark, wanted: Partial<MemoryRemark>): MemoryRemark => {
    const found = remarks[at(remark)]
    if (found === undefined) throw new Error(`There is no ${remark.kind} ${remark.id}.`)
    const changed = { ...found, ...wanted }
    remarks[at(remark)] = changed
    return changed
  }

  const repository: MemoryRepository = {
    us,
    now,
    get pulls() {
      return pulls.map(current)
    },
    issues,
    remarks,
    reactions,
    variables: new Map(),
    people,
    resolvedThreads: new Set(),
    counters: { reads: 0, writes: 0 },
    checksOf: (sha) => checks.get(sha) ?? 'none',
    setChecks: (sha, next) => void checks.set(sha, next),
    factsOf,
    setFacts: (number, wanted) => void facts.set(number, { ...factsOf(number), ...wanted }),
    pull,
    changePull,
    issue,
    changeIssue,
    open(by, { head, base, title, body, labels, draft }) {
      const number = nextNumber()
      const url = `https://forge.test/pull/${number}`
      const headSha = `${number}`.padStart(40, '0')
      const author = typeof by === 'string' ? by : by.login
      const open = { state: 'open', mergeSha: null } as const
      pulls.push({ number, url, head, headSha, base, ...open, draft, title, body, labels, author })
      const labeller = typeof by === 'string' ? us : by
      for (const label of labels) events.push({ number, label, by: labeller, at: now() })
      return number
    },
    openIssue(author, { title, body, labels }) {
      const number = nextNumber()
      issues.push({ number, title, body, author, labels, state: 'open', editedAt: null })
      for (const label of labels) events.push({ number, label, by: author, at: now() })
      return number
    },
    close(number) {
      if (pull(number) === null) changeIssue(number, { state: 'closed' })
      else changePull(number, { state: 'closed' })
    },
    merge,
    label(by, number, label) {
      if (labelsOf(number).includes(label)) return
      setLabels(number, [...labelsOf(number), label])
      events.push({ number, label, by, at: now() })
    },
    unlabel: (number, name) =>
      setLabels(
        number,
        labelsOf(number).filter((one) => one !== name),
      ),
    labelEvent: (number, name) =>
      events.findLast((event) => event.number === number && event.label === name) ?? null,
    person(login, permission = 'none') {
      const known = people.get(login)?.author
      const author = known ?? { id: 100 + people.size, login, isBot: login.endsWith('[bot]') }
      people.set(login, { author, permission })
      return author
    },
    say: (author, on, body) => add({ kind: 'comment', on, author, body }),
    sayOnLine(author, on, { body, path = 'ROADMAP.md', line = 1, commit, reply }) {
      const first = reply && remarks[at(reply)]
      const made = add({ kind: 'review_comment', on, author, body })
      const place = first ?? { path, line, commit: commit ?? existing(on).headSha, thread: made.id }
      return change(made, {
        path: place.path,
        line: place.line,
        commit: place.commit,
        thread: place.thread,
      })
    },
    review(author, on, { verdict, body = '', commit = existing(on).headSha }) {
      return change(add({ kind: 'review', on, author, body }), { verdict, commit })
    },
    edit: (remark, body) => change(remark, { body, updatedAt: now() }),
    delete: (remark) => void remarks.splice(at(remark), 1),
    resolve(remark) {
      const { thread } = change(remark, {})
      if (thread !== null) repository.resolvedThreads.add(thread)
    },
    react({ kind, id }, reaction) {
      const same = reactions.some(
        (one) => one.kind === kind && one.id === id && one.reaction === reaction,
      )
      if (!same) reactions.push({ kind, id, reaction })
      return !same
    },
  }
  return repository
}
