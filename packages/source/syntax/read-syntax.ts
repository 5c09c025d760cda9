import { languageOf } from '../code/languages.ts'
import type { Syntax } from './syntax-node.ts'

const scripts: ReadonlySet<string> = new Set(['javascript', 'jsx', 'typescript', 'tsx'])
const noSyntax: Syntax = { tree: null, error: null }

/** How many characters of texts are kept with their trees, for later questions. */
const MOST_KEPT = 400_000
const kept = new Map<string, Syntax>()

/** Parses JavaScript, TypeScript or Python once; returns no tree for other languages. */
export async function readSyntax(path: string, text: string): Promise<Syntax> {
  const key = `${path}\0${text}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const syntax = await parse(path, text)
  kept.set(key, syntax)
  let size = [...kept.keys()].reduce((sum, { length }) => sum + length, 0)
  for (const [oldest] of kept) {
    if (size <= MOST_KEPT) break
    kept.delete(oldest)
    size -= oldest.length
  }
  return syntax
}

/** Loads each parser with the first text of its language. */
async function parse(path: string, text: string): Promise<Syntax> {
  const language = languageOf(path, text)
  if (scripts.has(language)) return (await import('./parse-script.ts')).parseScript(path, text)
  if (language === 'python') return (await import('./parse-python.ts')).parsePythonText(text)
  return noSyntax
}
