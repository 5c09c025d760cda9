import { diffArrays } from 'diff'
import { type ChangeSet, contentAfter, contentBefore, type FileChange } from './change-set.ts'
import type { DiffStat } from './diff-stat.ts'

/** A file with more differences counts as replaced, every line of it. */
const mostDifferences = 1_500

/** How many files and lines a change touches, as `git diff --shortstat` counts them. */
export function countChanges(changes: ChangeSet): DiffStat {
  const counts = changes.map(countLines)
  const sum = (key: 'added' | 'removed') => counts.reduce((total, each) => total + each[key], 0)
  return { files: changes.length, added: sum('added'), removed: sum('removed') }
}

function countLines(change: FileChange): Omit<DiffStat, 'files'> {
  const before = linesOf(contentBefore(change) ?? '')
  const after = linesOf(contentAfter(change) ?? '')
  const parts = diffArrays([...before], [...after], { maxEditLength: mostDifferences })
  if (parts === undefined) return { added: after.length, removed: before.length }
  const of = (key: 'added' | 'removed') =>
    parts.reduce((total, part) => (part[key] ? total + part.count : total), 0)
  return { added: of('added'), removed: of('removed') }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
