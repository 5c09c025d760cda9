import type { TreeEntry } from '../../../packages/change/change.ts'
import { clip, nameSome, showText } from '../../../packages/text/text.ts'
import type { CodeIndex } from '../../core/ports/code-index.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
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
