import type { SyntaxLanguage, SyntaxProblem } from '../core/ports/syntax-checker.ts'
import { TOO_DEEP } from '../text/source/positions.ts'

/** What the parent asks: one text at a time. */
export interface SyntaxQuestion {
  readonly id: number
  readonly language: SyntaxLanguage
  readonly text: string
}

export type SyntaxAnswer =
  | { readonly id: number; readonly problems: readonly SyntaxProblem[] }
  /** This parser could not do it; another try would end the same. */
  | { readonly id: number; readonly failure: string }

type Parse = (text: string) => readonly SyntaxProblem[] | Promise<readonly SyntaxProblem[]>

/** A process that has grown beyond this makes room for a fresh one. */
const MOST_BYTES = 600_000_000

/** Each is loaded by the first text of its language. */
const parsers: Readonly<Record<SyntaxLanguage, () => Promise<Parse>>> = {
  python: async () => (await import('./wasm-syntax/python.ts')).parsePython,
  go: async () => (await import('./wasm-syntax/go.ts')).parseGo,
  java: async () => (await import('./wasm-syntax/java.ts')).parseJava,
  rust: async () => (await import('./wasm-syntax/rust.ts')).parseRust,
  ruby: async () => (await import('./wasm-syntax/ruby.ts')).parseRuby,
  shell: async () => (await import('./wasm-syntax/shell.ts')).parseShell,
  sql: async () => (await import('./wasm-syntax/sql.ts')).parseSql,
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

/** `worn`: a wasm module that ran out of stack or memory is left in disorder. */
async function parse(language: SyntaxLanguage, text: string) {
  try {
    return { problems: await (await parsers[language]())(text), worn: false }
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
