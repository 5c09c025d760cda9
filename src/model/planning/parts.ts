import { contentAfter } from '../../../packages/change/change.ts'
import { showText, tellingWords } from '../../../packages/text/text.ts'
import type { Attempt, ContextFile, Plan, PlanPart } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import type { Ports } from '../../core/ports.ts'
import { firstOf } from '../ask/ask-model.ts'
import { contextBudget } from '../budget/check-budget.ts'
import { ContextBudget, type TokenAllowance } from '../context/context-budget.ts'
import { relevantPart } from '../context/relevant-part.ts'
import { draftPartPrompt } from '../prompts/draft-part.ts'

/**
 * Returns the parts that are asked for one by one: of a complex plan, two or more that share no file. None where a file
 * of the plan is in no part: nothing would ask for it.
 */
export function partsOf(plan: Plan | null): readonly PlanPart[] {
  if (plan?.complexity !== 'high') return []
  const { parts = [] } = plan
  const files = parts.flatMap((part) => part.files)
  const distinct = new Set(files)
  const isWhole = distinct.size === files.length && plan.files.every((path) => distinct.has(path))
  return parts.length > 1 && isWhole && parts.every((part) => part.files.length > 0) ? parts : []
}

/** The part to write next; `null` when the whole change is asked for at once, or all parts are written. */
export function nextPart({ plan, parts: progress }: Attempt): PlanPart | null {
  const done = new Set(progress?.done)
  return partsOf(plan).find(({ id }) => !done.has(id)) ?? null
}

/** The progress before the first part. */
export const untouched = { done: [], refusals: [], again: '' } as const

/** The parts that this one builds on, those that they build on, and so forth. */
function neededBy(part: PlanPart, parts: readonly PlanPart[]): ReadonlySet<string> {
  const needed = new Set(part.needs)
  // Each part follows what it needs, so one pass from the end finds all.
  for (const { id, needs } of parts.toReversed()) {
    if (needed.has(id)) for (const need of needs) needed.add(need)
  }
  return needed
}

const own: TokenAllowance = { whole: 3_000, outline: 2_000 }
const builtOn: TokenAllowance = { whole: 1_000, outline: 600 }

/**
 * The files to show for a part: its own, then the changed files of the parts that it builds on. Each as the draft has
 * it, else as the attempt's context shows it, else from the start commit.
 */
export async function filesOfPart(
  part: PlanPart,
  { plan, draft, context, start }: Attempt,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<readonly ContextFile[]> {
  const parts = plan?.parts ?? []
  const needed = neededBy(part, parts)
  const changed = new Map((draft?.changes ?? []).map((change) => [change.path, change]))
  const known = new Map(context.map((file) => [file.path, file]))
  const unread = part.files.filter((path) => !known.has(path))
  const texts = await workspace.readFiles(start.sha, unread)
  const budget = new ContextBudget(contextBudget(settings), new Set(tellingWords(part.does)))
  const files: ContextFile[] = []
  // A file too long for an outline is cut to the lines about the part.
  const show = (path: string, raw: string, allowance: TokenAllowance): void => {
    const text = showText(path, raw).text
    const isPlaced = budget.place(path, text, allowance)
    const placed = isPlaced ? budget.files.at(-1) : undefined
    files.push(placed ?? relevantPart(path, text, null, part.does, allowance.outline))
  }
  for (const path of part.files) {
    const change = changed.get(path)
    const file = change === undefined ? known.get(path) : undefined
    const text = change === undefined ? texts.get(path) : contentAfter(change)
    if (file !== undefined) files.push(file)
    else if (text !== undefined) show(path, text, own)
  }
  const others = new Set(parts.filter(({ id }) => !needed.has(id)).flatMap((other) => other.files))
  for (const [path, change] of changed) {
    const text = others.has(path) ? undefined : contentAfter(change)
    if (text !== undefined) show(path, text, builtOn)
  }
  return files
}

/** The request for the next part of the plan; `share`, 1 or less, limits the files shown. */
export async function promptForPart(
  part: PlanPart,
  attempt: Attempt,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<(share: number) => readonly Message[]> {
  const { task, plan, map, recalled, earlier: history = null, parts, refinement } = attempt
  if (plan === null) throw new Error('There is no plan to write a part of.')
  const { done, again } = parts ?? untouched
  const files = await filesOfPart(part, attempt, ports)
  return (share: number) => {
    const shown = firstOf(files, share)
    const about = { task, plan, part, done, map, recalled, refinement }
    return draftPartPrompt({ ...about, files: shown, history, again })
  }
}
