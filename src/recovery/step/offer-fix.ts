/**
 * Offers a fix that solved the same error before. Errors of different causes share their words, so the faulty code
 * must fit as well: at the place that the error names, the line that the fix replaced, but for the names in it.
 */

import type { CodeProblem } from '../../../packages/change/change.ts'
import type { TestFailure } from '../../../packages/judge/judge.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { KnownFix } from '../../core/domain/known-fix.ts'
import type { Memory } from '../../core/ports/memory.ts'
import { failureSignature, isAsserted, problemSignature } from './note-repair.ts'

type Recalls = Pick<Memory, 'recall'>

/** A mistake may precede the line where a parser stumbles. */
const linesBefore = 2

/** The fix that solved this problem before, in one line; `null` for most. */
export async function fixForProblem(
  problem: CodeProblem,
  text: string,
  memory: Recalls,
): Promise<string | null> {
  if (problem.line === 0) return null
  const known = await memory.recall(problemSignature(problem))
  return fits(known, (replaced) =>
    linesUpTo(text, problem.line, linesBefore).some((line) => haveOneForm(replaced, line)),
  )
}

/**
 * The fix that solved this failure before. The message of an error is that of many others: the fix must fit a line of
 * the stack trace or, without one, be for a line that is there verbatim. A failed assertion is known by its test.
 */
export async function fixForFailure(
  failure: TestFailure,
  files: readonly Pick<ContextFile, 'path' | 'text'>[],
  memory: Recalls,
): Promise<string | null> {
  const known = await memory.recall(failureSignature(failure))
  const lines = files.flatMap(({ text }) => text.split('\n'))
  const places = failure.trace.map((frame) => /^(.*):(\d+)$/.exec(frame) ?? [])
  const traced = files.flatMap(({ path, text }) =>
    places.flatMap(([, of, line]) => (of === path ? linesUpTo(text, Number(line), 0) : [])),
  )
  return fits(known, (replaced) => {
    const fitsOne = (line: string) => haveOneForm(replaced, line)
    if (isAsserted(failure)) return lines.some(fitsOne)
    return traced.length > 0 ? traced.some(fitsOne) : lines.some((line) => line.trim() === replaced)
  })
}

/** The line, 1-based, with the lines before it. */
const linesUpTo = (text: string, line: number, before: number): readonly string[] =>
  text.split('\n').slice(Math.max(0, line - 1 - before), line)

function fits(known: KnownFix | null, isFaulty: (replaced: string) => boolean): string | null {
  if (known?.strategy !== 'ask_again' || known.fix === '') return null
  const [replaced = ''] = known.fix.split(' → ')
  return replaced !== '' && isFaulty(replaced) ? known.fix : null
}

/** Words that no author chooses, in the languages whose errors repeat. */
const keywords = new Set(
  (
    'as async await break case catch class const continue def del do elif else except export extends false finally ' +
    'fn for from fun func function go if impl implements import in interface let match mut new nil none null of or ' +
    'and not package pass private protected pub public raise require return self static struct super switch this ' +
    'throw throws trait true try type typeof use using var void while with yield'
  ).split(' '),
)

/** Lines of fewer signs and words occur by chance. */
const leastWords = 3

/** True for lines that differ only in names, each of which stands for one other throughout. */
function haveOneForm(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true
  const [words, others] = [wordsOf(one), wordsOf(other)]
  if (words.length !== others.length || words.length < leastWords) return false
  const [there, back] = [new Map<string, string>(), new Map<string, string>()]
  return words.every((word, at) => {
    const match = others[at] ?? ''
    if (!isName(word) || !isName(match)) return word === match
    const isSame = (there.get(word) ?? match) === match && (back.get(match) ?? word) === word
    there.set(word, match)
    back.set(match, word)
    return isSame
  })
}

const isName = (word: string): boolean =>
  /^[\p{L}_$]/u.test(word) && !keywords.has(word.toLowerCase())

const wordsOf = (line: string): readonly string[] =>
  line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []
