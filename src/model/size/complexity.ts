/** How large a task is: by its words before it is planned, and by its plan. */

import { findNamedCode } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { looksLikePath, tellingWords } from '../../../packages/text/text.ts'
import type { Plan, PlanPart } from '../../core/domain/attempt.ts'
import type { Complexity, TaskShape, TaskSize } from '../../core/domain/route.ts'
import { manyFiles } from '../../core/history/routing.ts'

/** Fewer telling words beside paths do not say what to do. */
const fewWords = 3
/** More than one change usually says. */
const manyWords = 120
const manySubtasks = 5

/** Files, apart from tests, that the task names or creates, and its telling words beside them, decide its size. */
export function sizeTask(task: Task, paths: readonly string[]): TaskSize {
  const files = findNamedCode(task, paths).files.length
  const words = countWords(`${task.title}\n${task.details}`)
  return { shape: shapeOf(files, words), complexity: complexityOf(task, files, words) }
}

function shapeOf(files: number, words: number): TaskShape {
  if (files === 0) return 'no_file'
  if (files >= manyFiles) return 'many_files'
  if (words < fewWords) return 'few_words'
  return files === 1 ? 'one_file' : 'few_files'
}

function complexityOf({ subtasks }: Task, files: number, words: number): Complexity {
  const isHigh = files >= manyFiles || words >= manyWords || subtasks.length >= manySubtasks
  if (isHigh) return 'high'
  return files <= 1 && words < manyWords / 3 && subtasks.length === 0 ? 'low' : 'medium'
}

function countWords(text: string): number {
  const words = text.split(/[\s`,;:()]+/).filter((word) => !looksLikePath(word, 'marked'))
  return tellingWords(words.join(' ')).length
}

/** A change of more files than this is not one task. */
const mostFiles = 12
/** A plan with this many steps that share no file and need no other is a list of tasks. */
const mostAlone = 6

/**
 * Returns why a plan is more than one task, or `null`. Only a plan of high complexity is: one that changes more than
 * 12 files, or that has 6 steps or more which share no file with another and need none.
 */
export function whyTooComplex({ complexity, files, parts = [] }: Plan): string | null {
  if (complexity !== 'high') return null
  if (files.length > mostFiles) {
    return `the plan changes ${files.length} files, more than ${mostFiles}`
  }
  const alone = parts.filter((part) => standsAlone(part, parts)).length
  return alone >= mostAlone
    ? `the plan has ${alone} steps that share no file and do not need each other`
    : null
}

const standsAlone = ({ id, files, needs }: PlanPart, parts: readonly PlanPart[]): boolean =>
  files.length > 0 &&
  needs.length === 0 &&
  parts.every(
    (other) =>
      other.id === id ||
      (!other.needs.includes(id) && !other.files.some((file) => files.includes(file))),
  )
