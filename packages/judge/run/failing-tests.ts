import type { ChangeSet, CodeProblem, Draft } from '../../change/change.ts'
import { isTestFile } from '../../source/source.ts'
import { identity } from '../compare/read-outcome.ts'
import type { Words } from '../judging.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'

/** A change that was tried, with what its tests said. */
export interface TriedChange {
  readonly task: Words
  readonly draft: Pick<Draft, 'changes'> | null
  /** `null` before tests have run. */
  readonly tests: TestReport | null
  /** Failures that only this change caused. */
  readonly broken: readonly TestFailure[]
  /** What its checks found, of files that did not pass them. */
  readonly problems: readonly CodeProblem[]
  readonly failure: { readonly message: string } | null
}

/**
 * Files that no repair may change: those of failing tests that existed before this attempt.
 * Excludes files that only a linter names, and tests that the attempt itself wrote.
 */
export function failingTests({
  broken,
  draft,
  tests,
}: Pick<TriedChange, 'broken' | 'draft' | 'tests'>): ReadonlySet<string> {
  const lint = (tests?.commands ?? []).filter(({ role }) => role === 'lint')
  const linted = new Set(lint.flatMap(({ failures }) => failures.map(identity)))
  const own = createdBy(draft?.changes ?? [])
  const files = broken
    .filter((each) => !linted.has(identity(each)))
    .flatMap(({ file }) => file ?? [])
  return new Set(files.filter((path) => isTestFile(path) && !own.has(path)))
}

/** The files that a change creates. */
export const createdBy = (changes: ChangeSet): ReadonlySet<string> =>
  new Set(changes.filter(({ action }) => action === 'create').map(({ path }) => path))
