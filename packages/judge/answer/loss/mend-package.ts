import { posix } from 'node:path'
import { maskCurly } from '../../../source/source.ts'

/** How a language names the package of a file; its first group is the name. */
const clauses: Readonly<Record<string, { clause: RegExp; write: (name: string) => string }>> = {
  '.go': { clause: /^package[ \t]+(\w+)/m, write: (name) => `package ${name}` },
  '.java': { clause: /^package[ \t]+([\w.]+)[ \t]*;/m, write: (name) => `package ${name};` },
}

/** A file like this says itself that it belongs to no package of its folder. */
const standsApart = /^\/\/go:build\b|^\/\/ \+build\b/m

const isBeside = (path: string, other: string): boolean =>
  posix.dirname(path) === posix.dirname(other) && posix.extname(path) === posix.extname(other)

/** Paths of the files whose package a new file of this path shares, a few of them; for a test also tests. */
export function packageNeighbours(path: string, paths: readonly string[]): readonly string[] {
  const extension = posix.extname(path)
  if (clauses[extension] === undefined) return []
  const neighbours = paths.filter((each) => isBeside(each, path))
  const [tests, others] = [true, false].map((isTest) =>
    neighbours.filter((each) => each.endsWith('_test.go') === isTest).slice(0, 4),
  )
  return [...(others ?? []), ...(path.endsWith('_test.go') ? (tests ?? []) : [])]
}

/**
 * Names in a new file the package of the files beside it, where all of them name one: Go refuses a folder with two, and
 * a weak model names the file instead. Tests in Go may also be in that package with `_test`.
 *
 * @param neighbours texts by path, those of `packageNeighbours` among them
 */
export function mendPackage(
  path: string,
  text: string,
  neighbours: ReadonlyMap<string, string>,
): string {
  const { clause, write } = clauses[posix.extname(path)] ?? {}
  if (clause === undefined || write === undefined || standsApart.test(text)) return text
  // A comment above may begin a line with the word.
  const find = (of: string) => clause.exec(maskCurly(of, ''))
  const named = [...neighbours].filter(
    ([each, of]) => isBeside(each, path) && !standsApart.test(of),
  )
  const isTest = path.endsWith('_test.go')
  const namesOf = (areTests: boolean) =>
    new Set(
      named.flatMap(([each, of]) =>
        each.endsWith('_test.go') === areTests ? (find(of)?.[1] ?? []) : [],
      ),
    )
  const [own, tests] = [namesOf(false), namesOf(true)]
  const [name] = own.size > 0 ? own : tests
  const found = find(text)
  const fits = (each: string) =>
    own.has(each) || (isTest && (tests.has(each) || each === `${name}_test`))
  if (name === undefined || own.size > 1 || fits(found?.[1] ?? '')) return text
  const [used] = isTest && tests.size === 1 ? tests : [name]
  const line = write(used ?? name)
  if (found === null) return `${line}\n\n${text}`
  return text.slice(0, found.index) + line + text.slice(found.index + found[0].length)
}
