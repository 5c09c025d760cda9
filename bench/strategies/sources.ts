/** Public repositories that tasks come from, and how the tests of each language run. */

export const languages = ['javascript', 'python', 'go', 'rust'] as const
export type Language = (typeof languages)[number]

export interface Source {
  /** As GitHub spells it. */
  readonly name: string
  readonly language: Language
}

/** Their tests run offline, without an installation. */
export const sources: readonly Source[] = [
  { name: 'micromatch/picomatch', language: 'javascript' },
  { name: 'fastify/fast-uri', language: 'javascript' },
  { name: 'nodeca/js-yaml', language: 'javascript' },
  { name: 'mde/ejs', language: 'javascript' },
  { name: 'jshttp/negotiator', language: 'javascript' },
  { name: 'mahmoud/boltons', language: 'python' },
  { name: 'pallets/itsdangerous', language: 'python' },
  { name: 'dustin/go-humanize', language: 'go' },
  { name: 'gorilla/mux', language: 'go' },
  { name: 'go-chi/chi', language: 'go' },
]

/** A folder for each language, each with `exercises/practice/`. */
export const exerciseSource = 'Aider-AI/polyglot-benchmark'
export const exerciseLanguages = ['python', 'go', 'rust'] as const

export const addressOf = (name: string): string => `https://github.com/${name}`

const code: Readonly<Record<Language, RegExp>> = {
  javascript: /\.[cm]?js$/,
  python: /\.py$/,
  go: /\.go$/,
  rust: /\.rs$/,
}

const tests: Readonly<Record<Language, RegExp>> = {
  javascript: /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.[cm]?js$/,
  python: /(?:^|\/)(?:tests?\/|test_[^/]*\.py$|[^/]*_test\.py$|conftest\.py$)/,
  go: /_test\.go$/,
  rust: /(?:^|\/)tests\//,
}

/** Code that no product holds: built files, examples, measurements. */
const aside = /(?:^|\/)(?:dist|examples?|bench(?:mark)?s?|vendor|support|node_modules|docs)\//

const isCode = (language: Language, path: string): boolean => code[language].test(path)

export const isTest = (language: Language, path: string): boolean => tests[language].test(path)

/** Code of the product itself. */
export const isProduct = (language: Language, path: string): boolean =>
  isCode(language, path) && !isTest(language, path) && !aside.test(path)

/** Gives tests that were written for mocha what Node has under the same names. */
export const globalsFile = 'test-globals.cjs'
export const globalsText = `const { after, afterEach, before, beforeEach, describe, it } = require('node:test')
Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it, suite: describe, test: it })
`

/** The command that runs these test files in the root of their repository. */
export function testCommand(language: Language, paths: readonly string[]): string {
  if (language === 'python') return `python3 -m pytest -q ${paths.join(' ')}`
  if (language === 'rust') return 'cargo test --offline -- --include-ignored'
  if (language === 'javascript') {
    return `node --require ./${globalsFile} --test ${paths.join(' ')}`
  }
  const folders = paths.map((path) => `./${path.split('/').slice(0, -1).join('/')}`)
  return `go test ${[...new Set(folders)].join(' ')}`
}
