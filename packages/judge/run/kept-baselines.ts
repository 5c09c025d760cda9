import type { Trees } from '../../change/change.ts'
import type { JudgePorts } from '../judging.ts'
import type { Verification } from './verify-folder.ts'

interface Running {
  readonly sha: string
  readonly needed: AbortController
  readonly end: Promise<unknown>
}

/** This process's test runs on a project's commits. Not stored: a resumed run repeats them. */
interface Baselines {
  /** By commit and what verifies it; the most recently requested come last. */
  readonly results: Map<string, Promise<Verification>>
  readonly running: Set<Running>
  /** By commit, whether everything that its tests need is installed. */
  readonly setUps: Map<string, Promise<boolean>>
  /** True once a caller has waited for that. */
  isSettled: boolean
}

const byWorkspace = new WeakMap<Trees, Baselines>()

export function baselinesOf({ workspace }: Pick<JudgePorts, 'workspace'>): Baselines {
  const known = byWorkspace.get(workspace)
  if (known !== undefined) return known
  const made = { results: new Map(), running: new Set<Running>(), setUps: new Map() }
  const baselines = { ...made, isSettled: false }
  byWorkspace.set(workspace, baselines)
  return baselines
}

/** The names of 50,000 tests take 5 MB: results of older commits are dropped, and run again. */
const mostKept = 40

export function keep({ results }: Baselines, key: string, found: Promise<Verification>): void {
  results.delete(key)
  results.set(key, found)
  for (const old of [...results.keys()].slice(0, -mostKept)) results.delete(old)
}

export const keyOf = (sha: string, verify: string | null): string => `${sha} ${verify ?? ''}`

/** Stops baselines that still run: a run that has ended needs none. */
export async function stopBaselines(ports: Pick<JudgePorts, 'workspace'>): Promise<void> {
  const { results, running } = baselinesOf(ports)
  const all = [...running]
  for (const { needed } of all) needed.abort()
  if (all.length > 0) results.clear()
  await Promise.allSettled(all.map(({ end }) => end))
}
