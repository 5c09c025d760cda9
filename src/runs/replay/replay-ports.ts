/** Ports without effects: they show the recorded outside, and remember writes to it. */

import { keptRefOf } from '../../core/domain/branches.ts'
import type { JournalEvent, Recorded } from '../../core/domain/journal-event.ts'
import type { KnownFix } from '../../core/domain/known-fix.ts'
import type { RouteChoice } from '../../core/domain/route.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Forge, PullRequest } from '../../core/ports/forge.ts'
import { noRoutes, type RouteBook } from '../../core/ports/routes.ts'
import type { Store } from '../../core/ports/store.ts'
import type { BranchTip, RepositoryView, Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { withoutSaves, withoutWrites } from '../run-ports.ts'

type Survey = Recorded<'surveyed'>

const ok = <T>(value: T) => ({ status: 'ok', value }) as const

/** Reads commits and works in folders for real; remembers branches and parked texts. */
export async function rememberingWorkspace(
  workspace: Workspace,
  base: RunState['roadmap']['base'],
  { branches }: Survey,
): Promise<Workspace> {
  const heads = new Map(Object.entries(branches))
  const parked = new Map<string, string>()
  const look = async (): Promise<RepositoryView> => {
    const tips = [...heads].map(([name, sha]) => tipOf(name, sha, workspace))
    return { base, branches: await Promise.all(tips) }
  }
  return {
    ...workspace,
    refresh: look,
    view: look,
    async publish(branch, sha, expected) {
      const now = heads.get(branch) ?? null
      if (now === sha) return { status: 'published' }
      if (now !== expected) return { status: 'moved', sha: now ?? '' }
      heads.set(branch, sha)
      return { status: 'published' }
    },
    async park(name, text) {
      if (text === null) parked.delete(name)
      else parked.set(name, text)
      return { status: 'published' }
    },
    parked: async () => new Map(parked),
    async keep(task, sha, how) {
      if (how === 'forget') heads.delete(keptRefOf(task, sha))
      else heads.set(keptRefOf(task, sha), sha)
      return { status: 'published' }
    },
    fetch: async () => new Map(),
  }
}

async function tipOf(name: string, sha: string, workspace: Workspace): Promise<BranchTip> {
  const parent = await workspace.ancestor(sha, 1)
  const [commit] = await workspace.history(sha, parent === null ? {} : { without: parent })
  return { name, sha, parent, trailers: commit?.trailers ?? {} }
}

/** A forge with the pull requests of the survey; new ones get their own numbers. */
export function rememberingForge({ forge, pullRequests }: Survey): Forge {
  const pulls: PullRequest[] = pullRequests.map((pull) => ({
    ...pull,
    url: `#${pull.number}`,
    draft: false,
    title: '',
  }))
  let number = Math.max(0, ...pulls.map((pull) => pull.number))
  const change = (at: number, facts: Partial<PullRequest>) => {
    const index = pulls.findIndex((pull) => pull.number === at)
    const pull = pulls[index]
    if (pull !== undefined) pulls[index] = { ...pull, ...facts }
    return ok(null)
  }
  const reads = {
    kind: forge,
    pullRequests: async () => pulls.toSorted((a, b) => b.number - a.number),
    pullRequest: async (at: number) => pulls.find((pull) => pull.number === at) ?? null,
    checks: async () => 'none' as const,
  }
  return {
    ...withoutWrites(reads),
    async upsertPullRequest(draft) {
      if (forge === 'local') return ok(null)
      const { head, base, title, body, labels } = draft
      const facts = { head, base, title, body, labels, draft: draft.draft }
      const known = pulls.find((pull) => pull.head === head && pull.state === 'open')
      if (known !== undefined) {
        change(known.number, facts)
        return ok({ ...known, ...facts })
      }
      number += 1
      const kept = { number, url: `#${number}`, author: '', headSha: '', mergeSha: null }
      const opened: PullRequest = { ...facts, ...kept, state: 'open' }
      pulls.push(opened)
      return ok(opened)
    },
    merge: async () => ({ status: 'blocked', reason: 'A replay merges nothing.' }),
    close: async (at) => change(at, { state: 'closed' }),
    retarget: async (at, base) => change(at, { base }),
  }
}

/** @param known the test results that need not be found again */
export const rememberingStore = (store: Store, known: readonly JournalEvent[]): Store => ({
  ...withoutSaves(store),
  journal: async () => known,
  spendingOn: async () => ({ tokens: 0, dollars: 0, unreadable: null }),
})

/**
 * Offers the fixes that the run was offered, in their order. Journals of older versions do not record them: then the
 * replay learns them again.
 */
export function rememberingMemory(events: readonly JournalEvent[]): Ports['memory'] {
  const recalled = events.filter((event) => event.kind === 'recalled').map(({ fix }) => fix)
  const fixes = new Map<string, KnownFix>()
  return {
    async recall(signature) {
      const at = recalled.findIndex((fix) => fix.signature === signature)
      const [recorded] = at < 0 ? [] : recalled.splice(at, 1)
      return recorded ?? fixes.get(signature) ?? null
    },
    async learn({ worked, ...fix }) {
      const counts = { worked: 1, failed: 0, failedInARow: 0, at: '' }
      if (worked) fixes.set(fix.signature, { ...fix, ...counts })
    },
    all: async () => [...fixes.values()],
    forgotten: async () => [],
  }
}

/** What each attempt was begun with. */
export function recordedRoutes(events: readonly JournalEvent[]): RouteBook {
  const choices = new Map<string, RouteChoice>()
  for (const event of events) {
    if (event.kind !== 'routed' && !(event.kind === 'stepped' && event.node === 'pick_task'))
      continue
    const key = `${event.task} ${event.attempt}`
    const route = event.kind === 'routed' ? { way: event.way, reason: event.reason } : undefined
    const refinement = event.kind === 'stepped' ? event.refinement : undefined
    choices.set(key, {
      ...choices.get(key),
      ...(route && { route }),
      ...(refinement && { refinement }),
    })
  }
  return { ...noRoutes, recorded: (task, attempt) => choices.get(`${task} ${attempt}`) ?? {} }
}
