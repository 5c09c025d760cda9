/**
 * Facts about the work of finished tasks, derived from their commits: the names that each file offers since, and the
 * test that passed. They hold paths, identifiers and commands, never a sentence.
 */
import { createHash } from 'node:crypto'
import {
  exportedNames,
  importStatements,
  isTestFile,
  resolveImport,
} from '../../../packages/source/source.ts'
import { showText } from '../../../packages/text/text.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { factId } from '../../core/fact-id.ts'
import type { Workspace } from '../../core/ports/workspace.ts'

type ExportedName = ReturnType<typeof exportedNames>[number]

/** One fact. It holds as long as its file is as the task left it. */
export interface Fact {
  /** Eight hexadecimal digits, the same wherever the fact is derived. */
  readonly id: string
  /** `made`: a file offers names since. `tested`: a test of them passed. */
  readonly kind: 'made' | 'tested'
  /** The task that the fact is from. */
  readonly task: string
  readonly path: string
  /** The names that the task added; of a test, none. */
  readonly names: readonly ExportedName[]
  /** Of a test: how it imports what it tests. */
  readonly how: string
  /** Of a test: the command that passed. For people only: a replay that skips the tests does not know it. */
  readonly command: string
}

export interface EarlierWork {
  readonly task: string
  readonly title: string
  readonly facts: readonly Fact[]
  /** What identifies the text of each file that the facts are about. */
  readonly texts: ReadonlyMap<string, string>
}

type Work = Pick<TaskResult, 'id' | 'title' | 'verdict' | 'sha' | 'start' | 'receipt'>
type Reads = Pick<Workspace, 'ancestor' | 'changedBetween' | 'readFiles'>

/** Limits of one task: files, characters of a path, of a command, of a specifier. */
const mostFiles = 30
const longestPath = 100
const longestCommand = 80

const known = new WeakMap<object, Map<string, Promise<EarlierWork | null>>>()

/** Derives the facts of a finished task once per process; `null` without a commit to derive them from. */
export function earlierWork(result: Work, workspace: Reads): Promise<EarlierWork | null> {
  const { id, sha, start, verdict } = result
  if (!finished.has(verdict) || !isCommit(sha) || !isCommit(start)) return Promise.resolve(null)
  const works = known.get(workspace) ?? new Map<string, Promise<EarlierWork | null>>()
  known.set(workspace, works)
  const key = `${id} ${start} ${sha}`
  const found = works.get(key)
  if (found !== undefined) return found
  const work = derive(result, { sha, start }, workspace)
  works.set(key, work)
  // A failed read is repeated.
  work.catch(() => works.delete(key))
  return work
}

const finished: ReadonlySet<string> = new Set(['done', 'in_review', 'unverified'])

const isCommit = (sha: string | null): sha is string =>
  sha !== null && /^[0-9a-f]{40,64}$/.test(sha)

async function derive(
  { id, title, receipt }: Work,
  { sha, start }: { readonly sha: string; readonly start: string },
  workspace: Reads,
): Promise<EarlierWork | null> {
  for (const commit of [sha, start]) if ((await workspace.ancestor(commit, 0)) === null) return null
  const changed = (await workspace.changedBetween(start, sha))
    .filter(
      ({ status, path, newMode }) =>
        status !== 'deleted' && newMode.startsWith('100') && isPlain(path),
    )
    .map(({ path }) => path)
    .slice(0, mostFiles)
  const [before, after] = [
    await workspace.readFiles(start, changed),
    await workspace.readFiles(sha, changed),
  ]
  const made = [...after].flatMap(([path, text]) => {
    const had = new Set(visibleNames(path, before.get(path) ?? '').map(({ name }) => name))
    const names = isTestFile(path, text)
      ? []
      : visibleNames(path, text).filter(({ name }) => !had.has(name))
    return names.length === 0
      ? []
      : [factOf({ kind: 'made', task: id, path, names, how: '', command: '' })]
  })
  const tested = made.length === 0 ? [] : testsOf(id, after, made, commandOf(receipt))
  const facts = [...made, ...tested]
  const texts = new Map(facts.map(({ path }) => [path, textId(after.get(path) ?? '')]))
  return { task: id, title, facts, texts }
}

/** The names that a model may see: hidden text is stripped before, and a fact has no room for much. */
export const visibleNames = (path: string, text: string): readonly ExportedName[] =>
  exportedNames(path, showText(path, text).text)

/** Letters, digits and `_ . @ + - /`: no spaces, so no sentences, and nothing invisible. */
const isPlain = (path: string): boolean =>
  path.length <= longestPath && /^[\p{L}\p{N}_.@+/-]+$/u.test(path)

/** The first test that the task added or changed and that imports what it made. */
function testsOf(
  task: string,
  texts: ReadonlyMap<string, string>,
  made: readonly Fact[],
  command: string,
): readonly Fact[] {
  const paths = new Set(made.map(({ path }) => path))
  for (const [path, text] of texts) {
    if (!isTestFile(path, text) || paths.has(path)) continue
    const statement = importStatements(path, text).find(
      ({ specifier }) => resolveImport(path, specifier, (target) => paths.has(target)) !== null,
    )
    const specifier = isPlain(statement?.specifier ?? '') ? `imports ${statement?.specifier}` : ''
    const fact = { kind: 'tested', task, path, names: [], how: specifier, command } as const
    if (specifier + command !== '') return [factOf(fact)]
  }
  return []
}

/** The first command that passed, if it is one short line of plain characters. */
function commandOf(receipt: Work['receipt']): string {
  if (receipt?.result !== 'passed') return ''
  const command = receipt.commands.find(({ exitCode }) => exitCode === 0)?.command ?? ''
  return command.length <= longestCommand && /^[\w ./:=@+-]*$/.test(command) ? command : ''
}

function factOf(fact: Omit<Fact, 'id'>): Fact {
  const { kind, path, names, how } = fact
  return { id: factId(kind, path, ...names.map(({ form }) => form), how), ...fact }
}

export const textId = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A fact in a line: `src/money.js: formatMoney(cents, currency)`. */
export function describeFact(
  { path, names, how, kind }: Fact,
  longest = Number.POSITIVE_INFINITY,
): string {
  if (kind === 'tested') return how === '' ? path : `${path}: ${how}`
  const parts: string[] = []
  let left = longest - path.length - 2 - ' and 99 more'.length
  for (const { form } of names) {
    left -= form.length + 2
    if (left < 0) break
    parts.push(form)
  }
  const more = names.length - parts.length
  if (parts.length === 0) return `${path}: ${names[0]?.name ?? ''}`
  return `${path}: ${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
