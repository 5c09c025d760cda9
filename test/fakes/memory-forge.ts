import { label } from '../../src/domain/identity.ts'
import type { Forge, ForgeResult, PullRequest, PullRequestDraft } from '../../src/ports/forge.ts'

const ours: readonly string[] = Object.values(label)

type Refused = Extract<ForgeResult<never>, { readonly status: 'refused' }>

export interface MemoryComment {
  readonly pullRequest: number
  readonly author: string
  readonly body: string
}

export interface MemoryForge extends Forge {
  readonly pulls: readonly PullRequest[]
  readonly comments: readonly MemoryComment[]
  /** How often something was made or changed. */
  readonly writes: number
  /** What a person does meanwhile. */
  closeByHand(number: number): void
  mergeByHand(number: number): void
  openAs(author: string, draft: PullRequestDraft): number
  commentAs(author: string, pullRequest: number, body: string): void
  /** Refuses every upsert from now on; `null` allows them again. */
  refuse(refusal: Omit<Refused, 'status'> | null): void
}

export const memoryLogin = 'executor[bot]'

/** GitHub in memory: one repository, and us as `executor[bot]`. */
export function createMemoryForge(): MemoryForge {
  const pulls: PullRequest[] = []
  const comments: MemoryComment[] = []
  let writes = 0
  let refusal: Refused | null = null

  const replace = (number: number, change: Partial<PullRequest>): void => {
    const at = pulls.findIndex((pull) => pull.number === number)
    const pull = pulls[at]
    if (pull === undefined) throw new Error(`There is no pull request #${number}.`)
    pulls[at] = { ...pull, ...change }
  }
  const openAs: MemoryForge['openAs'] = (author, draft) => {
    const number = pulls.length + 1
    const { head, base, title, body, labels } = draft
    const url = `https://forge.test/pull/${number}`
    const headSha = String(number).padStart(40, '0')
    const state = 'open'
    pulls.push({
      number,
      url,
      head,
      headSha,
      base,
      state,
      mergeSha: null,
      draft: draft.draft,
      title,
      body,
      labels,
      author,
    })
    return number
  }
  const update = (pull: PullRequest, { title, body, base, labels }: PullRequestDraft): void => {
    const kept = pull.labels.filter((name) => labels.includes(name) || !ours.includes(name))
    const wanted = { title, body, base, labels: [...new Set([...kept, ...labels])] }
    const { title: t, body: b, base: s, labels: l } = pull
    if (JSON.stringify(wanted) === JSON.stringify({ title: t, body: b, base: s, labels: l })) return
    writes += 1
    replace(pull.number, wanted)
  }
  const find = (number: number): PullRequest => {
    const pull = pulls.find((one) => one.number === number)
    if (pull === undefined) throw new Error(`There is no pull request #${number}.`)
    return pull
  }

  return {
    kind: 'github',
    pulls,
    comments,
    get writes() {
      return writes
    },
    closeByHand: (number) => replace(number, { state: 'closed' }),
    mergeByHand: (number) => replace(number, { state: 'merged' }),
    openAs,
    commentAs(author, pullRequest, body) {
      comments.push({ pullRequest, author, body })
    },
    refuse(next) {
      refusal = next === null ? null : { status: 'refused', ...next }
    },
    async pullRequests() {
      return pulls
        .filter(({ head }) => /^(agent|executor\/recovery)\/./.test(head))
        .map(({ number }) => find(number))
        .reverse()
    },
    async upsertPullRequest(draft) {
      if (refusal !== null) return refusal
      const open = pulls.filter(({ head, state }) => state === 'open' && head === draft.head)
      const ours = open.find(({ author }) => author === memoryLogin)
      const other = open.find(({ base }) => base === draft.base)
      if (ours === undefined && other !== undefined) {
        const detail = `#${other.number} was opened by ${other.author}`
        return { status: 'refused', code: 'forge_denied', detail }
      }
      if (ours !== undefined) update(ours, draft)
      else writes += 1
      return { status: 'ok', value: find(ours?.number ?? openAs(memoryLogin, draft)) }
    },
    async upsertComment(pullRequest, marker, body) {
      if (refusal !== null) return refusal
      if (!pulls.some(({ number }) => number === pullRequest)) {
        return {
          status: 'refused',
          code: 'forge_denied',
          detail: `no pull request #${pullRequest}`,
        }
      }
      const comment = {
        pullRequest,
        author: memoryLogin,
        body: body.startsWith(marker) ? body : `${marker}\n${body}`,
      }
      const at = comments.findIndex(
        (one) =>
          one.pullRequest === pullRequest &&
          one.author === memoryLogin &&
          one.body.startsWith(marker),
      )
      if (comments[at]?.body === comment.body) return { status: 'ok', value: null }
      writes += 1
      comments.splice(at === -1 ? comments.length : at, at === -1 ? 0 : 1, comment)
      return { status: 'ok', value: null }
    },
    pullRequest: unbuilt,
    upsertReviewComment: unbuilt,
    merge: unbuilt,
    mergeWhenGreen: unbuilt,
    checks: unbuilt,
    close: unbuilt,
    retarget: unbuilt,
    label: unbuilt,
    upsertIssue: unbuilt,
  }
}

const unbuilt = async (): Promise<never> => {
  throw new Error('This part is being built.')
}
