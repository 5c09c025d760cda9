import { createTwoFilesPatch } from 'diff'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import { boundText } from '../words/bound-text.ts'

/** More differences than this in one file are not drawn: the whole new text is. */
const mostDifferences = 4_000

/** A change set as a unified diff of at most so many characters, cut at a line's end and saying so. */
export function writePatch(changes: ChangeSet, limit: number): string {
  return boundText(changes.map(patchOf).join(''), limit)
}

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
  // The line of equal signs is for a list of files, which this is not.
  if (patch !== undefined) return patch.replace(/^=+\n/, '').replaceAll('\t\n', '\n')
  const lines = (after ?? '').split('\n').map((line) => `+${line}`)
  return [`--- ${names[0]}`, `+++ ${names[1]}`, ...lines, ''].join('\n')
}
