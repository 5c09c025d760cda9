import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Task } from '../../core/domain/task.ts'
import type { TestFailure } from '../../core/domain/test-report.ts'
import type { Message } from '../../core/ports/model.ts'
import { fenced } from '../../text/markdown/neutralise.ts'
import { clip } from '../../text/words/words.ts'
import { askForFiles, promptOf, replyFormat, shortenFile, showFiles } from './compose-prompt.ts'
import { chooseLesson } from './examples/choose-lesson.ts'
import { editOnly, lessonTurns } from './examples/lessons.ts'
import { tellUseless } from './repair-code.ts'

/** The first failures of each file say most; the rest usually follow from them. */
const shownFailures = 3
/** In characters, of the names of the rest. */
const longestNames = 240
const messageLimit = 600

/** A repair from parsed failures and only the relevant source. */
export function repairTestPrompt(input: {
  readonly task: Pick<Task, 'id' | 'title'>
  readonly failures: readonly TestFailure[]
  readonly files: readonly ContextFile[]
  readonly form: AnswerForm
  /** The files that the change has written, apart from tests that may not change. */
  readonly targets: readonly string[]
  /** Lines of the failing test, which are read-only. */
  readonly testExcerpt: string
  /** Failing tests that the attempt wrote itself: they may be wrong, too. */
  readonly own?: readonly string[]
  /** The fix that solved the first failure before: `old line → new line`. */
  readonly knownFix?: string | null
  /** The changes of the previous repair, when the tests still fail. */
  readonly useless?: string | null
  /** Why earlier changes failed, in the model's own words. */
  readonly reflection?: string
}): readonly Message[] {
  const { files, form } = input
  const paths = files.map(({ path }) => path)
  const sections = [
    input.testExcerpt === '' ? '' : `THE TEST (read only)\n${fenced(input.testExcerpt)}`,
    `FILES\n${showFiles(files)}`,
    `Your change for task ${input.task.id} (${input.task.title}) breaks tests. ${whatToChange(input)}`,
    showFailures(input.failures),
    input.knownFix == null ? '' : `The same was mended before in this way: ${input.knownFix}`,
    input.useless == null ? '' : tellUseless(input.useless),
    input.reflection ?? '',
    askForFiles(input.targets, form),
  ]
  const task = { title: '', details: '', files: paths }
  const lesson = chooseLesson({ task, plan: null, map: '', files })
  return promptOf(replyFormat(form), sections, lessonTurns(editOnly(lesson), form))
}

function whatToChange({ own = [], failures }: Parameters<typeof repairTestPrompt>[0]): string {
  if (own.length === 0) return 'Change the code so that they pass. Never change a failing test.'
  const others = failures.some(({ file }) => file !== null && !own.includes(file))
  const never = others ? 'Never change another failing test, nor weaken one.' : 'Never weaken it.'
  return `Change the code so that they pass, or ${own.join(', ')}, which you wrote, where it is wrong. ${never}`
}

/** The first failures of each file, with the words of their assertions, and the names of the rest. */
export function showFailures(failures: readonly TestFailure[]): string {
  const seen = new Map<string | null, number>()
  const ranked = failures
    .map((failure) => {
      const earlier = seen.get(failure.file) ?? 0
      seen.set(failure.file, earlier + 1)
      return { failure, earlier }
    })
    .toSorted((a, b) => a.earlier - b.earlier)
    .map(({ failure }) => failure)
  const rest = ranked.slice(shownFailures).map(({ test }) => test)
  const more =
    rest.length > 0 ? [`… and ${rest.length} more: ${clip(rest.join(', '), longestNames)}`] : []
  return [...ranked.slice(0, shownFailures).map(showFailure), ...more].join('\n\n')
}

function showFailure(failure: TestFailure): string {
  const place = failure.file === null ? '' : ` (${failure.file}:${failure.line ?? '?'})`
  const type = failure.errorType === null ? '' : `${failure.errorType}: `
  const lines = [
    `FAILED ${failure.test}${place}`,
    `${type}${shortenFile(failure.message, messageLimit)}`,
    failure.expected === null ? '' : `expected: ${shortenFile(failure.expected, messageLimit)}`,
    failure.actual === null ? '' : `actual: ${shortenFile(failure.actual, messageLimit)}`,
    failure.trace.length === 0 ? '' : `at ${failure.trace.slice(0, 3).join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}
