import { type ParserOptions, parse } from '@babel/parser'
import { maskText } from '../code/mask.ts'
import { isNode, type Syntax } from './syntax-node.ts'

/** Type assertions nested deeper make the parser's time explode: each doubles it. */
const MAX_NESTED_ASSERTIONS = 12

/**
 * Parses JavaScript, TypeScript, JSX or TSX, by the path's extension. Tries every reading that a
 * tool could rightly choose (module or CommonJS, old or new decorators) and returns the first
 * without a mistake; if all have one, the tree that the parser recovers.
 */
export function parseScript(path: string, text: string): Syntax {
  const isTyped = !/\.[mc]?jsx?$/i.test(path) || text.includes('@flow')
  if (isTyped && assertionsTooDeep(maskText(text, 'script'))) {
    return { tree: null, error: new RangeError('Type assertions are nested too deeply.') }
  }
  let error: Error | null = null
  for (const options of readingsOf(path, text)) {
    const reading = parseAs(text, options)
    if (reading.error === null) return reading
    error ??= reading.error
  }
  const [likeliest] = readingsOf(path, text)
  const loose = { ...likeliest, sourceType: 'unambiguous', errorRecovery: true } as const
  return { tree: error instanceof RangeError ? null : parseAs(text, loose).tree, error }
}

function parseAs(text: string, options: ParserOptions): Syntax {
  try {
    const file = parse(text, options)
    // The parser takes declarations in several parts for duplicates.
    const error = file.errors?.find(({ reasonCode }) => reasonCode !== 'VarRedeclaration')
    const program: unknown = file.program
    return { tree: isNode(program) ? program : null, error: error ?? null }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return { tree: null, error }
    throw error
  }
}

/** The likelier ones come first, because the first one's error is shown. */
function readingsOf(path: string, text: string): readonly ParserOptions[] {
  const decorators = text.includes('@')
    ? (['decorators', 'decorators-legacy'] as const)
    : (['decorators'] as const)
  return sourceTypes(path, text).flatMap((sourceType) =>
    decorators.map(
      (decorator): ParserOptions => ({
        sourceType,
        attachComment: false,
        errorRecovery: isDeclarations(path),
        // A declaration file may export names declared elsewhere; in JavaScript that is an error.
        allowUndeclaredExports: /\.[mc]?tsx?$/i.test(path),
        plugins: [
          ...dialect(path, text),
          decorator,
          'decoratorAutoAccessors',
          'deferredImportEvaluation',
          'sourcePhaseImports',
        ],
      }),
    ),
  )
}

function sourceTypes(path: string, text: string): readonly ('module' | 'commonjs')[] {
  if (/\.m[jt]s$/i.test(path)) return ['module']
  if (/\.cjs$/i.test(path)) return ['commonjs']
  return /^[ \t]*(import|export)\b/m.test(text) ? ['module', 'commonjs'] : ['commonjs', 'module']
}

function dialect(path: string, text: string): NonNullable<ParserOptions['plugins']> {
  if (isDeclarations(path)) return [['typescript', { dts: true }]]
  if (/\.[mc]?ts$/i.test(path)) return ['typescript']
  if (/\.tsx$/i.test(path)) return ['typescript', 'jsx']
  return /^(\s*\/[/*][\s\S]{0,2000}?)?@flow\b/.test(text)
    ? [['flow', { all: true }], 'jsx']
    : ['jsx']
}

const isDeclarations = (path: string): boolean => /\.d(\.[^./]+)?\.[mc]?ts$/i.test(path)

/** Counts `<T>` in places of expressions, each nested in the one before. */
function assertionsTooDeep(masked: string): boolean {
  const open: number[] = []
  let depth = 0
  const marks = /[()[\]{};,\n]|(?<![\w$)\]>.\s])\s{0,20}<[\w$.[\]\s,|&]{1,80}>/g
  for (const [mark] of masked.matchAll(marks)) {
    if ('([{'.includes(mark)) depth += 1
    else if (mark.endsWith('>')) open.push(depth)
    else {
      if (')]}'.includes(mark)) depth -= 1
      const least = ')]}'.includes(mark) ? depth + 1 : depth
      while ((open.at(-1) ?? Number.NEGATIVE_INFINITY) >= least) open.pop()
    }
    if (open.length > MAX_NESTED_ASSERTIONS) return true
  }
  return false
}
