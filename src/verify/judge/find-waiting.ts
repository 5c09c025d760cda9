import { posix } from 'node:path'
import type { Task } from '../../core/domain/task.ts'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { findNamedCode } from '../../text/paths/named-code.ts'

/**
 * Finds the red tests that wait for another open task: they name what only that one is about, a function or a file.
 * Empty for a task that names neither.
 */
export function findWaiting(
  failures: readonly TestFailure[],
  task: Task,
  others: readonly Task[],
  paths: readonly string[],
): readonly TestFailure[] {
  const own = namesIn(task, paths)
  if (own.length === 0) return []
  const theirs = others
    .filter(({ id }) => id !== task.id && !task.members?.some((member) => member.id === id))
    .flatMap((other) => namesIn(other, paths))
  return failures.filter(
    ({ test }) =>
      theirs.some((name) => mentions(test, name)) && !own.some((name) => mentions(test, name)),
  )
}

/** The functions that a task marks as code, and the names of its files without their endings. */
function namesIn(task: Task, paths: readonly string[]): readonly string[] {
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
