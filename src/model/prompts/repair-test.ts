import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Task } from '../../core/domain/task.ts'
import type { TestFailure } from '../../core/domain/test-report.ts'
import type { Message } from '../../core/ports/model.ts'
import { fenced } from '../../text/markdown/neutralise.ts'
import { promptOf, replyFormat, shortenFile, showFiles } from './compose-prompt.ts'
import { chooseLesson } from './examples/choose-lesson.ts'
import { editOnly, lessonTurns } from './examples/lessons.ts'
import { tellUseless } from './repair-code.ts'

/** The first failures say most; the rest usually follow from them. */
const shownFailures = 3
const messageLimit = 600

/** A repair from parsed failures and only the relevant source. */
export function repairTestPrompt(input: {
  readonly task: Pick<Task, 'id' | 'title'>
  readonly failures: readonly TestFailure[]
  readonly files: readonly ContextFile[]
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
  const sections = [
    `Your change for task ${input.task.id} (${input.task.title}) breaks tests. ${whatToChange(input)}`,
    showFailures(input.failures),
    input.testExcerpt === '' ? '' : `THE TEST (read only)\n${fenced(input.testExcerpt)}`,
    `FILES\n${showFiles(input.files)}`,
    input.knownFix == null ? '' : `The same was mended before in this way: ${input.knownFix}`,
    input.useless == null ? '' : tellUseless(input.useless),
    input.reflection ?? '',
  ]
  const { files } = input
  const task = { title: '', details: '', files: files.map(({ path }) => path) }
  const lesson = chooseLesson({ task, plan: null, map: '', files })
  return promptOf(replyFormat, sections, lessonTurns(editOnly(lesson)))
}

function whatToChange({ own = [], failures }: Parameters<typeof repairTestPrompt>[0]): string {
  if (own.length === 0) return 'Change the code so that they pass. Never change a failing test.'
  const others = failures.some(({ file }) => file !== null && !own.includes(file))
  const never = others ? 'Never change another failing test, nor weaken one.' : 'Never weaken it.'
  return `Change the code so that they pass, or ${own.join(', ')}, which you wrote, where it is wrong. ${never}`
}

/** The first failures, with the words of their assertions. */
export function showFailures(failures: readonly TestFailure[]): string {
  const more = failures.length - shownFailures
  const shown = failures.slice(0, shownFailures).map(showFailure)
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n\n')
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
