import type { Diagnostic } from '@astral-sh/ruff-wasm-nodejs'
import { TOO_DEEP } from './code/positions.ts'
import type { SyntaxLanguage, SyntaxProblem } from './syntax-checker.ts'
import { placeOfByte, placeOfCharacter } from './wasm-syntax/positions.ts'

/** A request of the parent: one text at a time. */
export interface SyntaxQuestion {
  readonly id: number
  readonly language: SyntaxLanguage
  readonly text: string
}

export type SyntaxAnswer =
  | { readonly id: number; readonly problems: readonly SyntaxProblem[] }
  /** This parser cannot do it, and a retry would not help. */
  | { readonly id: number; readonly failure: string }

type Parse = (text: string) => readonly SyntaxProblem[] | Promise<readonly SyntaxProblem[]>

/** Loaded parsers, by language. */
const loaded = new Map<SyntaxLanguage, Promise<Parse>>()

/** Above this size the process exits, and a fresh one replaces it. */
const MOST_BYTES = 600_000_000

/** Loaders, one per language. */
const parsers: Readonly<Record<SyntaxLanguage, () => Promise<Parse>>> = {
  python: loadPython,
  go: async () => (await import('./wasm-syntax/go.ts')).parseGo,
  java: async () => (await import('./wasm-syntax/java.ts')).parseJava,
  rust: loadRust,
  ruby: loadRuby,
  shell: async () => (await import('./wasm-syntax/shell.ts')).parseShell,
  sql: loadSql,
  php: grammar('php'),
  c: grammar('c'),
  cpp: grammar('cpp'),
  csharp: grammar('csharp'),
  kotlin: grammar('kotlin'),
  swift: grammar('swift'),
}

process.on('message', async ({ id, language, text }: SyntaxQuestion) => {
  const { worn, ...found } = await parse(language, text)
  const answer: SyntaxAnswer = { id, ...found }
  process.send?.(answer, () => {
    if (worn || process.memoryUsage.rss() > MOST_BYTES) process.exit()
  })
})

/** `worn`: a wasm module that ran out of stack or memory is unusable. */
async function parse(language: SyntaxLanguage, text: string) {
  try {
    const parser = loaded.get(language) ?? parsers[language]()
    loaded.set(language, parser)
    return { problems: await (await parser)(text), worn: false }
  } catch (error) {
    if (error instanceof RangeError) return { problems: [TOO_DEEP], worn: true }
    return { failure: error instanceof Error ? error.message : String(error), worn: true }
  }
}

function grammar(name: 'php' | 'c' | 'cpp' | 'csharp' | 'kotlin' | 'swift') {
  return async (): Promise<Parse> => {
    const { parseWithGrammar } = await import('./wasm-syntax/tree-sitter.ts')
    return (text) => parseWithGrammar(name, text)
  }
}

/** What CPython refuses to compile besides syntax: F70 (return, break, … outside), F62, F4, PLE. */
const RUFF_RULES = [
  ...['F70', 'F404', 'F407', 'F621', 'F622', 'PLE0115', 'PLE0117', 'PLE0118', 'PLE1142'],
]

async function loadPython(): Promise<Parse> {
  const { default: ruff } = await import('@astral-sh/ruff-wasm-nodejs')
  const options = { 'target-version': 'py314', lint: { select: RUFF_RULES } }
  const workspace = new ruff.Workspace(options, ruff.PositionEncoding.Utf16)
  return (text) =>
    workspace.check(text).map(({ message, start_location: { row, column } }: Diagnostic) => {
      return { message, line: row, column }
    })
}

/** Both Rust grammars reject some real files, so only what both reject counts. */
async function loadRust(): Promise<Parse> {
  const { parser } = await import('@lezer/rust')
  const { findForbidden, parseWithGrammar } = await import('./wasm-syntax/tree-sitter.ts')
  return async (text) => {
    const problems = await parseWithGrammar('rust', text)
    if (problems.length === 0) return findForbidden('rust', text)
    let isRejected = false
    parser.parse(text).iterate({
      enter({ type }) {
        isRejected ||= type.isError
        return !isRejected
      },
    })
    return isRejected ? problems : []
  }
}

/** One mistake has many consequences. */
const MOST_PROBLEMS = 10

/** Uses Ruby's own parser. */
async function loadRuby(): Promise<Parse> {
  const { loadPrism } = await import('@ruby/prism')
  const parse = await loadPrism()
  return (text) =>
    parse(text)
      .errors.slice(0, MOST_PROBLEMS)
      .map(({ message, location }) => ({ message, ...placeOfByte(text, location.startOffset) }))
}

/** Uses PostgreSQL's own parser, which reports the first problem. */
async function loadSql(): Promise<Parse> {
  const { loadModule, parse, SqlError } = await import('libpg-query')
  await loadModule()
  return async (text) => {
    if (text.trim() === '') return []
    try {
      await parse(text)
      return []
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      const { cursorPosition = 0 } = error.sqlDetails ?? {}
      return [{ message: error.message, ...placeOfCharacter(text, cursorPosition) }]
    }
  }
}
