/**
 * Explains from the available evidence why something failed: how a command ended and its output, a
 * system error's code, a response's status, the end of a model's answer. Why a whole task failed is
 * explained by `recovery/classify-by-pattern.ts`.
 */

import { oneLine, terminalText } from '../text/text.ts'
import type { CommandFault, Diagnosis } from './command-fault.ts'
import { notFound, notRunnable } from './exit-codes.ts'
import {
  behindShim,
  errorPatterns,
  failedTests,
  installOf,
  lacks,
  missingPrograms,
  ownFile,
} from './patterns.ts'
import type { ClassifiedError, ErrorType, Remedy, Tried } from './step-error.ts'

/** How many characters of output are read, half of them from each end. */
const mostOutput = 200_000
const longestShown = 240

/** How a command ended; `null` where it never started or was killed. */
interface CommandEnd {
  readonly exitCode: number | null
  readonly timedOut: boolean
}

/** Returns `null` for a command that succeeded. */
export function classifyCommand(
  { exitCode, timedOut }: CommandEnd,
  output: string,
): ClassifiedError | null {
  if (timedOut || exitCode === 124) return classifiedAs('timeout', '')
  if (exitCode === 0) return null
  const lines = linesOf(output)
  const failing = lines.find((line) => failedTests.some((words) => words.test(line)))
  if (failing !== undefined) return classifiedAs('test_failure', failing)
  const known = classifyLines(lines)
  if (known !== null) return known
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  if (exitCode === notFound)
    return { ...classifiedAs('missing_dependency', last), isWrongCommand: true }
  return classifiedAs(exitCode === notRunnable ? 'permission_denied' : 'unknown', last)
}

/** Classifies a text about an error: git's stderr, the reason of a refusal. */
export function classifyText(text: string): ClassifiedError {
  const lines = linesOf(text)
  const status = /\banswered (\d{3})\b/.exec(text)?.[1]
  const byStatus = status === undefined ? null : classifyStatus(Number(status), text)
  return byStatus ?? classifyLines(lines) ?? classifiedAs('unknown', lines[0] ?? '')
}

/** Classifies a response of a model's endpoint or of GitHub; `null` if its status is no error. */
export function classifyStatus(status: number, reason: string): ClassifiedError | null {
  if (status < 400) return null
  const [line = ''] = linesOf(reason)
  if (status === 429 || (status === 403 && /rate limit|too many/i.test(reason))) {
    return classifiedAs('rate_limit', line)
  }
  if (status === 401 || status === 403) return classifiedAs('permission_denied', line)
  if (status === 404) return classifiedAs('file_not_found', line)
  if (status === 408 || status === 504) return classifiedAs('timeout', line)
  if (status === 409) return classifiedAs('git_conflict', line)
  return classifiedAs(status >= 500 ? 'model_error' : 'validation', line)
}

/** Classifies a problem of a change, as the parsers and the gate report it. */
export function classifyProblem({ type, message }: Record<'type' | 'message', string>) {
  const known = Object.hasOwn(problemTypes, type) ? problemTypes[type] : undefined
  return classifiedAs(known ?? 'validation', message)
}

const problemTypes: Readonly<Record<string, ErrorType>> = {
  syntax: 'syntax_error',
  encoding: 'syntax_error',
  import: 'missing_dependency',
  reply: 'model_error',
  expected_file: 'model_error',
  elision: 'model_error',
  placeholder: 'model_error',
  protected: 'permission_denied',
  write_denied: 'permission_denied',
  scope: 'permission_denied',
  tests: 'permission_denied',
}

/** An error of this type, with its first remedy. */
export function classifiedAs(type: ErrorType, line: string): ClassifiedError {
  const [first = ''] = plainText(line.slice(0, longestLine)).split('\n')
  const shown = first.trim().slice(0, longestShown)
  const severity = type === 'rate_limit' || type === 'network' ? 'warning' : 'error'
  const recoverable = firstRemedy(type) !== 'give_up'
  return {
    ...{ type, severity, recoverable, strategy: firstRemedy(type) },
    ...{ line: shown, isWrongCommand: false, program: null },
  }
}

function classifyLines(lines: readonly string[]): ClassifiedError | null {
  for (const { type, words, isWrongCommand = false } of errorPatterns) {
    const line = lines.find((each) => words.some((pattern) => pattern.test(each)))
    if (line === undefined) continue
    const program = words === missingPrograms ? missingProgramIn(line) : null
    const strategy = isWrongCommand ? 'correct_command' : firstRemedy(type)
    return { ...classifiedAs(type, line), isWrongCommand, program, strategy }
  }
  return null
}

function linesOf(output: string): readonly string[] {
  const half = mostOutput / 2
  const read =
    output.length <= mostOutput ? output : `${output.slice(0, half)}\n${output.slice(-half)}`
  return plainText(read)
    .split('\n')
    .map((line) => line.slice(0, longestLine))
}

/** Finds what an output says this machine lacks, or `null`. */
export function findLack(output: string): Diagnosis | null {
  for (const text of output.split('\n')) {
    const start = text.slice(0, longestLine)
    const found = setUpFailed(start.trim().slice(0, longestShown))
    const program = missingProgramIn(start)
    if (program !== null) return { ...found, lacks: program, install: installOf(program) }
    for (const [words, install] of lacks) {
      const known = words.exec(start)
      if (known !== null) return { ...found, lacks: known.groups?.name ?? null, install }
    }
  }
  return null
}

/** Something that the tests need is missing, and nothing names it. */
export const setUpFailed = (message: string): Diagnosis => ({
  ...{ kind: 'set-up', message, file: null, line: null, lacks: null, install: null },
})

/** The program that a line of output reports as missing, or `null`. */
export function missingProgramIn(line: string): string | null {
  for (const message of missingPrograms) {
    const name = message.exec(line)?.groups?.name
    if (name !== undefined) return name
  }
  return null
}

/** The program whose absence ended a command; `a program` when it is unnamed. */
function programLacking(exitCode: number | null, output: string): string | null {
  if (exitCode === 0) return null
  const named = output.split('\n').map(missingProgramIn)
  // Python ran, and reports that its pytest is missing.
  if (exitCode !== notFound) return named.find((name) => name === 'pytest') ?? null
  const name = named.find((each) => each !== null) ?? behindShim.exec(output)?.[1]
  return name ?? (ownFile.test(output) ? null : 'a program')
}

/** Explains why a command failed; `undefined` for one that succeeded. */
export function diagnoseCommand(end: CommandEnd, tail: string): CommandFault | undefined {
  const { exitCode } = end
  if (exitCode === 0) return undefined
  const program = programLacking(exitCode, tail)
  return { program, lack: findLack(tail), error: classifyCommand(end, tail) }
}

/** Limits for a signature's message and tool, in characters. */
const longestMessage = 160
const longestTool = 120

/**
 * Identifies an error, so that it is recognized when it recurs: its type, where it occurred (a
 * command, a language), and its message without varying details.
 */
export function signatureOf(error: {
  readonly type: ErrorType
  readonly tool: string
  readonly message: string
}): string {
  const tool = shortTool(oneLine(error.tool))
  return [error.type, tool, withoutParticulars(error.message)].join(' | ')
}

/** The end of a long command tells it from others with the same start. */
const shortTool = (tool: string): string =>
  tool.length <= longestTool
    ? tool
    : `${tool.slice(0, longestTool / 2 - 1)}… ${tool.slice(-longestTool / 2)}`

/** Names of code in messages that do not quote them. */
const bareNames =
  /(?<![\w$.])[\w$.]+(?= is not (?:defined|a function|a constructor|iterable)\b)|(?<=\b(?:undefined|declared and not used): )[\w.]+|(?<![\w$.])[\w$.]+(?=\(\) (?:missing|takes|got)\b)|(?<=\bUndefined variable )\$\w+/g

/** Replaces names, quoted words, paths, hashes and numbers with marks. */
function withoutParticulars(message: string): string {
  const [first = ''] = plainText(message.slice(0, 2000)).trim().split('\n')
  return oneLine(
    first
      .replaceAll(bareNames, '<name>')
      .replaceAll(/(['"`])[^'"`\n]{1,200}\1|[‘“][^’”\n]{1,200}[’”]/g, '<quoted>')
      .replaceAll(/(?:[A-Za-z]:)?[\w.@~+-]*(?:[\\/][\w.@~+-]+)+[\\/]?/g, '<path>')
      .replaceAll(
        /\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|json|toml|ya?ml|md)\b/g,
        '<path>',
      )
      .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, '<hash>')
      .replaceAll(/\d+/g, '<n>'),
  ).slice(0, longestMessage)
}

/** All control characters except tab and line feed. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Returns a text as a terminal shows it: without colours, concealed or overwritten words, and
 * control characters; line feeds only.
 */
export const plainText = (text: string): string =>
  /[\b\r\u001B\u009B]/.test(text)
    ? terminalText(text).replace(controls, '')
    : text.replace(controls, '')

/** Lines that say nothing: empty ones, npm's and Maven's hints for more, stack frames of Node. */
const empty: readonly RegExp[] = [
  /^[\s{}]*$/,
  /^npm error (?:\d+\s*$|A complete log of this run )/,
  /^\[ERROR\] (?:$|To see the full |Re-run Maven |For more information |\[Help )/,
  /^\s+at .{1,400}:\d+:\d+\)?(?: \{)?$|^Node\.js v\d/,
]

/** Returns the last lines of an output that say anything. */
export const lastLines = (output: string, most: number): readonly string[] =>
  plainText(output)
    .split('\n')
    .filter((line) => !empty.some((words) => words.test(line)))
    .slice(-most)

/** Lines longer than this are data, not messages. */
export const longestLine = 1000

export const messageLines = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.length <= longestLine)

/** A remedy and what it does about this type of error: a cell of the table in docs/reliability.md. */
type Row = readonly [remedy: Remedy, words: string]

const dropped: Row = ['roll_back', 'the attempt ends and its separate folder is discarded']

/**
 * The remedies for each error type, in order; after the last one the task fails with a reason.
 * `test/recovery/remedy-table.test.ts` runs each row through the code that performs it.
 */
export const remedyTable: Readonly<Record<ErrorType, readonly [Row, ...Row[]]>> = {
  syntax_error: [['ask_again', 'ask again with the error and the code around it'], dropped],
  test_failure: [['ask_again', 'ask again with the failures and the code they point to'], dropped],
  model_error: [
    [
      'ask_again',
      'ask again with the problem: an empty answer, the wrong format, a promised file missing',
    ],
    [
      'smaller_scope',
      'ask for one file at a time after a truncated answer; send half the context after a request that was too long',
    ],
    ['back_off', 'after a 5xx: retry with growing delays'],
  ],
  validation: [
    ['ask_again', 'ask again with the problem: a path, a file name that cannot be written, a size'],
    ['smaller_scope', 'show less of files that are too large'],
    ['correct_command', 'correct the command when a program rejects an option'],
  ],
  missing_dependency: [
    ['correct_command', 'correct the command when the program does not exist'],
    ['ask_again', 'ask again when an import cannot be resolved'],
  ],
  file_not_found: [
    ['create_directory', 'create the directory (setup command)'],
    ['correct_command', 'correct the command when a script or folder does not exist'],
  ],
  permission_denied: [
    ['ask_again', 'leave the file out; ask for another place when nothing else would be left'],
    dropped,
  ],
  network: [
    ['back_off', 'retry with growing delays; an installation at most three times in total'],
  ],
  rate_limit: [['back_off', 'retry when the service says, otherwise with growing delays']],
  timeout: [
    ['back_off', 'retry a call or an installation with growing delays'],
    ['smaller_scope', 'send half of the context after a call without data'],
  ],
  git_conflict: [
    [
      'back_off',
      'keep the other commit, save the work as a file, and leave the task to the next run',
    ],
  ],
  unknown: [['give_up', 'give up, with the last lines of output']],
}

/** Per attempt at a task and error type. */
const mostTries = 3

/** The number of replacements that a model may propose for a failed command. */
export const mostCorrections = 2

const firstRemedy = (type: ErrorType): Remedy => remedyTable[type][0][0]

/** True while the type has a try left and the table lists the remedy for it. */
export function mayTry(
  tried: readonly Pick<Tried, 'type'>[],
  type: ErrorType,
  remedy: Remedy,
): boolean {
  const tries = tried.filter((each) => each.type === type).length
  return tries < mostTries && remedyTable[type].some(([each]) => each === remedy)
}
