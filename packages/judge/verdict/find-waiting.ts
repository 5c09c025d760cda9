import { posix } from 'node:path'
import { definitionsOf, findNamedCode, isTestFile } from '../../source/source.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { Scope } from '../judging.ts'
import type { TestFailure } from '../results/test-report.ts'

/**
 * Finds the red tests that wait for another open task: they name what only that one is about, a function or a file, or
 * fail in that function. Empty for a task that names neither.
 *
 * @param others the other open tasks
 */
export async function findWaiting(
  failures: readonly TestFailure[],
  task: Scope,
  others: readonly Scope[],
  { paths, read }: Pick<ChangedTree, 'paths' | 'read'>,
): Promise<readonly TestFailure[]> {
  const own = namesIn(task, paths)
  if (own.length === 0) return []
  const theirs = others.flatMap((other) => namesIn(other, paths))
  if (theirs.length === 0) return []
  const texts = await read([...new Set(failures.flatMap((each) => placeOf(each)?.path ?? []))])
  return failures.filter((failure) => {
    const about = [failure.test, ...functionsAt(placeOf(failure), texts)]
    const names = (name: string) => about.some((words) => mentions(words, name))
    return theirs.some(names) && !own.some(names)
  })
}

interface Place {
  readonly path: string
  /** From 1. */
  readonly line: number
}

/** Where a test failed outside of tests: the innermost frame, else what the runner names. */
function placeOf({ file, line, trace: [frame = ''] }: TestFailure): Place | null {
  const [, path = file ?? '', number = line ?? 0] = /^(.+?):(\d+)/.exec(frame) ?? []
  return path === '' || isTestFile(path) ? null : { path, line: Number(number) }
}

function functionsAt(place: Place | null, texts: ReadonlyMap<string, string>): readonly string[] {
  const text = place === null ? undefined : texts.get(place.path)
  if (place === null || text === undefined) return []
  return definitionsOf(place.path, text.split('\n'))
    .filter(({ start, end }) => start < place.line && place.line <= end)
    .map(({ name }) => name)
}

/** The functions that a task marks as code, and the names of its files without their endings. */
function namesIn(task: Scope, paths: readonly string[]): readonly string[] {
  const { files, names } = findNamedCode(task, paths)
  const stems = files.map((path) => posix.basename(path).replace(/\..*$/, ''))
  return [...names, ...stems].filter((name) => name.length > 1)
}

/** `test_flip_case[0]` and `flip_case turns letters` mention `flip_case`. */
function mentions(test: string, name: string): boolean {
  for (let at = test.indexOf(name); at >= 0; at = test.indexOf(name, at + 1)) {
    const isWhole = /^$|[^\p{L}\p{N}]/u.test(test.slice(Math.max(0, at - 1), at))
    if (isWhole && !/^[\p{L}\p{N}]/u.test(test.slice(at + name.length))) return true
  }
  return false
}
