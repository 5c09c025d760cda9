import type { TestFailure } from '../../../packages/judge/judge.ts'
import type { Task } from '../../../packages/task/task.ts'
import { clip, fenced } from '../../../packages/text/text.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { askForFiles, promptOf, replyFormat, shortenFile, showFiles } from './compose-prompt.ts'
import { chooseLesson, editOnly, lessonTurns } from './examples/lessons.ts'
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
  /** Sentences about files that earlier answers changed and the task may not change. */
  readonly leftOut?: readonly string[]
}): readonly Message[] {
  const { files, form } = input
  const paths = files.map(({ path }) => path)
  const sections = [
    input.testExcerpt === '' ? '' : `THE TEST (read only)\n${fenced(input.testExcerpt)}`,
    `FILES\n${showFiles(files)}`,
    `Your change for task ${input.task.id} (${input.task.title}) breaks tests. ${whatToChange(input)}`,
    showFailures(input.failures),
    tellCircle(input.failures, files),
    input.knownFix == null ? '' : `The same was mended before in this way: ${input.knownFix}`,
    input.useless == null ? '' : tellUseless(input.useless),
    tellLeftOut(input.leftOut ?? []),
    input.reflection ?? '',
    askForFiles(input.targets, form),
  ]
  const task = { title: '', details: '', files: paths }
  const lesson = chooseLesson({ task, plan: null, map: '', files })
  return promptOf(replyFormat(form), sections, lessonTurns(editOnly(lesson), form))
}

/** Tells the model what was left out of its answer, without the advice to a person; empty for nothing. */
export function tellLeftOut(sentences: readonly string[]): string {
  const told = sentences.map((sentence) => sentence.replace(/; a writer can grant it .*$/s, ''))
  return told.length === 0 ? '' : `${told.join('. ')}. Make the tests pass without such a file.`
}

const circle =
  /partially initialized module|circular (?:import|dependency)|import cycle not allowed|require\(\) es module .* in a cycle/i
const tooEarly = /Cannot access '(\w+)' before initialization/

const apart = 'or move what both need into a file of its own.'
const remedies: readonly (readonly [RegExp, string])[] = [
  [/\.py$/, `Import it inside the function that uses it, not at the top of the file, ${apart}`],
  [/\.go$/, 'Move what both packages need into one that imports neither.'],
  [/(?:)/, `Use it only inside functions, not while the file loads, ${apart}`],
]

/** Tells the remedy for files that import each other, one of which is used before it has loaded; empty for others. */
function tellCircle(failures: readonly TestFailure[], files: readonly ContextFile[]): string {
  const isImported = (name: string | undefined): boolean => {
    const imports = new RegExp(`\\bimport\\b[^;]*\\b${name}\\b[^;]*\\bfrom ['"]\\.`)
    return name !== undefined && files.some(({ text }) => imports.test(text))
  }
  const isCircle = failures.some(
    ({ message }) => circle.test(message) || isImported(tooEarly.exec(message)?.[1]),
  )
  if (!isCircle) return ''
  const [, remedy] = remedies.find(([is]) => files.some(({ path }) => is.test(path))) ?? ['', '']
  return `The files import each other, and one is used before it has loaded. ${remedy}`
}

function whatToChange({ own = [], failures }: Parameters<typeof repairTestPrompt>[0]): string {
  if (own.length === 0) return 'Change the code so that they pass. Never change a failing test.'
  const others = failures.some(({ file }) => file !== null && !own.includes(file))
  const never = others ? 'Never change another failing test, nor weaken one.' : 'Never weaken it.'
  return `Change the code so that they pass, or ${own.join(', ')}, which you wrote, where it is wrong. ${never}`
}

/**
 * The first failures of each file, with the words of their assertions, and the names of the rest.
 *
 * @param sources texts by path: of a failure in one of them, the line that fails is shown
 */
export function showFailures(failures: readonly TestFailure[], sources: Sources = none): string {
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
  const shown = ranked.slice(0, shownFailures).map((failure) => showFailure(failure, sources))
  return [...shown, ...more].join('\n\n')
}

type Sources = ReadonlyMap<string, string>
const none: Sources = new Map()

function showFailure(failure: TestFailure, sources: Sources): string {
  const { errorType, expected, actual, trace } = failure
  const place = failure.file === null ? '' : ` (${failure.file}:${failure.line ?? '?'})`
  const statement = failingStatement(failure, sources)
  // The values are below; what the runner draws of their difference only costs tokens.
  const isCompared = statement !== '' && expected !== null && actual !== null
  const message = isCompared ? (failure.message.split('\n', 1)[0] ?? '') : failure.message
  const type = errorType === null || message.startsWith(errorType) ? '' : `${errorType}: `
  const lines = [
    `FAILED ${failure.test}${place}`,
    statement,
    `${type}${shortenFile(message, messageLimit)}`,
    expected === null ? '' : `expected: ${shortenFile(expected, messageLimit)}`,
    actual === null ? '' : `actual: ${shortenFile(actual, messageLimit)}`,
    statement !== '' || trace.length === 0 ? '' : `at ${trace.slice(0, 3).join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** A statement over more lines is clear from its first ones. */
const statementLines = 4

/** The statement of a test that fails: from its line to where its brackets close. */
function failingStatement({ file, line, trace }: TestFailure, sources: Sources): string {
  const places = [...trace.map((frame) => frame.split(':')), [file ?? '', String(line)]]
  const found = places.find(([path = '', at]) => sources.has(path) && Number(at) > 0)
  if (found === undefined) return ''
  const [path = '', at] = found
  const lines = (sources.get(path) ?? '').split('\n').slice(Number(at) - 1)
  const shown: string[] = []
  for (const text of lines.slice(0, statementLines)) {
    shown.push(text.trim())
    const sofar = shown.join('\n')
    const opened = sofar.match(/[([{]/g)?.length ?? 0
    if (opened <= (sofar.match(/[)\]}]/g)?.length ?? 0)) break
  }
  return shown.join('\n')
}
