import { isTestFile } from '../../../packages/source/source.ts'
import { estimateTokens } from '../../../packages/text/text.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { MeasuredForms, Share } from '../../core/domain/calibration.ts'

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
