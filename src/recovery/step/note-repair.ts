/** Records repairs as remedies and fixes for later attempts, and chooses those that a prompt shows. */

import {
  type CodeProblem,
  contentAfter,
  contentBefore,
  type Draft,
  type FileChange,
} from '../../../packages/change/change.ts'
import {
  classifiedAs,
  classifyProblem,
  type ErrorType,
  mayTry,
  signatureOf,
} from '../../../packages/diagnosis/diagnosis.ts'
import type { TestFailure } from '../../../packages/judge/judge.ts'
import type { Attempt, TriedRemedy } from '../../core/domain/attempt.ts'

/** Characters of the longest line worth remembering. */
const longestLine = 120

/** Identifies a problem independently of its file and names. */
export function problemSignature(problem: CodeProblem): string {
  const { type, line } = classifyProblem(problem)
  const tool = /\.([A-Za-z0-9]{1,8})$/.exec(problem.path)?.[1] ?? ''
  return signatureOf({ type, tool, message: line })
}

/** Identifies a test's failure. Assertion messages resemble one another, so theirs includes the test's name. */
export function failureSignature(failure: TestFailure): string {
  const { file, test, message } = failure
  const language = /\.([A-Za-z0-9]{1,8})$/.exec(file ?? '')?.[1] ?? ''
  const tool = isAsserted(failure) ? `${language} ${test}` : language
  return signatureOf({ type: 'test_failure', tool, message })
}

/** True when the test itself found the failure. */
export const isAsserted = ({
  expected,
  errorType,
}: Pick<TestFailure, 'expected' | 'errorType'>): boolean =>
  expected !== null || /Assert/.test(errorType ?? '')

/** Errors of the code itself; changes that we refuse teach nothing about code. */
const isOfCode: ReadonlySet<ErrorType> = new Set<ErrorType>(['syntax_error', 'missing_dependency'])

/** Records the requested repairs as remedies; the next validation decides whether they worked. */
export function noteRepair(attempt: Attempt, repaired: Draft): readonly TriedRemedy[] {
  const { remedies, problems, draft } = attempt
  const [first] = problems
  if (first === undefined) return remedies
  const { type, line: message } = classifyProblem(first)
  const tries = describeRepair(draft, repaired)
  const about = {
    node: 'repair_code' as const,
    type,
    signature: problemSignature(first),
    message,
    tried: tries,
  }
  const tried = { ...about, subject: '', worked: null }
  if (draft?.isCut && mayTry(remedies, type, 'smaller_scope')) {
    return [...remedies, { ...tried, strategy: 'smaller_scope', fix: 'one file at a time' }]
  }
  if (!mayTry(remedies, type, 'ask_again')) return remedies
  const fix = isOfCode.has(type) ? fixBetween(draft, repaired) : ''
  return [...remedies, { ...tried, strategy: 'ask_again', fix }]
}

/** True when the last repair of the code sent the faulty code again. */
export function repairedNothing({ remedies }: Pick<Attempt, 'remedies'>): boolean {
  const last = remedies.findLast(({ node }) => node === 'repair_code')
  return last?.worked === false && last.tried === ''
}

/** Records the repair of a failing test; `null` stands for an unusable answer. */
export function noteTestRepair(attempt: Attempt, repaired: Draft | null): readonly TriedRemedy[] {
  const { remedies, broken, draft } = attempt
  const [first] = broken
  const type = 'test_failure'
  if (first === undefined || !mayTry(remedies, type, 'ask_again')) return remedies
  const signature = failureSignature(first)
  const { line: message } = classifiedAs(type, first.message)
  const about = { node: 'repair_test', type, signature, message, subject: '' } as const
  const fix = repaired === null ? '' : fixBetween(draft, repaired)
  const worked = repaired === null ? false : null
  const tried = repaired === null ? '' : describeRepair(draft, repaired)
  return [...remedies, { ...about, strategy: 'ask_again', fix, tried, worked }]
}

/** True for problems that only writing the files can find, so only writing shows whether they are fixed. */
export const foundByWriting = ({ type }: Pick<CodeProblem, 'type'>): boolean =>
  type === 'write' || type === 'write_denied'

/** Marks remedies of a repair as successful when their problem is gone. */
export const settleRepairs = (
  { remedies }: Attempt,
  problems: readonly CodeProblem[],
): readonly TriedRemedy[] => settle('repair_code', remedies, problems.map(problemSignature))

/** Marks remedies of a failing test as successful when it no longer fails, or fails in another way. */
export const settleTestRepairs = (
  { remedies }: Attempt,
  broken: readonly TestFailure[],
): readonly TriedRemedy[] => settle('repair_test', remedies, broken.map(failureSignature))

const settle = (
  where: 'repair_code' | 'repair_test',
  remedies: readonly TriedRemedy[],
  left: readonly string[],
): readonly TriedRemedy[] =>
  remedies.map((each) =>
    each.node === where && each.worked === null
      ? { ...each, worked: !left.includes(each.signature) }
      : each,
  )

/** A repair that replaces one line in one file is a fix worth quoting; empty for any other. */
function fixBetween(before: Draft | null, after: Draft): string {
  const pairs = after.changes.flatMap((change) => changedLines(change, before))
  const [pair] = pairs
  if (pairs.length !== 1 || pair === undefined || pair === 'many') return ''
  const { from, to } = pair
  if (from === '' || to === '' || Math.max(from.length, to.length) > longestLine) return ''
  return `${from} → ${to}`
}

interface LinePair {
  readonly from: string
  readonly to: string
}

/** `many` when lines were added or removed. */
function changedLines(change: FileChange, before: Draft | null): readonly (LinePair | 'many')[] {
  const earlier = before?.changes.find(({ path }) => path === change.path)
  const [old, now] = [
    earlier === undefined ? contentBefore(change) : contentAfter(earlier),
    contentAfter(change),
  ]
  if (old === now) return []
  const [olds = [], nows = []] = [old?.split('\n'), now?.split('\n')]
  if (olds.length !== nows.length) return ['many']
  return olds.flatMap((line, index) => {
    const other = nows[index] ?? ''
    return line === other ? [] : [{ from: line.trim(), to: other.trim() }]
  })
}

const mostLines = 6

/** The lines that a repair removed and added, a few of each; empty when it changed nothing. */
function describeRepair(before: Draft | null, after: Draft): string {
  const lines = after.changes.flatMap((change) => {
    const earlier = before?.changes.find(({ path }) => path === change.path)
    const old = (earlier === undefined ? contentBefore(change) : contentAfter(earlier)) ?? ''
    const [olds, nows] = [old.split('\n'), (contentAfter(change) ?? '').split('\n')]
    return [...without(olds, nows, '- '), ...without(nows, olds, '+ ')]
  })
  return lines.join('\n')
}

function without(lines: readonly string[], others: readonly string[], sign: string): string[] {
  const known = new Set(others)
  const own = lines.filter((line) => line.trim() !== '' && !known.has(line))
  return own.slice(0, mostLines).map((line) => `${sign}${line.slice(0, longestLine)}`)
}

/** The last repair of this kind when it did not help; `null` when it did, or when there was none. */
export function uselessRepair(
  { remedies }: Attempt,
  node: 'repair_code' | 'repair_test',
): string | null {
  const last = remedies.findLast((each) => each.node === node)
  return last?.worked === false && last.tried ? last.tried : null
}
