import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validateFile } from '../packages/judge/validate/validate-file.ts'
import { createWasmSyntaxChecker } from '../packages/source/wasm-syntax-checker.ts'
import type { Ports } from '../src/core/ports.ts'
import { type Mistake, readSnippets, type Snippet } from './read-snippets.ts'
import { countRow, type Result, type Score, type ScoreRow, timeScore } from './score.ts'

/** Mistakes of 24 that may pass, by language: what the chosen parsers are known to let through. */
const mostMissed: Readonly<Record<string, number>> = {
  javascript: 0,
  typescript: 0,
  python: 0,
  ruby: 0,
  php: 0,
  shell: 0,
  sql: 0,
  go: 1,
  java: 0,
  rust: 0,
  json: 2,
  yaml: 2,
  toml: 2,
  css: 2,
  dockerfile: 2,
  c: 2,
  cpp: 2,
  csharp: 2,
  kotlin: 2,
  swift: 2,
}

/** Those whose parser counts only against a text that it could read: a mistake is an edit of one. */
const byComparison = new Set(['c', 'cpp', 'csharp', 'kotlin', 'swift', 'sql'])

export const snippetLanguages = Object.keys(mostMissed)

/** Hand-written texts and mistakes of twenty languages: no good text is refused, few mistakes pass. */
export function scoreValidation(): Promise<Score> {
  return timeScore('validation', async () => {
    const syntax = createWasmSyntaxChecker()
    try {
      const rows: ScoreRow[] = []
      for (const language of snippetLanguages)
        rows.push(...(await scoreLanguage(language, { syntax })))
      return rows
    } finally {
      await syntax.close()
    }
  })
}

/** Two rows: texts that are right, and texts with a mistake. */
async function scoreLanguage(language: string, ports: Pick<Ports, 'syntax'>) {
  const { valid, mistakes } = await loadSnippets(language)
  const passed = await Promise.all(valid.map((snippet) => judgeValid(snippet, ports)))
  const found = await Promise.all(mistakes.map((mistake) => judgeMistake(language, mistake, ports)))
  const maxWrong = (mostMissed[language] ?? 0) / 24
  // A good text that a grammar cannot read is not refused, only not checked.
  const minRight = byComparison.has(language) ? 0.9 : 1
  return [
    countRow(`${language}: valid`, passed, { minRight, maxWrong: 0 }),
    countRow(`${language}: with a mistake`, found, { minRight: 1 - maxWrong, maxWrong }),
  ]
}

export async function loadSnippets(language: string) {
  const file = join(import.meta.dirname, 'snippets', `${language}.txt`)
  return readSnippets(await readFile(file, 'utf8'))
}

async function judgeValid({ path, text }: Snippet, ports: Pick<Ports, 'syntax'>): Promise<Result> {
  const { valid, checked } = await validateFile({ path, text }, ports)
  if (!valid) return 'wrong'
  return checked ? 'right' : 'refused'
}

/** A mistake must be found, and its place must be one that can be shown. */
async function judgeMistake(
  language: string,
  { path, text, before }: Mistake,
  ports: Pick<Ports, 'syntax'>,
): Promise<Result> {
  const file = byComparison.has(language) ? { path, text, before } : { path, text }
  const { valid, checked, problems } = await validateFile(file, ports)
  if (valid) return checked ? 'wrong' : 'refused'
  const lines = text.split('\n').length
  const told = problems.every(({ line, message }) => line > 0 && line <= lines && message !== '')
  return told ? 'right' : 'wrong'
}
