import { createRandom } from '../../bench/statistics.ts'
import type { FileChange } from '../answer.ts'
import { changedLines, lineChanges, linesOf } from '../line-changes.ts'
import { isSourceAlone } from './real-commit.ts'

/** The change without one hunk of its source, drawn by the seed; `null` where the source has none of its own. */
export function leaveOut(
  changes: readonly FileChange[],
  seed: number,
): readonly FileChange[] | null {
  const hunks = changes.filter(isSourceAlone).flatMap((file) => {
    const found = file.before === null || file.after === null ? [0] : hunksOf(file).keys()
    return [...found].map((index) => ({ file, index }))
  })
  const drawn = hunks[Math.floor(createRandom(seed)() * hunks.length)]
  if (drawn === undefined) return null
  return changes.flatMap((file) => (file === drawn.file ? without(file, drawn.index) : [file]))
}

const hunksOf = ({ before, after }: FileChange) => lineChanges(before ?? '', after ?? '')

function without(file: FileChange, index: number): readonly FileChange[] {
  const { before, after } = file
  const hunks = hunksOf(file)
  if (before === null || after === null || hunks.length < 2) return []
  const kept = hunks.filter((_, at) => at !== index)
  return [{ ...file, after: changedLines(linesOf(before), kept) }]
}
