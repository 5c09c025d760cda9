import { posix } from 'node:path'
import { contentAfter, contentBefore, type FileChange, type Tree } from '../../change/change.ts'
import { counterparts, importedFiles, isTestFile } from '../../source/source.ts'
import type { CommandReport, TestFailure, TestReport } from '../results/test-report.ts'
import { readOutline } from '../tampering/read-outlines.ts'
import { earlier, failureSaying, ranTests } from './read-outcome.ts'

/** A tree that contains a change. */
export type ChangedTree = Pick<Tree, 'changes' | 'paths' | 'read'>

const mostFiles = 2000
const mostNamed = 10

function testsIn(report: TestReport | null) {
  const all = report?.commands ?? []
  const tests = all.filter(({ role }) => role === undefined)
  const sum = (of: (command: CommandReport) => number) =>
    all.reduce((total, command) => total + of(command), 0)
  return {
    /** Names of the tests that ran. */
    ran: new Set(tests.flatMap(({ titles = [] }) => titles.map(baseOf))),
    areNamed: tests.every(({ titles }) => titles !== undefined),
    /** The report says that every test ran. */
    isWhole: tests.length > 0 && report?.notRun === undefined,
    count: sum(ranTests),
    skipped: sum(({ counts }) => counts?.skipped ?? 0),
    redPlaces: new Set(
      all.flatMap(({ failures }) => failures.flatMap(({ file }) => (file ? placeOf(file) : []))),
    ),
  }
}

/** Go compiles the files of a folder together. */
const placeOf = (path: string): string => (path.endsWith('.go') ? posix.dirname(path) : path)

/** Reduces a title to the name in the source: `test_a[1-2]`, `TestA/first`, `adds(int)[1]`. */
export const baseOf = (title: string): string => /^([A-Za-z_]\w*)[[({/]/.exec(title)?.[1] ?? title

/**
 * Finds tests that ran before and no longer do although the tree still contains them. Matches
 * names, so a test may move. Skips names generated at run time, which no source contains.
 */
export async function findMissing(
  before: TestReport | null,
  after: TestReport,
  { changes, paths, read }: ChangedTree,
): Promise<readonly TestFailure[]> {
  const files = new Set(paths.flatMap((path) => [path, moduleOf(path)]))
  const missing = after.commands
    .flatMap((command) => {
      const was = earlier(before, command)
      return was === null ? [] : missingIn(was, command)
    })
    .filter(({ full }) => !files.has(full))
  if (missing.length === 0) return []
  const texts = await read(paths.filter((path) => isTestFile(path)).slice(0, mostFiles))
  const changed = changes.filter(({ path }) => isTestFile(path))
  const placeOf = finderIn(texts, missing)
  const isTakenOut = ({ title }: Missing) =>
    changed.some(
      (each) =>
        timesIn(contentAfter(each) ?? '', title) < timesIn(contentBefore(each) ?? '', title),
    )
  const isMoved = ({ title, isFewer }: Missing) =>
    isFewer && changed.some((each) => leavesItsClass(title, each))
  const found: TestFailure[] = []
  for (const each of missing) {
    const { title, command } = each
    const file = placeOf(title)
    if (file === undefined || isTakenOut(each) || isMoved(each)) continue
    const message = `It ran before this change in ${command}, is still in the tree, but no longer runs: something prevents it.`
    found.push({ ...failureSaying(title, message), file })
    if (found.length === mostNamed) break
  }
  return found
}

const words = /[\p{L}\p{N}_]+/gu

/** Finds the text with a test of that name, searching only texts that contain its rarest word. */
function finderIn(texts: ReadonlyMap<string, string>, missing: readonly Missing[]) {
  const wanted = new Set(missing.flatMap(({ title }) => title.match(words) ?? []))
  const holders = new Map<string, string[]>([...wanted].map((word) => [word, []]))
  for (const [path, text] of texts) {
    for (const word of new Set(text.match(words))) holders.get(word)?.push(path)
  }
  return (title: string): string | undefined => {
    const lists = (title.match(words) ?? []).map((word) => holders.get(word) ?? [])
    const [fewest = [...texts.keys()]] = lists.sort((one, other) => one.length - other.length)
    return fewest.find((path) => isTestIn(texts.get(path) ?? '', title))
  }
}

/** A test's name is a string or a function's name; any other occurrence means something else. */
const isTestIn = (text: string, title: string): boolean =>
  placesOf(text, title).some((at) => {
    const [before, after] = [text[at - 1] ?? '', text[at + title.length] ?? '']
    if (/["'`]/.test(before)) return before === after
    return /[()]/.test(after) || /\bdef $/.test(text.slice(Math.max(0, at - 5), at))
  })

/** Names an unloadable file as pytest does; Node.js uses its path. */
const moduleOf = (path: string): string => path.replace(/\.\w+$/, '').replaceAll('/', '.')

interface Missing {
  readonly title: string
  /** The first of its names, as the runner reports it. */
  readonly full: string
  readonly command: string
  /** It still runs, less often than before. */
  readonly isFewer: boolean
}

function missingIn(was: CommandReport, is: CommandReport): readonly Missing[] {
  if (was.titles === undefined || is.titles === undefined || was.timedOut || is.timedOut) return []
  const [had, has] = [was, is].map(({ titles = [] }) => Map.groupBy(titles, baseOf))
  return [...(had ?? [])].flatMap(([title, all]) => {
    const now = has?.get(title)?.length ?? 0
    // How often a table-driven test runs may change.
    const isTable = all.some((each) => each !== title)
    return now === 0 || (now < all.length && !isTable)
      ? { title, full: all[0] ?? title, command: is.command, isFewer: now > 0 }
      : []
  })
}

/** A test that other classes inherit runs once where the change makes it a function. */
function leavesItsClass(title: string, change: FileChange): boolean {
  if (!/^\w+$/.test(title)) return false
  const method = new RegExp(`^[ \\t]+(?:async )?def ${title}\\b`, 'm')
  const [was = '', is = ''] = [contentBefore(change), contentAfter(change)]
  return (
    method.test(was) && !method.test(is) && new RegExp(`^(?:async )?def ${title}\\b`, 'm').test(is)
  )
}

export const timesIn = (text: string, title: string): number => placesOf(text, title).length

function placesOf(text: string, title: string): readonly number[] {
  if (title === '') return []
  const places: number[] = []
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + title.length)) {
    const isWhole = !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + title.length] ?? '')
    if (isWhole) places.push(at)
  }
  return places
}

interface UnrunFile {
  readonly path: string
  /** The runner accepts such files: tests of a similar file beside this one ran. */
  readonly isAccepted: boolean
}

/**
 * Finds new test files of which no test ran. Where runners report only counts, the total has not
 * grown, and only accepted files are found.
 */
export async function findUnrun(
  before: TestReport | null,
  after: TestReport,
  { changes, paths, read }: ChangedTree,
): Promise<readonly UnrunFile[]> {
  const created = changes.filter(({ action, path }) => action === 'create' && isTestFile(path))
  const [was, is] = [testsIn(before), testsIn(after)]
  if (created.length === 0 || !is.isWhole) return []
  if (!is.areNamed && (before === null || is.count === 0 || is.count > was.count)) return []
  const texts = changes.flatMap((change) => contentAfter(change) ?? [])
  const fresh = [...is.ran].filter((title) => !was.ran.has(title))
  const isNamed = (title: string, text: string) => timesIn(text, title) > 0
  // A new name that no text contains may be generated in one of these files.
  if (fresh.some((title) => !texts.some((text) => isNamed(title, text)))) return []
  const ran = (titles: readonly string[]) => titles.some((title) => is.ran.has(baseOf(title)))
  const found = await Promise.all(
    created.map(async (change): Promise<readonly UnrunFile[]> => {
      const { path } = change
      const text = contentAfter(change) ?? ''
      const own = await titlesOf(path, text)
      if (own.length === 0 || ran(own) || fresh.some((title) => isNamed(title, text))) return []
      const like = paths.filter((each) => isLike(each, path))
      for (const each of await read(like.slice(0, mostFiles))) {
        const titles = await titlesOf(...each)
        if (is.areNamed ? ran(titles) : titles.length > 0) return [{ path, isAccepted: true }]
      }
      return is.areNamed ? [{ path, isAccepted: false }] : []
    }),
  )
  return found.flat()
}

/**
 * Finds test files that failed to build or load before and no longer do, although none of their
 * tests runs: something ends them earlier. Compares whole folders where they are built together.
 */
export async function findSilenced(
  before: TestReport | null,
  after: TestReport,
  { paths, read }: ChangedTree,
): Promise<readonly TestFailure[]> {
  const [was, is] = [testsIn(before), testsIn(after)]
  if (!is.isWhole || !is.areNamed || is.skipped > was.skipped) return []
  const isFixed = (place: string) => was.redPlaces.has(place) && !is.redPlaces.has(place)
  const files = paths.filter((path) => isTestFile(path) && isFixed(placeOf(path)))
  const texts = await read(files.slice(0, mostFiles))
  const found: TestFailure[] = []
  for (const group of Map.groupBy(texts, ([path]) => placeOf(path)).values()) {
    const own = (await Promise.all(group.map((each) => titlesOf(...each)))).flat()
    const [file = ''] = group[0] ?? []
    if (own.length === 0 || own.some((title) => is.ran.has(baseOf(title)))) continue
    const message = `${file} could not be run before this change, and none of its tests runs now: something prevents them from running.`
    found.push({ ...failureSaying(own[0] ?? file, message), file })
  }
  return found.slice(0, mostNamed)
}

/**
 * Finds commands that reported test names before the change and report only counts now: a different
 * runner runs them, and any program can print counts.
 */
export const findUnnamed = (before: TestReport | null, after: TestReport): readonly string[] =>
  after.commands.flatMap((command) => {
    const was = earlier(before, command)?.titles ?? []
    return was.length > 0 && command.titles === undefined && command.counts !== null
      ? command.command
      : []
  })

async function titlesOf(path: string, text: string): Promise<readonly string[]> {
  const { tests } = await readOutline(path, text)
  return tests.filter(({ state }) => state === 'runs').map(({ title }) => title)
}

/** Returns true for files of the same folder with the same naming scheme for tests. */
const isLike = (path: string, created: string): boolean =>
  path !== created &&
  posix.dirname(path) === posix.dirname(created) &&
  markOf(path) === markOf(created)

/** `test_*.py`, `*.spec.ts` */
const markOf = (path: string): string =>
  posix
    .basename(path)
    .replace(/^(test[_-])?.*?((?:[._-](?:tests?|specs?)|Tests?|Spec|IT)?\.\w+)$/, '$1*$2')

/**
 * Finds failing tests of the files that this change wrote, whether they failed before or not. Of a panic or an uncaught
 * error, runners name the source, and not the test: such a file, or one that the stack names, is enough. Linters run no
 * tests.
 */
export async function findStillRed(
  report: TestReport,
  { changes, paths, read }: ChangedTree,
): Promise<readonly TestFailure[]> {
  const tests = report.commands.filter(({ role }) => role !== 'lint')
  const failures = tests.flatMap((command) => command.failures)
  const files = [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [file])))]
  const changed = new Set(changes.map(({ path }) => path))
  const named = new Set([...changed].flatMap((path) => counterparts(path, paths)))
  const texts = await read(files)
  const known = new Set(paths)
  const importsChanged = (path: string) =>
    importedFiles(path, texts.get(path) ?? '', (each) => known.has(each)).some((target) =>
      changed.has(target),
    )
  const own = new Set(files.filter((path) => named.has(path) || importsChanged(path)))
  return failures.filter(({ file, trace }) =>
    [...(file === null ? [] : [file]), ...trace.map(pathOfFrame)].some(
      (path) => own.has(path) || changed.has(path),
    ),
  )
}

/** `src/a.rs:12:5` → `src/a.rs` */
const pathOfFrame = (frame: string): string => frame.replace(/(?::\d+)+$/, '')
