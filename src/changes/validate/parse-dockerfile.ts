import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { positionAt } from '../../text/source/positions.ts'

/** Flags, names and forms that newer builders may know: what is said of them is not certain. */
const UNCERTAIN = [
  'FLAG_AT_LEAST_ONE',
  'FLAG_INVALID_FROM_VALUE',
  'FLAG_EXPECTED_BOOLEAN_VALUE',
  'FLAG_UNKNOWN_UNIT',
  'INVALID_REFERENCE_FORMAT',
  'INVALID_SIGNAL',
  'UNKNOWN_ADD_FLAG',
  'UNKNOWN_COPY_FLAG',
  'UNKNOWN_FROM_FLAG',
  'UNKNOWN_HEALTHCHECK_FLAG',
  'UNSUPPORTED_MODIFIER',
  'BASE_NAME_EMPTY',
] as const

/** A list that was begun; shell conditions begin with a blank after the bracket. */
const LIST =
  /^[ \t]*(?:CMD|ENTRYPOINT|RUN|SHELL|VOLUME|COPY|ADD)[ \t]+(\[["'](?:[^\\\n]|\\[\s\S])*)/gim

/** Problems that a builder, too, would refuse. */
export async function parseDockerfile(text: string): Promise<readonly SyntaxProblem[]> {
  const { validate, ValidationCode } = (await import('dockerfile-utils')).default
  const uncertain = new Set<unknown>(UNCERTAIN.map((name) => ValidationCode[name]))
  const found = validate(text).filter(
    ({ severity, code }) => severity === 1 && !uncertain.has(code),
  )
  const problems = found.map(({ message, range: { start } }) => {
    return { message: `${message}.`, line: start.line + 1, column: start.character + 1 }
  })
  return problems.length > 0 ? problems : brokenLists(text)
}

/** A list that is not JSON is run as a shell command, which begins with a bracket and fails. */
function brokenLists(text: string): readonly SyntaxProblem[] {
  return [...text.matchAll(LIST)].flatMap(({ 0: line, 1: list = '', index }) => {
    if (isList(list.replace(/\\\r?\n/g, ' '))) return []
    const message = 'This list is not JSON: strings in double quotes, commas, and `]` at its end.'
    return [{ message, ...positionAt(text, index + line.length - list.length) }]
  })
}

function isList(json: string): boolean {
  try {
    return Array.isArray(JSON.parse(json))
  } catch {
    return false
  }
}
