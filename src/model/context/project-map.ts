import { posix } from 'node:path'
import {
  countOf,
  estimateTokens,
  jsonFields,
  nameSome,
  parseJson,
} from '../../../packages/text/text.ts'

/** Names listed of a relevant folder that has too many. */
const MOST_NAMES = 40
const DEEPEST = 4

/**
 * Lists the project's paths, one line per folder: `src/: a.js b.js`. When that exceeds the budget, lists only the
 * folders of `focus` and counts the others, at the greatest depth that fits.
 */
export function projectMap(
  paths: readonly string[],
  focus: readonly string[],
  budgetTokens: number,
): string {
  const folders = groupByFolder(paths)
  const whole = [...folders].map(([folder, names]) => `${folder}: ${names.join(' ')}`)
  if (fits(whole, budgetTokens)) return whole.join('\n')
  const near = new Set(focus.map((path) => folderOf(path)))
  const listed = listNear(folders, near, focus, budgetTokens / 2)
  for (let depth = DEEPEST; depth >= 1; depth -= 1) {
    const lines = [...listed, ...countFar(folders, near, depth)]
    if (fits(lines, budgetTokens)) return lines.join('\n')
  }
  return cut([...listed, ...countFar(folders, near, 1)], budgetTokens).join('\n')
}

function groupByFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const names = folders.get(folderOf(path))
    if (names) names.push(posix.basename(path))
    else folders.set(folderOf(path), [posix.basename(path)])
  }
  return folders
}

/** Lists relevant folders in full; of a crowded one, the files in focus and a few others. */
function listNear(
  folders: ReadonlyMap<string, readonly string[]>,
  near: ReadonlySet<string>,
  focus: readonly string[],
  budgetTokens: number,
): readonly string[] {
  const first = new Set(focus.map((path) => posix.basename(path)))
  const lines = [...near].flatMap((folder) => {
    const names = folders.get(folder) ?? []
    if (names.length === 0) return []
    const sorted = [
      ...names.filter((name) => first.has(name)),
      ...names.filter((name) => !first.has(name)),
    ]
    const more = sorted.length - MOST_NAMES
    const rest = more > 0 ? ` and ${more} more` : ''
    return [`${folder}: ${sorted.slice(0, MOST_NAMES).join(' ')}${rest}`]
  })
  return cut(lines, budgetTokens)
}

function countFar(
  folders: ReadonlyMap<string, readonly string[]>,
  near: ReadonlySet<string>,
  depth: number,
): readonly string[] {
  const counts = new Map<string, number>()
  for (const [folder, names] of folders) {
    if (near.has(folder)) continue
    const steps = folder.split('/').filter((step) => step !== '')
    const top = steps.length > depth ? `${steps.slice(0, depth).join('/')}/…` : folder
    counts.set(top, (counts.get(top) ?? 0) + names.length)
  }
  return [...counts].map(([folder, count]) => `${folder} ${countOf(count, 'file')}`)
}

function cut(lines: readonly string[], budgetTokens: number): readonly string[] {
  const kept: string[] = []
  let left = budgetTokens - 4
  for (const line of lines) {
    left -= estimateTokens(`${line}\n`)
    if (left < 0) return [...kept, `… ${lines.length - kept.length} more folders`]
    kept.push(line)
  }
  return kept
}

const fits = (lines: readonly string[], budgetTokens: number): boolean =>
  estimateTokens(lines.join('\n')) <= budgetTokens

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? './' : `${folder}/`
}

/** Files that say how a project is built and tested. */
export const FACT_FILES = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'go.mod',
  'Cargo.toml',
]

const MOST_PACKAGE_NAMES = 12
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

const names = (all: readonly string[]): string => nameSome([...new Set(all)], MOST_PACKAGE_NAMES)
