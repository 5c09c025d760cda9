import { posix } from 'node:path'
import { basename, dirname, parse } from 'node:path/posix'
import picomatch from 'picomatch'
import type { ChangeSet, CodeProblem } from '../../change/change.ts'
import {
  codeFile,
  declaresTest,
  importedFiles,
  isPlainTest,
  isTestFile,
} from '../../source/source.ts'
import { foldName, stepsTo } from '../../text/text.ts'

/** Folders that hold tests, in the layouts of the common test runners. */
const testFolder = /^(?:tests?|__tests__|specs?|unit|integration|e2e)$/i

/** `a.test`, `a_spec`, `test_a`, `ATest`, `TestA` → `a`, `A`. */
const testMark = /^(?:tests?[_-])|[._-](?:tests?|spec|e2e)$|(?<=[a-z0-9])Tests?$|^Test(?=[A-Z])/g

/** Names that say nothing: their tests must also be in the matching folder. */
const vague = /^(?:index|main|mod|lib|init|__init__|app|types|utils?|helpers?)$/i

/**
 * Returns true when a task with this `**Files**` line may change the path; an empty scope allows
 * all.
 *
 * In scope are a path or glob as given, everything below a given folder (`src/` or `src`), and the
 * tests of those files, because no change is done without its test: a file that is marked as a test
 * (`.test`, `.spec`, `_test`, `test_`, `FooTest`) or is in a test folder, and has the same stem as
 * a file in scope, wherever it is. For globs and for names like `index`, the folder must fit as
 * well once `test` is removed from it or replaced by `src`. A file that is named `test` alone tests everything in its
 * folder and below.
 */
export function inScope(path: string, scope: readonly string[]): boolean {
  if (isGiven(path, scope)) return true
  const entries = entriesOf(scope)
  if (entries.some((entry) => isOnlyTest(path, entry))) return true
  const subjects = subjectsOf(path)
  if (subjects.length === 0) return false
  return entries.some(
    (entry) => isSameStem(entry, path) || subjects.some((subject) => covers(entry, subject)),
  )
}

/** Returns true for a path that the scope itself gives, and not for the tests of its files. */
export const isGiven = (path: string, scope: readonly string[]): boolean =>
  scope.length === 0 || entriesOf(scope).some((entry) => covers(entry, path))

const entriesOf = (scope: readonly string[]): readonly string[] =>
  scope.map((entry) => entry.trim().replace(/^\.\//, '')).filter((entry) => entry !== '')

function covers(entry: string, path: string): boolean {
  const folder = entry.replace(/\/+$/, '')
  if (path === folder || path.startsWith(`${folder}/`)) return true
  return isGlob(entry) && picomatch(entry, { dot: true, nonegate: true })(path)
}

/** Small projects have one `test.js` for all of their code, Django one `tests.py` for each app. */
function isOnlyTest(path: string, entry: string): boolean {
  const folder = dirname(path)
  const isBelow = folder === '.' || entry.startsWith(`${folder}/`)
  return isBelow && codeFile.test(path) && /^tests?$/.test(stemOf(path))
}

function isSameStem(entry: string, path: string): boolean {
  if (isGlob(entry) || entry.endsWith('/')) return false
  const stem = stemOf(entry)
  return !vague.test(stem) && stem === unmarked(stemOf(path))
}

/** The paths that a test file may be the test of; none for other files. */
function subjectsOf(path: string): readonly string[] {
  const name = basename(path)
  const stem = stemOf(name)
  const folders = dirname(path)
    .split('/')
    .filter((folder) => folder !== '.')
  const isMarked = unmarked(stem) !== stem
  const index = folders.findIndex((folder) => testFolder.test(folder))
  if (!isMarked && index < 0) return []
  const subject = unmarked(stem) + name.slice(stem.length)
  const below = folders.filter((folder) => !testFolder.test(folder))
  const instead = folders.map((folder) => (testFolder.test(folder) ? 'src' : folder))
  const mirrored = folders.map((folder, at) => (at === index ? 'main' : folder))
  const places = [folders, below, instead, ['src', ...below], ['lib', ...below], mirrored]
  return places.map((place) => [...place, subject].join('/'))
}

const unmarked = (stem: string): string => stem.replace(testMark, '')

/** The name without its last ending; `a.d.ts` is `a.d`. */
const stemOf = (path: string): string => parse(path).name

const isGlob = (entry: string): boolean => /[*?[{!(]/.test(entry)

/**
 * Returns true for a new file that tests code of the scope, whatever it is called: no change is done without its test.
 * Its name is that of a test and of nothing that other tests load, it declares a test, and it reaches code of the scope:
 * by an import in JavaScript, TypeScript and Python, from the same folder in Go, by that or a file's name elsewhere.
 *
 * @param paths of the start commit and of the change
 */
export function testsScope(
  { path, content }: { readonly path: string; readonly content: string },
  scope: readonly string[],
  paths: ReadonlySet<string>,
): boolean {
  if (!isPlainTest(path) || !declaresTest(path, content)) return false
  const isTested = (other: string) =>
    codeFile.test(other) && !isTestFile(other) && inScope(other, scope)
  if (/\.(?:[cm]?[jt]sx?|pyi?)$/i.test(path)) {
    return importedFiles(path, content, (each) => paths.has(each)).some(
      (each) => isTested(each) || opensFolder(each, scope),
    )
  }
  const reaches = reachOf(path, content)
  return [...paths].some((each) => reaches(each) && isTested(each))
}

/** An index stands for the files in and below its folder. */
const opensFolder = (path: string, scope: readonly string[]): boolean =>
  /^(?:index|__init__)\.\w+$/.test(posix.basename(path)) &&
  scope.some((entry) => codeFile.test(entry) && isBelow(entry, posix.dirname(path)))

const isBelow = (path: string, folder: string): boolean =>
  folder === '.' || path.startsWith(`${folder}/`)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Tells files of the same folder, and those of the package around the test's folder that its text names. */
function reachOf(path: string, text: string): (other: string) => boolean {
  const own = posix.dirname(path)
  if (path.endsWith('.go')) return (other) => other.endsWith('.go') && posix.dirname(other) === own
  const folders = own.split('/')
  const at = folders.findIndex((folder) => testFolder.test(folder))
  const around = at > 0 ? folders.slice(0, at).join('/') : '.'
  const words = new Set((text.match(/[\p{L}\p{N}_]+/gu) ?? []).map(plain))
  return (other) =>
    posix.dirname(other) === own ||
    (isBelow(other, around) &&
      (/(?:^|\/)(?:lib|main|mod)\.rs$/.test(other) || words.has(plain(posix.parse(other).name))))
}

/** git's mode of every path at the start commit. */
type Modes = ReadonlyMap<string, string>

const links: Readonly<Record<string, string>> = {
  '120000': 'a symbolic link',
  '160000': 'another repository (submodule)',
}

/**
 * Checks that the changes fit their tree: nothing goes through a link, no path is file and folder
 * at once, no two paths differ only in case, and each change is about a file that exists, or does
 * not yet.
 */
export function checkTree(changes: ChangeSet, modes: Modes): readonly CodeProblem[] {
  const spellings = spellingsOf(modes.keys())
  const created = new Map<string, string>()
  const changed = new Set(changes.map((change) => change.path))
  return changes.flatMap(({ path, action }) => {
    const message =
      linkOnTheWay(path, modes) ??
      (action === 'create'
        ? whyNotCreate(path, modes, spellings)
        : modes.has(path)
          ? undefined
          : 'is not a file of the start commit') ??
      parentsOf(path)
        .find((parent) => changed.has(parent))
        ?.concat(' is a file in this change') ??
      collision(path, created)
    if (message !== undefined) return [{ path, type: 'tree', message, line: 0, column: 0 }]
    for (const step of stepsTo(path)) created.set(foldName(step), step)
    return []
  })
}

function linkOnTheWay(path: string, modes: Modes): string | undefined {
  for (const step of stepsTo(path)) {
    const link = links[modes.get(step) ?? '']
    if (link) return step === path ? `is ${link}` : `is reached through ${step}, which is ${link}`
  }
  return undefined
}

function whyNotCreate(
  path: string,
  modes: Modes,
  spellings: ReadonlyMap<string, string>,
): string | undefined {
  if (modes.has(path)) return 'already exists, and is too large or not text'
  const file = parentsOf(path).find((parent) => modes.has(parent))
  if (file !== undefined) return `is below ${file}, which is a file`
  if (spellings.get(foldName(path)) === path) return 'is a folder'
  return collision(path, spellings)
}

/** Names a path or folder that differs from this one only in case. */
function collision(path: string, spellings: ReadonlyMap<string, string>): string | undefined {
  const others = stepsTo(path).flatMap((step) => {
    const other = spellings.get(foldName(step))
    return other === undefined || other === step ? [] : [other]
  })
  return others[0] && `differs from ${others[0]} only in upper and lower case`
}

/** Finds every path and every folder by its folded name. */
function spellingsOf(paths: Iterable<string>): ReadonlyMap<string, string> {
  const known = new Set<string>()
  for (const path of paths) {
    for (const step of stepsTo(path).toReversed()) {
      if (known.has(step)) break
      known.add(step)
    }
  }
  return new Map([...known].map((step) => [foldName(step), step]))
}

const parentsOf = (path: string): readonly string[] => stepsTo(path).slice(0, -1)
