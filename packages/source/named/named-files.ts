import { posix } from 'node:path'
import picomatch from 'picomatch'
import { looksLikePath, markedNames, modulesIn, respell } from '../../text/text.ts'
import { isTestFile, sharedFolders } from '../code/test-files.ts'

/** The parts of a task that name files. */
interface NamingTask {
  readonly title: string
  readonly details: string
  /** Paths or globs. */
  readonly files: readonly string[]
  /** Command lines. */
  readonly accept: readonly string[]
  readonly verify: string | null
}

/** The files that a task names, compared with those that exist. */
export interface NamedFiles {
  /** From its `**Files**:` line, and few enough to be shown whole. */
  readonly scope: readonly string[]
  /** Named in its text, its accept commands or the plan, or close to a name that does not exist. */
  readonly mentioned: readonly string[]
  readonly fresh: readonly string[]
  /** Sentences for the model about names that do not exist while a similar one does. */
  readonly notes: readonly string[]
}

/** A glob that matches more says where to work, not what to read. */
const MOST_OF_A_GLOB = 8
const LONGEST_ENTRY = 1_000

/** Names that occur in many folders: the same name elsewhere says nothing. */
const COMMON = new Set(
  'index main mod lib types __init__ conftest readme changelog package app config setup test tests'.split(
    ' ',
  ),
)

/** @param planned the files that a plan names */
export function findNamedFiles(
  task: NamingTask,
  planned: readonly string[],
  paths: readonly string[],
): NamedFiles {
  const known = new Set(paths)
  const listed = task.files.flatMap((entry) =>
    expand(respell(tidyPath(entry), paths), paths, known),
  )
  const prose = [task.title, task.details, ...task.accept, task.verify ?? ''].join('\n')
  const names = [
    ...mentions(prose),
    ...wellKnown(prose, paths),
    ...filesOfModules(modulesIn(prose), paths),
    ...planned.map(tidyPath),
  ].filter((name) => name !== '')
  const mentioned: string[] = []
  const fresh: string[] = []
  const notes: string[] = []
  for (const name of new Set([...listed, ...names.map((each) => respell(each, paths))])) {
    if (known.has(name)) {
      if (!listed.includes(name)) mentioned.push(name)
      continue
    }
    const promised = listed.includes(name)
    const found = (promised ? null : endingIn(name, paths)) ?? closestPath(name, paths)
    if (found === null) {
      if (!isGlob(name)) fresh.push(name)
    } else if (isToBeCreated(name, prose)) fresh.push(name)
    else {
      mentioned.push(found)
      if (promised || !found.endsWith(`/${name}`))
        notes.push(`${name} does not exist; did you mean ${found}?`)
    }
  }
  const scope = listed.filter((path) => known.has(path))
  return { scope: unique(scope), mentioned: unique(mentioned), fresh: unique(fresh), notes }
}

/** The existing file that a wrong path likely means: same name elsewhere, or another ending. */
export function closestPath(wrong: string, paths: readonly string[]): string | null {
  const name = posix.basename(wrong).toLowerCase()
  if (COMMON.has(name.replace(/\..*$/, '')) || isGlob(wrong)) return null
  const sameName = paths.filter((path) => posix.basename(path).toLowerCase() === name)
  // `.gitignore` has no stem to compare.
  const sameStem = paths.filter(
    (path) =>
      posix.dirname(path) === posix.dirname(wrong) &&
      stem(path) === stem(wrong) &&
      stem(path) !== '',
  )
  const candidates = sameName.length > 0 ? sameName : sameStem
  const [first, second] = [...candidates].sort((a, b) => nearness(b, wrong) - nearness(a, wrong))
  if (first === undefined) return null
  return second !== undefined && nearness(second, wrong) === nearness(first, wrong) ? null : first
}

const nearness = (path: string, wrong: string): number =>
  sharedFolders(path, wrong) * 100 - path.split('/').length

function endingIn(name: string, paths: readonly string[]): string | null {
  const found = paths.filter((path) => path.endsWith(`/${name}`))
  return found.length === 1 ? (found[0] ?? null) : null
}

function expand(entry: string, paths: readonly string[], known: ReadonlySet<string>) {
  if (entry === '' || entry.length > LONGEST_ENTRY) return []
  if (known.has(entry) || !isGlob(entry)) return [entry]
  const matches = picomatch(entry, { dot: true })
  const found = paths.filter((path) => matches(path))
  return found.length <= MOST_OF_A_GLOB ? found : []
}

/** Finds paths as people write them: in backticks, in links, among other words. */
function mentions(prose: string): readonly string[] {
  const marked = [...prose.matchAll(/`([^`\s]{1,300})`/g)].map(([, word = '']) => tidyPath(word))
  // In `Stats([]).mode` the last word is a member.
  const words = prose.split(/(?:[)\]]\.\w*|[\s,;()[\]"'`])+/)
  const plain = words.map((word) => tidyPath(word.replace(/[.:!?]+$/, '')))
  return [
    ...marked.filter((word) => looksLikePath(word, 'marked')),
    ...plain.filter((word) => looksLikePath(word, 'word')),
  ]
}

/** People call some files of the root by a bare name: the README, the changelog. */
function wellKnown(prose: string, paths: readonly string[]): readonly string[] {
  const called = prose.match(/\b(?:readme|changelog|contributing|dockerfile|makefile)\b(?![./])/gi)
  const names = new Set((called ?? []).map((name) => name.toLowerCase()))
  return paths.filter((path) => names.has(path.toLowerCase().replace(/\.(?:md|rst|txt)$/, '')))
}

const isToBeCreated = (name: string, prose: string): boolean =>
  followsVerb(name, prose, /\b(?:create|add|introduce|new|write|generate|scaffold)\b[^.;\n]*$/i)

/**
 * Returns true when one of these verbs precedes the name in the same sentence.
 *
 * @param next what has to follow the name as well
 */
export function followsVerb(name: string, prose: string, verb: RegExp, next = /^/): boolean {
  for (let at = prose.indexOf(name); at >= 0; at = prose.indexOf(name, at + 1)) {
    const before = prose.slice(Math.max(0, at - 60), at)
    if (verb.test(before) && next.test(prose.slice(at + name.length))) return true
  }
  return false
}

/** The path without `./` in front and without a line number behind. */
export const tidyPath = (path: string): string =>
  path.replace(/^\.\//, '').replace(/[:#]L?\d+(-L?\d+)?$/, '')

/** The name without its ending and without a plural s. */
const stem = (path: string): string =>
  posix
    .basename(path)
    .replace(/s?(?:\.[^.]+)?$/, '')
    .toLowerCase()

const isGlob = (path: string): boolean => /[*?{}[\]!]/.test(path)

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)]

function filesOfModules(modules: readonly string[], paths: readonly string[]): readonly string[] {
  if (modules.length === 0) return []
  const wanted = new Set(modules)
  return paths.filter((path) => wanted.has(path.replace(/\.\w+$/, '')))
}

/** The code that a task is about, by its words. */
interface NamedCode {
  /** Without tests. */
  readonly files: readonly string[]
  /** Functions, classes and values that it marks as code. */
  readonly names: readonly string[]
}

/** Reads which code a task names. A command that must pass says how it is judged, not where it is done. */
export function findNamedCode(task: NamingTask, paths: readonly string[] = []): NamedCode {
  const judged = { ...task, accept: [], verify: null }
  const { scope, mentioned, fresh } = findNamedFiles(judged, [], paths)
  const files = [...scope, ...mentioned, ...fresh].filter((path) => !isTestFile(path))
  return { files, names: [...new Set(markedNames(`${task.title}\n${task.details}`))] }
}
