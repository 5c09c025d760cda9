import type { TestFailure } from '../../domain/test-report.ts'
import { inProject } from './frames.ts'
import { linesOf } from './plain-text.ts'
import { toFailure } from './results.ts'

interface CompilerError {
  readonly path: string
  readonly line: string
  readonly code: string | null
  readonly message: string
}

/** `src/a.ts(3,5): error TS2307: …`, `src/a.ts:3:5 - error TS2307: …`, `src/a.c:3:5: error: …`. */
const errorLine =
  /^\s*([^\s:()]+\.\w{1,5})(?:\(|:)(\d+)[,:]\d+\)?(?: -|:) (?:fatal )?error:? ?([A-Z]+\d+)?:? (.+)$/

/** rustc says the place on the line after `error[E0432]: …`. */
const rustError = /^error(?:\[(\w+)\])?: (.+)$/
const rustPlace = /^ *--> ([^\s:]+):(\d+):\d+$/

/** Errors of compilers and linters that name file and line. */
export function readCompilerErrors(text: string, folder: string): readonly TestFailure[] {
  const lines = linesOf(text)
  return lines.flatMap((line, index) => {
    const found = readLine(line) ?? readRust(line, lines[index + 1] ?? '')
    const file = found === null ? null : inProject(found.path, folder)
    if (found === null || file === null) return []
    const { code, message } = found
    const test = `${code ?? 'error'}: ${message}`
    return [toFailure({ test, file, line: Number(found.line), message, errorType: code }, folder)]
  })
}

function readLine(line: string): CompilerError | null {
  const [whole, path = '', number = '', code = null, message = ''] = errorLine.exec(line) ?? []
  return whole === undefined ? null : { path, line: number, code, message }
}

function readRust(line: string, next: string): CompilerError | null {
  const [whole, code = null, message = ''] = rustError.exec(line) ?? []
  const [, path, number = ''] = rustPlace.exec(next) ?? []
  return whole === undefined || path === undefined ? null : { path, line: number, code, message }
}
