import type { Roadmap, RoadmapProblem, TaskMark } from '../../core/domain/task.ts'
import { type ReadOptions, readRoadmap } from '../document/read-roadmap.ts'
import { withBoxes } from './tick-unboxed.ts'

/**
 * The tasks of a document, told by boxes, by signs, or by words that a model marked: what a run works
 * on, and what `parse`, `plan` and `lint` show. `text` has a box for each of them.
 */
export function readDocument(
  document: string,
  options: ReadOptions = {},
  known: readonly TaskMark[] = [],
): { readonly text: string; readonly roadmap: Roadmap } {
  const { text, marks } = withBoxes(document, known)
  const { tasks, problems } = readRoadmap(text, options)
  const unclear = [...marks].flatMap(([line, { isUnclear }]) => (isUnclear ? [unread(line)] : []))
  const all = [...problems, ...unclear].sort((a, b) => a.line - b.line || a.column - b.column)
  return { text, roadmap: { tasks, problems: all } }
}

const unread = (line: number): RoadmapProblem => ({
  rule: 'unread-status',
  severity: 'note',
  line,
  column: 1,
  message: `Line ${line} has a status that is none we know: its task waits as if it were blocked.`,
  fix: 'Write done, in progress, planned, blocked or skipped.',
})
