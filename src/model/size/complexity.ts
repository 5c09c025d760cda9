/** How large a task is: by its words before it is planned, and by its plan. */

import { findNamedCode, isTestFile } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { estimateTokens, looksLikePath, tellingWords } from '../../../packages/text/text.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { ContextFile, Plan, PlanPart } from '../../core/domain/attempt.ts'
import type { MeasuredForms, Share } from '../../core/domain/calibration.ts'
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

/**
 * In tokens, of a file that is asked for whole: weak models cannot copy lines exactly, and up to this length an edit
 * saves less than the answer that it loses (docs/performance.md, a real weak model).
 */
const small = 800

/** In tokens, of files that are asked for whole where edits of them are seldom usable: five minutes of a slow laptop. */
export const longestWhole = 3_000

/** Fewer usable edits than this share lose more answers than whole files cost. */
const usableEnough = 0.7

/** True when too few of the measured edits could be used; false where nothing was measured. */
export const isWeakAt = (share: Share | undefined): boolean =>
  share !== undefined && share.of > 0 && share.good / share.of < usableEnough

/**
 * The form in which the change of these files is asked for: whole, unless a file that the answer may change is long or
 * is not shown in full. A model whose edits were seldom usable sends longer files whole, too.
 *
 * @param targets the files to write; without any, every file shown that is no test
 * @param configured `model-options.form`, which wins wherever the files are shown in full
 * @param measured the model's usable answers by form, as far as `executor calibrate` measured them
 */
export function chooseForm(
  files: readonly ContextFile[],
  targets: readonly string[],
  configured: AnswerForm | null,
  measured: MeasuredForms = {},
): AnswerForm {
  const asked = files.filter(({ path }) =>
    targets.length > 0 ? targets.includes(path) : !isTestFile(path),
  )
  if (asked.some(({ whole }) => !whole)) return configured === 'function' ? 'function' : 'edits'
  if (configured !== null) return configured
  const tokens = asked.map(({ text }) => estimateTokens(text))
  if (tokens.every((each) => each <= small)) return 'whole'
  const all = tokens.reduce((sum, each) => sum + each, 0)
  return isWeakAt(measured.edits) && all <= longestWhole ? 'whole' : 'edits'
}

/** The form to try after one that could not be used: whole files that are shown in full and not too long, else functions. */
export function otherForm(form: AnswerForm, files: readonly ContextFile[]): AnswerForm {
  if (form !== 'edits') return form
  const code = files.filter(({ path }) => !isTestFile(path))
  const mayBeWhole = code.every(({ whole, text }) => whole && estimateTokens(text) <= longestWhole)
  return mayBeWhole ? 'whole' : 'function'
}

/** In tokens: new code in a file, and a file that is new. */
const newCode = 2_000

/**
 * The longest answer that a request for these files can need: each file twice (an edit quotes what it replaces) and as
 * much new code as one task adds; nothing where it is open which files will be written.
 */
export function answerRoom(
  files: readonly Pick<ContextFile, 'path' | 'text'>[],
  targets: readonly string[],
): { readonly maxOutputTokens?: number } {
  if (targets.length === 0) return {}
  const sizes = targets.map((target) => {
    const shown = files.find(({ path }) => path === target)
    return newCode + 2 * estimateTokens(shown?.text ?? '')
  })
  return { maxOutputTokens: sizes.reduce((sum, size) => sum + size, 0) }
}
