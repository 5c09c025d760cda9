import { createTwoFilesPatch } from 'diff'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../packages/change/change.ts'
import { boundText } from '../../packages/text/text.ts'

/** A file with more differences is written whole, not as a diff. */
const mostDifferences = 4_000

/** Writes a unified diff of at most `limit` characters, cut at a line's end with a note. */
export const writePatch = (changes: ChangeSet, limit: number): string =>
  boundText(changes.map(patchOf).join(''), limit)

function patchOf(change: FileChange): string {
  const { path } = change
  const [before, after] = [contentBefore(change), contentAfter(change)]
  const names = [
    before === undefined ? '/dev/null' : `a/${path}`,
    after === undefined ? '/dev/null' : `b/${path}`,
  ] as const
  const patch = createTwoFilesPatch(...names, before ?? '', after ?? '', '', '', {
    context: 3,
    maxEditLength: mostDifferences,
  })
  // The line of equal signs belongs to a list of files, which this is not.
  if (patch !== undefined) return patch.replace(/^=+\n/, '').replaceAll('\t\n', '\n')
  const lines = (after ?? '').split('\n').map((line) => `+${line}`)
  return [`--- ${names[0]}`, `+++ ${names[1]}`, ...lines, ''].join('\n')
}
