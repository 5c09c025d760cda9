import { label } from '../../src/core/domain/identity.ts'
import type {
  Forge,
  ForgeRefusal,
  PullRequest,
  PullRequestDraft,
} from '../../src/core/ports/forge.ts'
import { createMemoryRepository, type MemoryRepository } from './memory-repository.ts'

/** Labels that say what a pull request is now; one that no longer holds goes. */
const managed: readonly string[] = [label.task, label.unverified, label.recovery, label.needsHuman]

export interface MemoryComment {
  readonly pullRequest: number
  readonly author: string
  readonly body: string
}

export interface MemoryForge extends Forge {
  readonly repository: MemoryRepository
  readonly pulls: readonly PullRequest[]
  /** In conversations, of issues too. */
  readonly comments: readonly MemoryComment[]
  /** How often something was made or changed by us. */
  readonly writes: number
  /** What a person does meanwhile. */
  closeByHand(number: number): void
  mergeByHand(number: number): void
  openAs(author: string, draft: PullRequestDraft): number
  commentAs(author: string, number: number, body: string): void
  /** Refuses every write from now on; `null` allows them again. */
  refuse(refusal: Omit<ForgeRefusal, 'status'> | null): void
}

/** The Forge port over a repository in memory. */
export function createMemoryForge(
  repository: MemoryRepository = createMemoryRepository(),
): MemoryForge {
  let refusal: ForgeRefusal | null = null
  const { us, counters } = repository
  const ok = <T>(value: T) => ({ status: 'ok', value }) as const
  const denied = (detail: string): ForgeRefusal => ({
    status: 'refused',
    code: 'forge_denied',
    detail,
  })
  /** A write that may be refused; `null` when there was nothing to write. */
  const writing = async <T>(work: () => T | ForgeRefusal): Promise<T | ForgeRefusal> =>
    refusal ?? work()
  const wrote = (): void => void counters.writes++
  const exists = (number: number): boolean =>
    repository.pull(number) !== null || repository.issue(number) !== null

  return {
    kind: 'github',
    repository,
    get pulls() {
      return repository.pulls
    },
    get comments() {
      return repository.remarks
        .filter(({ kind }) => kind === 'comment')
        .map(({ on, author, body }) => ({ pullRequest: on, author: author.login, body }))
    },
    get writes() {
      return counters.writes
    },
    closeByHand: (number) => repository.close(number),
    mergeByHand: (number) => void repository.merge(number),
    openAs: (author, draft) => repository.open(author, draft),
    commentAs(author, number, body) {
      const known = repository.people.get(author)?.author
      repository.say(known ?? repository.person(author), number, body)
    },
    refuse(next) {
      refusal = next === null ? null : { status: 'refused', ...next }
    },

    async pullRequests() {
      counters.reads++
      return repository.pulls
        .filter(({ head }) => /^(agent|executor\/recovery)\/./.test(head))
        .reverse()
    },
    async pullRequest(number) {
      counters.reads++
      return repository.pull(number)
    },
    upsertPullRequest: (draft) =>
      writing(() => {
        const open = repository.pulls.filter(
          (one) => one.state === 'open' && one.head === draft.head,
        )
        const ours = open.find(({ author }) => author === us.login)
        const other = open.find(({ base }) => base === draft.base)
        if (ours === undefined && other !== undefined) {
          return denied(`#${other.number} was opened by ${other.author}`)
        }
        if (ours !== undefined && draft.keepsOpen === true) return ok(ours)
        if (ours === undefined || update(repository, ours, draft)) wrote()
        return ok(repository.pull(ours?.number ?? repository.open(us, draft)))
      }),
    upsertComment: (number, marker, body) =>
      writing(() => {
        if (!exists(number)) return denied(`There is no #${number}.`)
        if (upsertComment(repository, number, marker, body)) wrote()
        return ok(null)
      }),
    upsertReviewComment: (number, { marker, sha, path, line, body }) =>
      writing(() => {
        const pull = repository.pull(number)
        if (pull === null) return denied(`There is no pull request #${number}.`)
        const text = withMarker(marker, body)
        const known = findOurs(repository, 'review_comment', number, marker)
        if (known === undefined) {
          const { diff } = repository.factsOf(number)
          if (pull.headSha !== sha) return denied(`422 commit_id is not the head, ${pull.headSha}`)
          if (diff !== null && !diff[path]?.includes(line)) {
            return denied('422 pull_request_review_thread.line must be part of the diff')
          }
          repository.sayOnLine(us, number, { body: text, path, line, commit: sha })
        } else if (known.body !== text) repository.edit(known, text)
        else return ok(null)
        wrote()
        return ok(null)
      }),
    merge: (number, sha, approver) =>
      writing(() => {
        const pull = repository.pull(number)
        if (pull === null) return denied(`There is no pull request #${number}.`)
        if (pull.headSha !== sha) return { status: 'moved', headSha: pull.headSha } as const
        if (pull.mergeSha !== null) return { status: 'merged', sha: pull.mergeSha } as const
        const isPusher =
          approver !== undefined && repository.factsOf(number).lastPushBy === approver
        const reason = isPusher ? `${approver} pushed it.` : whyNot(repository, pull)
        if (reason !== null) return { status: 'blocked', reason } as const
        wrote()
        return { status: 'merged', sha: repository.merge(number) } as const
      }),
    async checks(sha) {
      counters.reads += 2
      return repository.checksOf(sha)
    },
    close: (number) =>
      writing(() => {
        const there = repository.pull(number) ?? repository.issue(number)
        if (there === null) return denied(`There is no #${number}.`)
        if (there.state !== 'open') return ok(null)
        repository.close(number)
        wrote()
        return ok(null)
      }),
    retarget: (number, base) =>
      writing(() => {
        const pull = repository.pull(number)
        if (pull?.state !== 'open') return denied(`#${number} is not open.`)
        if (pull.base === base) return ok(null)
        repository.changePull(number, { base })
        wrote()
        return ok(null)
      }),
    label: (number, { add = [], remove = [] }) =>
      writing(() => {
        const there = repository.pull(number) ?? repository.issue(number)
        if (there === null) return denied(`There is no #${number}.`)
        const missing = add.filter((name) => !there.labels.includes(name))
        const stale = remove.filter((name) => there.labels.includes(name))
        for (const name of missing) repository.label(us, number, name)
        for (const name of stale) repository.unlabel(number, name)
        counters.writes += (missing.length > 0 ? 1 : 0) + stale.length
        return ok(null)
      }),
    upsertIssue: (draft) =>
      writing(() => {
        const text = withMarker(draft.marker, draft.body)
        const known = repository.issues.find(
          ({ author, body }) => author.id === us.id && body.startsWith(draft.marker),
        )
        const number = known?.number ?? repository.openIssue(us, { ...draft, body: text })
        if (known === undefined || known.body !== text) wrote()
        if (known !== undefined && known.body !== text) {
          repository.changeIssue(number, { body: text, editedAt: repository.now() })
        }
        const missing = draft.labels.filter(
          (name) => !(known?.labels ?? draft.labels).includes(name),
        )
        for (const name of missing) repository.label(us, number, name)
        if (missing.length > 0) wrote()
        return ok({ number, url: `https://forge.test/issues/${number}` })
      }),
  }
}

/** Ours with this marker. */
export const findOurs = (
  { remarks, us }: MemoryRepository,
  kind: 'comment' | 'review_comment',
  number: number,
  marker: string,
) =>
  remarks.find(
    (one) =>
      one.kind === kind &&
      one.on === number &&
      one.author.id === us.id &&
      one.body.startsWith(marker),
  )

export const withMarker = (marker: string, body: string): string =>
  body.startsWith(marker) ? body : `${marker}\n${body}`

/** True when something was written. */
export function upsertComment(
  repository: MemoryRepository,
  number: number,
  marker: string,
  body: string,
): boolean {
  const text = withMarker(marker, body)
  const known = findOurs(repository, 'comment', number, marker)
  if (known?.body === text) return false
  if (known === undefined) repository.say(repository.us, number, text)
  else repository.edit(known, text)
  return true
}

function update(
  repository: MemoryRepository,
  pull: PullRequest,
  { title, body, base, labels }: PullRequestDraft,
): boolean {
  const kept = pull.labels.filter((name) => labels.includes(name) || !managed.includes(name))
  const missing = labels.filter((name) => !kept.includes(name))
  const same =
    pull.title === title &&
    pull.body === body &&
    pull.base === base &&
    missing.length === 0 &&
    kept.length === pull.labels.length
  if (same) return false
  repository.changePull(pull.number, { title, body, base, labels: kept })
  for (const name of missing) repository.label(repository.us, pull.number, name)
  return true
}

/** GitHub's words, in its order. */
function whyNot(repository: MemoryRepository, pull: PullRequest): string | null {
  const { blocked, conflicts } = repository.factsOf(pull.number)
  if (pull.draft) return 'Pull Request is still a draft'
  if (pull.state === 'closed' || conflicts === true) return 'Pull Request is not mergeable'
  return blocked
}
