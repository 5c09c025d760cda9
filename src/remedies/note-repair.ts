import { contentAfter } from '../domain/change-set.ts'
import type { CodeProblem } from '../domain/problem.ts'
import type { Attempt, Draft } from '../domain/run-state.ts'
import type { TriedRemedy } from '../domain/step-error.ts'
import { classifyProblem } from './classify-step.ts'
import { mayTry } from './remedy-table.ts'
import { signatureOf } from './signature.ts'

/** Characters of a line that is worth remembering. */
const longestLine = 120

/** The name of a problem: the same in another file, with other names, is the same. */
export function problemSignature(problem: CodeProblem): string {
  const { type, line } = classifyProblem(problem)
  const tool = /\.([A-Za-z0-9]{1,8})$/.exec(problem.path)?.[1] ?? ''
  return signatureOf({ type, tool, message: line })
}

/** What was asked for, as remedies of which the next validation says whether they worked. */
export function noteRepair(attempt: Attempt, repaired: Draft): readonly TriedRemedy[] {
  const { remedies, problems, draft } = attempt
  const [first] = problems
  if (first === undefined) return remedies
  const { type, line: message } = classifyProblem(first)
  const about = { node: 'repair_code', type, signature: problemSignature(first), message }
  const tried = { ...about, subject: '', worked: null }
  if (draft?.isCut && mayTry(remedies, type, 'smaller_scope')) {
    return [...remedies, { ...tried, strategy: 'smaller_scope', fix: 'one file at a time' }]
  }
  const fix = fixIn(first.path, draft, repaired)
  if (fix === null || !mayTry(remedies, type, 'ask_again')) return remedies
  return [...remedies, { ...tried, strategy: 'ask_again', fix }]
}

/** Remedies of a repair worked when their problem is gone. */
export function settleRepairs(
  { remedies }: Attempt,
  problems: readonly CodeProblem[],
): readonly TriedRemedy[] {
  const left = problems.map(problemSignature)
  return remedies.map((each) =>
    each.node === 'repair_code' && each.worked === null
      ? { ...each, worked: !left.includes(each.signature) }
      : each,
  )
}

/** A repair that is one line in the place of another says all there is to know. */
function fixIn(path: string, before: Draft | null, after: Draft): string | null {
  const [old, now] = [before, after].map((draft) => linesOf(path, draft))
  if (old === undefined || now === undefined || old.length !== now.length) return null
  const places = old.flatMap((line, index) => (line === now[index] ? [] : [index]))
  const [place = -1] = places
  const [from = '', to = ''] = [old[place]?.trim(), now[place]?.trim()]
  if (places.length !== 1 || from === '' || to === '') return null
  return Math.max(from.length, to.length) > longestLine ? null : `${from} → ${to}`
}

function linesOf(path: string, draft: Draft | null): readonly string[] | undefined {
  const change = draft?.changes.find((each) => each.path === path)
  return change === undefined ? undefined : contentAfter(change)?.split('\n')
}
