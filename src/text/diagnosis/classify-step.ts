/**
 * What a failed step is, told from what we really have: how a command ended and what it said, the code
 * of a system error, the status of an answer, the end of a model's answer. Why a whole task failed is
 * another question, and `recovery/classify-by-pattern.ts` answers it.
 */
import type { ErrorType, StepError } from '../../core/domain/step-error.ts'
import { missingProgramIn, notFound, notRunnable } from './missing-program.ts'
import { plainText } from './plain-text.ts'
import { firstRemedy } from './remedy-table.ts'
import { failedTests, stepPatterns } from './step-patterns.ts'

/** A kind of error, and the line that tells it; empty when nothing was said. */
export interface Told extends StepError {
  readonly line: string
  /** True where the command line itself is wrong: a program, a script or a folder that nobody has. */
  readonly isWrongCommand: boolean
  /** The program that was not found, where it is that. */
  readonly program: string | null
}

/** Characters of output that are read, half from its beginning and half from its end. */
const mostOutput = 200_000
const longestLine = 1000
const longestShown = 240

/** How a command ended. `failures` is how many failing tests were read from it. */
export interface CommandEnd {
  readonly exitCode: number | null
  readonly signal?: string | null
  readonly timedOut: boolean
  readonly output: string
  readonly failures: number
}

/** `null` for a command that ended well. */
export function classifyCommand(end: CommandEnd): Told | null {
  if (end.timedOut || end.exitCode === 124) return told('timeout', '')
  if (end.exitCode === 0) return null
  const lines = linesOf(end.output)
  const failing = lines.find((line) => failedTests.some((words) => words.test(line)))
  if (end.failures > 0 || failing !== undefined) return told('test_failure', failing ?? '')
  const known = classifyLines(lines)
  if (known !== null) return known
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  if (end.exitCode === notFound)
    return { ...told('missing_dependency', last), isWrongCommand: true }
  if (end.exitCode === notRunnable) return told('permission_denied', last)
  return told('unknown', last)
}

/** What a text says of an error: git's stderr, the reason of a refusal. */
export function classifyText(text: string): Told {
  const lines = linesOf(text)
  const status = /\banswered (\d{3})\b/.exec(text)?.[1]
  const byStatus = status === undefined ? null : classifyStatus(Number(status), text)
  return byStatus ?? classifyLines(lines) ?? told('unknown', lines[0] ?? '')
}

/** Of a model's endpoint, or of GitHub. `null` for a status that is no error. */
export function classifyStatus(status: number, reason: string): Told | null {
  if (status < 400) return null
  const [line = ''] = linesOf(reason)
  if (status === 429 || (status === 403 && /rate limit|too many/i.test(reason))) {
    return told('rate_limit', line)
  }
  if (status === 401 || status === 403) return told('permission_denied', line)
  if (status === 404) return told('file_not_found', line)
  if (status === 408 || status === 504) return told('timeout', line)
  if (status === 409) return told('git_conflict', line)
  return told(status >= 500 ? 'model_error' : 'validation', line)
}

/** The problems of a change, as the parsers and the gate tell them. */
export function classifyProblem({
  type,
  message,
}: {
  readonly type: string
  readonly message: string
}): Told {
  const known = Object.hasOwn(problemTypes, type) ? problemTypes[type] : undefined
  return told(known ?? 'validation', message)
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

/** An error of this type, with what is tried first against it. */
export function told(type: ErrorType, line: string): Told {
  const [first = ''] = plainText(line.slice(0, longestLine)).split('\n')
  const shown = first.trim().slice(0, longestShown)
  const severity = type === 'rate_limit' || type === 'network' ? 'warning' : 'error'
  const recoverable = firstRemedy(type) !== 'give_up'
  return {
    ...{ type, severity, recoverable, strategy: firstRemedy(type) },
    ...{ line: shown, isWrongCommand: false, program: null },
  }
}

function classifyLines(lines: readonly string[]): Told | null {
  for (const { type, words, isWrongCommand } of stepPatterns) {
    // A program that nobody has explains what follows from that, but not a dead network.
    if (type === 'permission_denied') {
      const missing = findMissingProgram(lines)
      if (missing !== null) return missing
    }
    const line = lines.find((each) => words.test(each))
    if (line === undefined) continue
    const error = { ...told(type, line), isWrongCommand: isWrongCommand ?? false }
    return isWrongCommand ? { ...error, strategy: 'correct_command' } : error
  }
  return null
}

function findMissingProgram(lines: readonly string[]): Told | null {
  for (const line of lines) {
    const program = missingProgramIn(line)
    if (program === null) continue
    return { ...told('missing_dependency', line), isWrongCommand: true, program }
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
