import type { SyntaxProblem } from '../syntax-checker.ts'
import { compile, instantiate } from './files.ts'
import { columnOfByte } from './positions.ts'
import { parseWithGrammar } from './tree-sitter.ts'

interface Formatter {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  alloc(bytes: number): number
  /** 0: unchanged; 1: changed; otherwise the output is an error. */
  format(): number
  output_ptr(): number
  output_len(): number
  dispose(): void
}

/** Above this many bytes Go's parser runs out of memory and stays broken. */
const mostBytes = 250_000

const module = compile('gofmt')
let formatter: Formatter | null = null

/**
 * Finds Go problems with gofmt. A text that is too large for it, or exhausts it anyway, goes to the
 * tree-sitter grammar, and gofmt is reloaded.
 */
export async function parseGo(text: string): Promise<readonly SyntaxProblem[]> {
  const bytes = Buffer.from(text)
  if (bytes.length > mostBytes) return await parseWithGrammar('go', text)
  formatter ??= start()
  try {
    const said = format(formatter, bytes)
    return said === null ? [] : explain(said, text)
  } catch {
    formatter = null
    return await parseWithGrammar('go', text)
  }
}

function start(): Formatter {
  const formatter = instantiate(module).exports as Formatter
  formatter._initialize()
  return formatter
}

/** Returns gofmt's error, or `null`. */
function format(formatter: Formatter, bytes: Buffer): string | null {
  const at = formatter.alloc(bytes.length)
  new Uint8Array(formatter.memory.buffer, at, bytes.length).set(bytes)
  const isWrong = formatter.format() > 1
  const place = [formatter.output_ptr(), formatter.output_len()] as const
  const output = isWrong ? Buffer.from(formatter.memory.buffer, ...place).toString() : null
  formatter.dispose()
  return output
}

/** Parses `3:14: expected ';', found x (and 2 more errors)`. */
function explain(said: string, text: string): readonly SyntaxProblem[] {
  const found = /^(\d+):(\d+): ([\s\S]*?)(?: \(and \d+ more errors?\))?$/.exec(said.trim())
  const line = Number(found?.[1] ?? 1)
  const column = columnOfByte(text, line, Number(found?.[2] ?? 1))
  return [{ message: found?.[3] ?? said, line, column }]
}
