import type { StackMode } from '../../core/domain/settings.ts'

/** A finished, unmerged task's branch. */
export interface Tip {
  readonly id: string
  readonly branch: string
  readonly sha: string
  /** The commit it grew from, where known. */
  readonly start: string | null
}

export type Start =
  | { readonly status: 'start'; readonly branch: string; readonly sha: string }
  /** Unrelated unmerged dependencies, or stacking is off: only a merge helps. */
  | { readonly status: 'waits'; readonly reason: string }

type Contains = (sha: string, ancestor: string) => Promise<boolean>

/**
 * Where a task's branch grows from (surface.md, Stacking).
 *
 * - `auto`: the one tip that already contains all its unmerged dependencies, else the base.
 * - `chain`: the one tip that contains all finished work, so that the last branch holds everything.
 * - `none`: always the base; a task with an unmerged dependency waits.
 *
 * @param input.tips finished, unmerged work, oldest first
 * @param input.contains whether the first sha contains the second
 */
export async function chooseStart(input: {
  readonly mode: StackMode
  readonly base: { readonly branch: string; readonly sha: string }
  readonly dependsOn: readonly string[]
  readonly tips: readonly Tip[]
  readonly contains: Contains
}): Promise<Start> {
  const { mode, base, contains } = input
  const needed = input.tips.filter((tip) => input.dependsOn.includes(tip.id))
  const wanted = mode === 'chain' ? input.tips : needed
  if (wanted.length === 0) return { status: 'start', ...base }
  if (mode === 'none') {
    return { status: 'waits', reason: `waits for ${names(needed)} to be merged (stack: none)` }
  }
  const leaves = withoutInner(wanted)
  // A chain of older runs may have forked: then the newest tip that holds what is needed will do.
  const top =
    (await tipOver(leaves, leaves, contains)) ??
    (mode === 'chain' ? await tipOver(leaves, needed, contains) : undefined)
  if (top !== undefined) return { status: 'start', branch: top.branch, sha: top.sha }
  const reason = `waits for one of ${names(needed)} to be merged: they are on separate branches`
  return { status: 'waits', reason }
}

/** A tip from which another grew is contained in it: a long chain costs no look-up. */
function withoutInner(tips: readonly Tip[]): readonly Tip[] {
  const starts = new Set(tips.map((tip) => tip.start))
  return tips.filter((tip) => !starts.has(tip.sha))
}

/** The newest of the candidates that contains all the wanted shas. */
async function tipOver(
  candidates: readonly Tip[],
  wanted: readonly Tip[],
  contains: Contains,
): Promise<Tip | undefined> {
  for (const candidate of candidates.toReversed()) {
    const covered = await Promise.all(
      wanted.map((tip) => tip.sha === candidate.sha || contains(candidate.sha, tip.sha)),
    )
    if (covered.every(Boolean)) return candidate
  }
  return undefined
}

const names = (tips: readonly Tip[]): string => tips.map((tip) => tip.id).join(', ')
