import { jsonFields, nameSome, parseJson } from '../../../packages/text/text.ts'

/** Files that say how a project is built and tested. */
export const FACT_FILES = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'go.mod',
  'Cargo.toml',
]

const MOST_NAMES = 12
const MAX_LINE = 240

/**
 * Returns one line per file, as `package.json: ES modules; test "vitest run"; uses zod`. A model that knows the
 * module system, the test command and the installed packages guesses less.
 */
export const projectFacts = (texts: ReadonlyMap<string, string>): readonly string[] =>
  FACT_FILES.flatMap((path) => {
    const text = texts.get(path)
    const facts = text === undefined ? '' : factsOf(path, text)
    return facts === '' ? [] : [`${path}: ${facts}`.replace(/\s+/g, ' ').slice(0, MAX_LINE)]
  })

/** How the tests of a runner are written that is not the one whose functions models expect. */
const runners = [
  {
    command: /\bnode\b[^\n"`;|&]{0,80}\s--test\b/,
    fact: "node --test: a test file begins with import test from 'node:test' and import assert from 'node:assert/strict'; there is no expect",
  },
  {
    command: /\bvitest\b/,
    fact: "vitest: a test file imports test and expect from 'vitest'",
  },
] as const

/** How the runner's tests are written, for a project that has none to imitate. */
export function runnerFact(texts: ReadonlyMap<string, string>, said: string): readonly string[] {
  const all = `${texts.get('package.json') ?? ''}\n${said}`
  return runners.filter(({ command }) => command.test(all)).map(({ fact }) => fact)
}

function factsOf(path: string, text: string): string {
  if (path === 'package.json') return packageFacts(text)
  if (path === 'requirements.txt') return names(text.match(/^[A-Za-z][\w.-]*/gm) ?? [])
  if (path === 'go.mod') return /^module\s+\S+/m.exec(text)?.[0] ?? ''
  if (path === 'Cargo.toml') return /^edition\s*=\s*"\d+"/m.exec(text)?.[0] ?? ''
  const tools = [...text.matchAll(/^\[tool\.([\w-]+)/gm)].map(([, tool = '']) => tool)
  const python = /^requires-python\s*=\s*"([^"]*)"/m.exec(text)?.[1]
  return [python === undefined ? '' : `Python ${python}`, names(tools)].filter(Boolean).join('; ')
}

function packageFacts(text: string): string {
  const parsed = parseJson(text)
  if (parsed === null) return ''
  const manifest = jsonFields(parsed)
  const scripts = jsonFields(manifest.scripts)
  const uses = names(Object.keys(jsonFields(manifest.dependencies)))
  const dev = names(Object.keys(jsonFields(manifest.devDependencies)))
  return [
    manifest.type === 'module' ? 'ES modules' : 'CommonJS modules',
    typeof scripts.test === 'string' ? `test "${scripts.test.slice(0, 80)}"` : '',
    uses === '' ? '' : `uses ${uses}`,
    dev === '' ? '' : `dev ${dev}`,
  ]
    .filter((fact) => fact !== '')
    .join('; ')
}

const names = (all: readonly string[]): string => nameSome([...new Set(all)], MOST_NAMES)
