import { changesOf, openTree, type TreeEntry } from '../../../packages/change/change.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import { counterparts, isTestFile } from '../../../packages/source/source.ts'
import { clip, nameSome, showText } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { CodeIndex } from '../../core/ports/code-index.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { type RankedCode, rankCode, soughtWords } from './rank-code.ts'
import { MOST_READ, readablePaths } from './similar-files.ts'

/** Asks an index of these files; `null` when there is none. */
export type LookUp = <T>(
  paths: readonly string[],
  ask: (index: CodeIndex) => T,
) => Promise<T | null>

/** The index of this commit's code, where the workspace has one. */
export function lookUpAt(workspace: Pick<Workspace, 'lookUp'>, sha: string): LookUp | undefined {
  if (workspace.lookUp === undefined) return undefined
  return async (paths, ask) => (await workspace.lookUp?.(sha, paths, ask)) ?? null
}

/** An index shows parts of files, so a file may be larger than one whose text is searched whole. */
const mostBytes = 250_000

/** The files that an index is about; none of a project that is small enough to be searched whole. */
export function indexedPaths(files: readonly TreeEntry[], roadmap: string): readonly string[] {
  const paths = readablePaths(files, roadmap, mostBytes)
  return paths.length > MOST_READ ? paths : []
}

export interface FoundCode extends RankedCode {
  /** Files that import those that the task is about, by path. */
  readonly importers: ReadonlyMap<string, readonly string[]>
  /** The subjects of the last commits that changed these, by path. */
  readonly lastChanges: ReadonlyMap<string, string>
}

interface Searched {
  readonly files: readonly TreeEntry[]
  readonly roadmap: string
  readonly lookUp?: LookUp | undefined
}

/** Finds the code that a text is about, and the files that import these; `null` without an index. */
export async function seekCode(
  { files, roadmap, lookUp }: Searched,
  prose: string,
  about: readonly string[],
): Promise<FoundCode | null> {
  if (lookUp === undefined) return null
  const paths = indexedPaths(files, roadmap)
  if (paths.length === 0) return null
  return lookUp(paths, (index) => ({
    ...rankCode(index, soughtWords(prose)),
    importers: new Map(about.map((path) => [path, index.importers(path)])),
    lastChanges: new Map(
      about.flatMap((path) => {
        const last = index.commits.find(({ paths: changed }) => changed.includes(path))
        return last === undefined ? [] : [[path, last.title]]
      }),
    ),
  }))
}

const mostSubjects = 3
const mostImporters = 4
const mostCharacters = 400

/** `src/cart.ts is imported by src/page.ts, test/cart.test.ts and 3 more`: what a change may break. */
export function importersNote(code: Pick<FoundCode, 'importers'> | null): string {
  const lines = [...(code?.importers ?? [])]
    .filter(([, importers]) => importers.length > 0)
    .slice(0, mostSubjects)
    .map(([path, importers]) => `${path} is imported by ${nameSome(importers, mostImporters)}`)
  return lines.join('\n').slice(0, mostCharacters)
}

/** In characters. */
const longestSubject = 80

/** `src/cart.ts: last change "Round the totals"`. A subject is anybody's words, so it is short, quoted and cleaned. */
export function lastChangesNote(code: Pick<FoundCode, 'lastChanges'> | null): string {
  const lines = [...(code?.lastChanges ?? [])].slice(0, mostSubjects).map(([path, subject]) => {
    const words = showText('', subject)
      .text.replaceAll(/[\p{C}\s"`]+/gu, ' ')
      .trim()
    return `${path}: last change "${clip(words, longestSubject)}"`
  })
  return lines.join('\n').slice(0, mostCharacters)
}

type Places = Pick<Ports, 'workspace' | 'settings'>

/**
 * Counts the files that import what the change modifies or deletes, tests aside, and those of them that have a test.
 * Empty without an index.
 */
export async function countTouched(
  { draft, start }: Pick<Attempt, 'draft' | 'start'>,
  { workspace, settings }: Places,
): Promise<Pick<Receipt, 'touches'>> {
  const changes = changesOf(draft).filter(({ action }) => action !== 'create')
  const changed = new Set(changes.map(({ path }) => path))
  const { files } = await openTree(start.sha, workspace)
  const paths = indexedPaths(files, settings.roadmap)
  if (changed.size === 0 || paths.length === 0) return {}
  const touches = await lookUpAt(workspace, start.sha)?.(paths, (index) => {
    const all = new Set([...changed].flatMap((path) => index.importers(path)))
    const importers = [...all].filter((path) => !changed.has(path) && !isTestFile(path))
    const isTested = (path: string) =>
      counterparts(path, paths).length > 0 || index.importers(path).some((each) => isTestFile(each))
    return { importers: importers.length, tested: importers.filter(isTested).length }
  })
  return touches == null ? {} : { touches }
}
