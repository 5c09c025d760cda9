import { label } from '../../src/core/domain/identity.ts'
import type {
  Discussion,
  OpenIssue,
  OpenPullRequest,
  Remark,
  ReviewThread,
} from '../../src/core/ports/discussion.ts'
import type { ForgeResult, PullRequest } from '../../src/core/ports/forge.ts'
import { findOurs, upsertComment, withMarker } from './memory-forge.ts'
import type { MemoryIssue, MemoryRemark, MemoryRepository } from './memory-repository.ts'

const mostRemarks = 300
const mostReviews = 10

/** The Discussion port over a repository in memory. */
export function createMemoryDiscussion(repository: MemoryRepository): Discussion {
  const { us, counters } = repository
  const none: ForgeResult<null> = { status: 'ok', value: null }
  const live = (kind: Remark['kind'], id: number): MemoryRemark | undefined =>
    repository.remarks.find((one) => one.kind === kind && one.id === id)

  return {
    self: async () => us.login,
    async permissionOf({ login, id }) {
      counters.reads++
      const known = repository.people.get(login)
      return known?.author.id === id ? known.permission : 'unknown'
    },
    async overview() {
      counters.reads++
      const issues = repository.issues.map((issue) => ({
        ...toOpenIssue(issue),
        state: issue.state,
      }))
      const shown = ({ state: _, ...issue }: (typeof issues)[number]): OpenIssue => issue
      const dashboard = issues.findLast(
        ({ labels, author }) => labels.includes(label.dashboard) && author.id === us.id,
      )
      return {
        pullRequests: repository.pulls
          .filter(
            ({ head, state }) => state === 'open' && /^(agent|executor\/recovery)\/./.test(head),
          )
          .map((pull) => toOpenPullRequest(repository, pull))
          .reverse(),
        issues: issues
          .filter(({ state, labels }) => state === 'open' && labels.includes(label.issue))
          .map(shown),
        dashboard: dashboard === undefined ? null : shown(dashboard),
        linesQuietSince:
          repository.remarks
            .filter(({ kind }) => kind === 'review_comment')
            .map(({ updatedAt }) => updatedAt)
            .sort()
            .at(-1) ?? null,
      }
    },
    async remarksSince(time, kinds = 'all') {
      counters.reads += kinds === 'all' ? 2 : 1
      const since = (kind: Remark['kind']) =>
        repository.remarks
          .filter((one) => one.kind === kind && Date.parse(one.updatedAt) >= Date.parse(time))
          .sort((a, b) => a.updatedAt.localeCompare(b.updatedAt))
          .slice(-mostRemarks)
      const onLines = kinds === 'all' ? since('review_comment') : []
      return [...since('comment'), ...onLines].sort(byTime).map(toRemark)
    },
    async remark({ kind, id }) {
      counters.reads++
      const found = live(kind, id)
      return found === undefined ? null : toRemark(found)
    },
    async threads(number) {
      counters.reads++
      return threadsOf(repository, number)
    },
    async react(ref, reaction) {
      if (ref.kind === 'review' || live(ref.kind, ref.id) === undefined) return none
      if (repository.react(ref, reaction)) counters.writes++
      return none
    },
    async answer({ kind, id, on }, marker, body) {
      const asked = kind === 'review_comment' ? live(kind, id) : undefined
      const known = findOurs(repository, 'review_comment', on, marker)
      if (asked === undefined && known === undefined) {
        if (repository.pull(on) === null && repository.issue(on) === null) {
          return { status: 'refused', code: 'forge_denied', detail: `There is no #${on}.` }
        }
        if (upsertComment(repository, on, marker, body)) counters.writes++
        return none
      }
      const text = withMarker(marker, body)
      if (known?.body === text) return none
      if (known !== undefined) repository.edit(known, text)
      else if (asked !== undefined) repository.sayOnLine(us, on, { body: text, reply: asked })
      counters.writes++
      return none
    },
    async labelling(issue, name) {
      counters.reads++
      const labels = repository.issue(issue)?.labels ?? []
      const event = labels.includes(name) ? repository.labelEvent(issue, name) : null
      const renamedAt = repository.issue(issue)?.renamedAt ?? null
      return event === null ? null : { by: event.by, at: event.at, renamedAt }
    },
    async redChecks(sha, base) {
      counters.reads++
      const isRed = (commit: string) => repository.checksOf(commit) === 'red'
      const red = { name: 'ci', annotations: [], output: 'not ok' }
      return isRed(sha) && !isRed(base) ? [red] : []
    },
    async variable(name) {
      counters.reads++
      return repository.variables.get(name) ?? null
    },
    scheduledRuns: async () => null,
  }
}

function toRemark({ thread: _, ...remark }: MemoryRemark): Remark {
  return remark
}

const byTime = (a: Remark, b: Remark): number =>
  a.createdAt.localeCompare(b.createdAt) || a.id - b.id

function toOpenIssue({ number, title, body, author, labels, editedAt }: MemoryIssue): OpenIssue {
  const url = `https://forge.test/issues/${number}`
  return { number, title, body, url, author, labels, editedAt }
}

function toOpenPullRequest(repository: MemoryRepository, pull: PullRequest): OpenPullRequest {
  const { number, head, headSha, base, labels } = pull
  const { conflicts } = repository.factsOf(number)
  const reviews = repository.remarks
    .filter(({ kind, on }) => kind === 'review' && on === number)
    .slice(-mostReviews)
    .map(toRemark)
  return { number, head, headSha, base, labels, conflicts, reviews }
}

function threadsOf(repository: MemoryRepository, number: number): readonly ReviewThread[] {
  const said = repository.remarks.filter(
    ({ kind, on }) => kind === 'review_comment' && on === number,
  )
  const byThread = Map.groupBy(said, ({ thread }) => thread ?? 0)
  return [...byThread]
    .filter(([thread]) => !repository.resolvedThreads.has(thread))
    .map(([thread, remarks]) => ({
      pullRequest: number,
      id: `thread-${thread}`,
      path: remarks[0]?.path ?? '',
      line: remarks[0]?.line ?? null,
      remarks: remarks.map(toRemark),
    }))
}
