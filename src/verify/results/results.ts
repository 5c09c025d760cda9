import { posix } from 'node:path'
import type { TestCounts, TestFailure } from '../../core/domain/test-report.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import type { RunPlace } from './place.ts'

/** What one command's output says. `counts` is `null` when it does not say how many tests ran. */
export interface Results {
  readonly counts: TestCounts | null
  readonly failures: readonly TestFailure[]
  /** Own names of the tests that ran, where they are told. */
  readonly titles?: readonly string[]
}

const longestMessage = 2000
const longestValue = 500
const longestTrace = 8

export interface FoundFailure {
  readonly test: string
  readonly file?: string | null
  readonly line?: number | null
  readonly message: string
  readonly expected?: string | null
  readonly actual?: string | null
  readonly errorType?: string | null
  readonly trace?: readonly string[]
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`
}

/** Makes a failure fit to be shown and stored: plain, short, with paths as the project knows them. */
export function toFailure(found: FoundFailure, place: RunPlace): TestFailure {
  const tidy = (text: string, limit: number) =>
    shorten(withoutFolder(plainText(text), place.folder).trim(), limit)
  const value = (text: string | null | undefined) =>
    text === null || text === undefined ? null : tidy(text, longestValue)
  return {
    test: tidy(found.test, longestValue) || '(unnamed)',
    file: found.file ?? null,
    line: found.line ?? null,
    message: tidy(found.message, longestMessage) || 'The test failed.',
    expected: value(found.expected),
    actual: value(found.actual),
    errorType: found.errorType ?? null,
    trace: (found.trace ?? []).slice(0, longestTrace),
  }
}

export function toResults(
  counts: TestCounts | null,
  failures: readonly TestFailure[],
  titles?: readonly string[],
): Results {
  return titles === undefined ? { counts, failures } : { counts, failures, titles }
}

/** Node names both files of a failed import by their whole paths. */
const failedImport = /Cannot find module '(\/[^'\n]+)' imported from (\/\S+)/g

/** Absolute paths of the project become `./…`, and a failed import reads as it was written. */
export function withoutFolder(text: string, folder: string): string {
  return text
    .replace(failedImport, (whole, wanted: string, from: string) => {
      if (!wanted.startsWith(`${folder}/`)) return whole
      const path = posix.relative(posix.dirname(from), wanted)
      return `Cannot find module '${path.startsWith('.') ? path : `./${path}`}' imported from ${from}`
    })
    .replaceAll(`file://${folder}/`, './')
    .replaceAll(`${folder}/`, './')
}

/** `AssertionError: …` → its name; `Error [ERR_X]: …` → the code, which says more. */
export function errorTypeOf(text: string): string | null {
  const match = /^[ \t]*(?:Uncaught )?((?:[\w$]+\.)*[A-Z][\w$]*)(?: \[(\w+)\])?(?::|$)/m.exec(text)
  const [, name = null, code = null] = match ?? []
  return code ?? name
}
