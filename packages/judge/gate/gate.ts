import {
  type ChangeSet,
  type CodeProblem,
  contentAfter,
  type DiffEntry,
  type FileChange,
  newFileMode,
} from '../../change/change.ts'
import { closestPath, languageFamily, positionAt } from '../../source/source.ts'
import { checkPath, findHiddenText, findKeys, once } from '../../text/text.ts'
import type { Rules, Scope } from '../judging.ts'
import { checkTree, inScope, isGiven, testsScope } from './check-scope.ts'
import { isProtected } from './protected-paths.ts'

export interface GateRules {
  /** Paths and globs of the task's `**Files**`; empty allows all. */
  readonly scope: readonly string[]
  readonly roadmap: string
  /** Globs that are protected in addition to the built-in list. */
  readonly protectedPaths: readonly string[]
  /** Protected or out-of-scope paths that a writer granted for this task; `null` where no one can. */
  readonly allowed: readonly string[] | null
  /** The git mode of every file at the start commit, by path. */
  readonly modes: ReadonlyMap<string, string>
}

const mostFiles = 100
/** Bytes of UTF-8 in all new texts together. */
const largestSet = 4 * 1024 * 1024

/**
 * The policy gate: what a change set must satisfy before any of it is written. Limits come first,
 * so that a bomb costs nothing. No problems means that it may be written.
 */
export function checkChangeSet(changes: ChangeSet, rules: GateRules): readonly CodeProblem[] {
  if (changes.length > mostFiles) {
    const message = `changes ${changes.length} files, at most ${mostFiles} are allowed`
    return [problem('', 'size', message)]
  }
  const bytes = changes.reduce(
    (sum, change) => sum + Buffer.byteLength(contentAfter(change) ?? ''),
    0,
  )
  if (bytes > largestSet) {
    return [problem('', 'size', `has ${bytes} bytes, at most ${largestSet} are allowed`)]
  }
  const paths = changes.map((change) => change.path)
  // An invalid path has no place in a tree; one of a million names would take quadratic time.
  const named = changes.filter(({ path }) => checkPath(path).status === 'ok')
  const twice = paths.filter((path, index) => paths.indexOf(path) !== index)
  const isTest = testsOf(changes, rules)
  return [
    ...twice.map((path) => problem(path, 'tree', 'is changed twice')),
    ...paths.flatMap((path) => checkPolicy(path, rules, isTest)),
    ...checkTree(named, rules.modes),
    ...changes.flatMap(checkContent),
  ]
}

/**
 * The second gate, on the diff that git sees after writing: it must contain exactly the change
 * set's paths, with the same actions and plain, unchanged modes. Anything else is a problem.
 */
export function checkDiff(
  entries: readonly DiffEntry[],
  changes: ChangeSet,
  rules: GateRules,
): readonly CodeProblem[] {
  const expected = new Map(changes.map((change) => [change.path, change]))
  const inDiff = new Set(entries.map((entry) => entry.path))
  const missing = changes.filter((change) => !inDiff.has(change.path))
  const isTest = testsOf(changes, rules)
  return [
    ...entries.flatMap((entry) => [
      ...checkEntry(entry, expected.get(entry.path)),
      ...checkPolicy(entry.path, rules, isTest),
    ]),
    ...missing.map(({ path, action }) => {
      const message = `should be in the real diff (${action}) but is not; does git ignore it?`
      return problem(path, 'diff', message)
    }),
  ]
}

const statusOf = { create: 'added', modify: 'modified', delete: 'deleted' } as const
const regular: readonly string[] = ['100644', '100755']

function checkEntry(entry: DiffEntry, change: FileChange | undefined): readonly CodeProblem[] {
  const { path, status, oldPath, oldMode, newMode } = entry
  if (change === undefined)
    return [problem(path, 'diff', `is ${status} on disk but not in the change set`)]
  if (status !== statusOf[change.action] || oldPath !== path) {
    return [problem(path, 'diff', `is ${status} on disk, but the change set says ${change.action}`)]
  }
  const isPlain =
    (status === 'added' && ['100644', newFileMode(contentAfter(change) ?? '')].includes(newMode)) ||
    (status === 'modified' && newMode === oldMode && regular.includes(newMode)) ||
    (status === 'deleted' && regular.includes(oldMode))
  return isPlain ? [] : [problem(path, 'diff', `changes its mode from ${oldMode} to ${newMode}`)]
}

/** Finds out which paths are tests of files in scope. One in a language that the repository does not have tests nothing. */
function testsOf(changes: ChangeSet, { scope, modes }: GateRules): (path: string) => boolean {
  const paths = once(() => new Set([...modes.keys(), ...changes.map(({ path }) => path)]))
  const languages = once(() => new Set([...modes.keys(), ...scope].map(languageFamily)))
  return (path) => {
    const change = changes.find((each) => each.path === path)
    const isNew =
      change?.action === 'create' && !modes.has(path) && testsScope(change, scope, paths())
    return (inScope(path, scope) || isNew) && languages().has(languageFamily(path))
  }
}

/** Checks a path, whether the change set or git names it. */
function checkPolicy(
  path: string,
  rules: GateRules,
  isTest: (path: string) => boolean,
): readonly CodeProblem[] {
  const checked = checkPath(path)
  if (checked.status === 'refused') return [problem(path, 'path', checked.reason)]
  if (checked.path !== path) return [problem(path, 'path', `must be written as ${checked.path}`)]
  const { roadmap, protectedPaths: extra, scope } = rules
  const allowed = rules.allowed ?? []
  const why = isProtected(path, { roadmap, extra, allowed })
  const how = rules.allowed === null ? '' : `; a writer can grant it with /allow ${path}`
  if (why !== null) return [problem(path, 'protected', `${why}${how}`)]
  if (allowed.includes(path) || isGiven(path, scope) || isTest(path)) return []
  return [problem(path, 'scope', `is not among the task's files: ${scope.join(', ')}${how}`)]
}

/** Bytes of UTF-8. A longer file is generated or hostile, and no reviewer reads it. */
const longestFile = 1024 * 1024

/** How archives, pictures and programs start, as far as that survives in text. */
const binaryStarts = [
  ...['PK\x03\x04', 'PK\x05\x06', '%PDF-', '\x7FELF', '\x89PNG', '\uFFFDPNG', 'GIF87a', 'GIF89a'],
  ...['\x1F\x8B', '\x1F\uFFFD', 'BZh9', '7z\xBC', 'Rar!\x1A', '\xFF\xD8\xFF', '\uFFFD\uFFFD\uFFFD'],
]

function checkContent(change: FileChange): readonly CodeProblem[] {
  const text = contentAfter(change)
  const { path } = change
  if (text === undefined) return []
  const bytes = Buffer.byteLength(text)
  if (bytes > longestFile)
    return [problem(path, 'size', `has ${bytes} bytes, at most ${longestFile} are allowed`)]
  if (isBinary(text)) return [problem(path, 'binary', 'is not text')]
  const before = change.action === 'modify' ? change.before : ''
  const hidden = findHiddenText(path, text, before).map(({ what, line, column }) => ({
    ...problem(path, 'hidden_text', `has ${what}; write it as an escape or remove it`),
    ...{ line, column },
  }))
  const newKeys = findKeys(text).filter(
    ({ start, end }) => !before.includes(text.slice(start, end)),
  )
  const keys = newKeys.slice(0, mostKeys).map(({ what, start }) => {
    const message = `seems to contain ${what}; read it from the environment, or write an obvious placeholder with EXAMPLE in it`
    return { ...problem(path, 'secret', message), ...positionAt(text, start) }
  })
  return [...hidden, ...keys]
}

const mostKeys = 3

const isBinary = (text: string): boolean =>
  text.includes('\0') ||
  !text.isWellFormed() ||
  binaryStarts.some((start) => text.startsWith(start))

function problem(path: string, type: string, message: string): CodeProblem {
  return { path, type, message, line: 0, column: 0 }
}

/** Judges what a task may change, at its start commit. */
export interface PolicyGate {
  /** The policy gate, on a change set before it is written; as `checkChangeSet`. */
  check(changes: ChangeSet): readonly CodeProblem[]
  /** The second gate, on what git sees after writing; as `checkDiff`. */
  checkDiff(entries: readonly DiffEntry[], changes: ChangeSet): readonly CodeProblem[]
  /** Why these files may not be changed or created, by path; whatever would be written there. */
  objectionsTo(files: readonly string[]): ReadonlyMap<string, string>
  mayCreate(path: string): boolean
  /** The same without the task's `**Files**`. */
  readonly unscoped: PolicyGate
  /** The git mode of every file at the start commit, by path. */
  readonly modes: ReadonlyMap<string, string>
}

/** The task's files, and the paths that a writer granted; `null` where no one can grant any. */
interface Allowed {
  readonly task: Pick<Scope, 'files'>
  readonly grants: readonly { readonly path: string }[] | null
}

/**
 * The gate of a task. When the roadmap names a missing file, the one that was most likely meant is also in scope, and so
 * are the paths that a writer granted.
 */
export function openPolicyGate(
  { files }: { readonly files: readonly { readonly path: string; readonly mode: string }[] },
  { task, grants }: Allowed,
  { roadmap, protectedPaths }: Pick<Rules, 'roadmap' | 'protectedPaths'>,
): PolicyGate {
  const modes = new Map(files.map(({ path, mode }) => [path, mode]))
  const meant = task.files
    .filter((path) => !modes.has(path))
    .flatMap((path) => closestPath(path, [...modes.keys()]) ?? [])
  const scope = task.files.length === 0 ? [] : [...task.files, ...meant]
  const allowed = grants?.map(({ path }) => path) ?? null
  return createPolicyGate({ scope, roadmap, protectedPaths, allowed, modes })
}

export function createPolicyGate(rules: GateRules): PolicyGate {
  const check = (changes: ChangeSet) => checkChangeSet(changes, rules)
  return {
    check,
    checkDiff: (entries, changes) => checkDiff(entries, changes, rules),
    objectionsTo(files) {
      if (files.length === 0) return new Map()
      const changes = [...new Set(files)].map((path) =>
        rules.modes.has(path)
          ? ({ action: 'modify', path, before: '', content: '' } as const)
          : ({ action: 'create', path, content: '' } as const),
      )
      return new Map(check(changes).map(({ path, message }) => [path, message]))
    },
    mayCreate: (path) => check([{ action: 'create', path, content: '' }]).length === 0,
    get unscoped() {
      return createPolicyGate({ ...rules, scope: [] })
    },
    modes: rules.modes,
  }
}
