import { type ChangeSet, contentAfter, contentBefore } from '../../change/change.ts'
import { definitionsOf, isBesideTests, isTestFile, newLineNumbers } from '../../source/source.ts'
import { markedNames } from '../../text/text.ts'
import { baseOf, type ChangedTree, timesIn } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import type { Scope, Words } from '../judging.ts'
import { missingModules } from '../prepare/missing-module.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'
import { readOutline } from '../tampering/read-outlines.ts'

/**
 * Finds the red tests of changed files that the change has nothing to do with: each fails as it did before, and its text
 * names a definition of these files that the change leaves alone, but neither what the task marks as code nor a
 * definition that the change touches or that uses such a one. Empty for a task that marks nothing, and for a change
 * outside of definitions.
 */
export async function findUnrelated(
  red: readonly TestFailure[],
  before: TestReport | null,
  { title, details }: Words,
  { changes, read }: Pick<ChangedTree, 'changes' | 'read'>,
): Promise<readonly TestFailure[]> {
  const marked = markedNames(`${title}\n${details}`)
  const named = red.length === 0 || marked.length === 0 ? null : namesIn(changes)
  if (named === null) return []
  const failures = before?.commands.flatMap((command) => command.failures) ?? []
  const was = new Map(failures.map((each) => [identity(each), each.message]))
  const same = red.filter((each) => was.get(identity(each)) === each.message)
  const texts = await read([...new Set(same.flatMap(({ file }) => file ?? []))])
  const found = same.map(async (failure) => {
    const body = (await bodyOf(failure, texts)) ?? ''
    const names = (name: string) => timesIn(body, name) > 0
    const isRelated = [...marked, ...named.touched].some(names)
    return isRelated || !named.others.some(names) ? [] : failure
  })
  return (await Promise.all(found)).flat()
}

interface Named {
  /** Definitions that the change adds, edits or removes, and those that use them. */
  readonly touched: readonly string[]
  readonly others: readonly string[]
}

/** The definitions of the changed files, without tests; `null` when the change edits anything else there. */
function namesIn(changes: ChangeSet): Named | null {
  const product = changes.filter(({ path }) => !isTestFile(path) && !isBesideTests(path))
  const edited = product.map((change) => {
    const [before, after] = [contentBefore(change) ?? '', contentAfter(change) ?? '']
    const [old, now] = [namesAt(change.path, before, after), namesAt(change.path, after, before)]
    return old === null || now === null ? null : [...old, ...now]
  })
  if (edited.includes(null)) return null
  const touched = new Set(edited.flatMap((each) => each ?? []))
  const all = product.flatMap((change) => {
    const lines = (contentAfter(change) ?? '').split('\n')
    return definitionsOf(change.path, lines).map(({ name, start, end }) => {
      return { name, text: lines.slice(start, end).join('\n') }
    })
  })
  // Iterating a set also visits elements that are added meanwhile.
  for (const used of touched)
    for (const { name, text } of all) if (timesIn(text, used) > 0) touched.add(name)
  const others = all.flatMap(({ name }) => (touched.has(name) ? [] : name))
  return others.length === 0 ? null : { touched: [...touched], others }
}

/** The definitions around the lines that the other text lacks; `null` when a statement is in none. */
function namesAt(path: string, text: string, other: string): readonly string[] | null {
  const lines = text.split('\n')
  const definitions = definitionsOf(path, lines)
  const found = [...newLineNumbers(other, text)].map((line) => {
    const around = definitions.filter(({ start, end }) => start < line && line <= end)
    const isPlain = saysNothing.test(lines[line - 1] ?? '')
    return around.length === 0 && !isPlain ? null : around.map(({ name }) => name)
  })
  return found.includes(null) ? null : found.flatMap((each) => each ?? [])
}

/** A line outside of definitions that changes no other one: white space, brackets, a comment, an import. */
const saysNothing =
  /^\s*(?:$|[)}\]]|\/\/|\/?\*|#|--|import\b|from\b|use\b|using\b|package\b|export\s*\{|@)/

/** The source of a failing test with the lines directly above it, up to the next test; `null` when it is not found. */
async function bodyOf(
  { file, test }: TestFailure,
  texts: ReadonlyMap<string, string>,
): Promise<string | null> {
  const text = file === null ? undefined : texts.get(file)
  if (file === null || text === undefined) return null
  const { tests } = await readOutline(file, text)
  const last = test.split(' > ').at(-1) ?? test
  const [found, ...others] = tests.filter(({ title }) => title === last || title === baseOf(last))
  if (found === undefined || others.length > 0) return null
  const lines = text.split('\n')
  const above = lines.slice(0, found.line - 1).findLastIndex((line) => line.trim() === '')
  const next = Math.min(
    lines.length + 1,
    ...tests.map(({ line }) => line).filter((line) => line > found.line),
  )
  return lines.slice(above + 1, next - 1).join('\n')
}

/** `./cart/total.js` names `total`; `shop.total` is one of Python's modules. */
const fileEnding = /\.(?:[cm]?[jt]sx?|json|vue|svelte|h|hh|hpp)$/

/**
 * Finds the red tests that cannot be loaded, neither with the change nor without it, because code beside the tests that
 * the change leaves alone imports a module which is not there: one that a build generates, for example. None where the
 * task names that module, which it may ask for.
 */
export function findBrokenStart(
  red: readonly TestFailure[],
  before: TestReport | null,
  { title, details, files }: Scope,
  { changes }: Pick<ChangedTree, 'changes'>,
): readonly TestFailure[] {
  const failures = before?.commands.flatMap((command) => command.failures) ?? []
  const was = new Map(failures.map((each) => [identity(each), each.message]))
  const words = [title, details, ...files].join('\n')
  return red.filter((failure) => {
    const [innermost = ''] = failure.trace
    const path = innermost.replace(/:\d+$/, '')
    const [missing] = missingModules([failure], [])
    if (missing === undefined || path === '' || isTestFile(path)) return false
    const name =
      missing.specifier
        .replace(fileEnding, '')
        .split(/[./:\\]/)
        .at(-1) ?? ''
    const isLeftAlone = changes.every((change) => change.path !== path)
    return (
      isLeftAlone && timesIn(words, name) === 0 && was.get(identity(failure)) === failure.message
    )
  })
}
