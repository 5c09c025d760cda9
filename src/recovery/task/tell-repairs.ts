import { clip, oneLine } from '../../../packages/text/text.ts'
import type { Attempt, TriedRemedy } from '../../core/domain/attempt.ts'

const mostRepairs = 8
const longestLine = 160

/** One line for each of the last eight repairs of an attempt, oldest first: the problem, whether it was solved, and by what. */
export function tellRepairs({ remedies, loop }: Pick<Attempt, 'remedies' | 'loop'>): string[] {
  const inLoop = (loop?.turns ?? [])
    .filter(({ tool, isOk }) => !isOk && (tool === 'write_diff' || tool === 'run_tests'))
    .map(({ tool, summary }) => `${tool}: ${summary}`)
  const all = [...remedies.filter(isRepair).map(tellRemedy), ...inLoop]
  return all.slice(-mostRepairs).map(inOneLine)
}

export const isRepair = ({ node }: TriedRemedy): boolean =>
  node === 'repair_code' || node === 'repair_test'

export function tellRemedy({ message, fix, tried = '', worked }: TriedRemedy): string {
  const what = fix || tried
  const how = worked === true ? 'solved' : 'not solved'
  return `${message.replace(/[.:]$/, '')}: ${how}${what === '' ? '' : ` by ${what}`}`
}

export const inOneLine = (text: string): string => clip(oneLine(text), longestLine)
