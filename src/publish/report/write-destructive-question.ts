import { changesOf } from '../../core/domain/attempt.ts'
import type { Attempt } from '../../core/domain/run-state.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'

/** Of a change that is asked about, on a terminal. */
const longestPatch = 6_000
const mostShown = 20

/** What a person at a terminal reads before destructive operations are written and run. */
export function writeDestructiveQuestion({ destructive, draft }: Attempt): string {
  const shown = destructive
    .slice(0, mostShown)
    .flatMap(({ category, path, line, operation, why }) => [
      `  ${category.padEnd(10)}  ${path}:${line}  ${operation}`,
      `  ${''.padEnd(10)}  ${why}`,
    ])
  const more = destructive.length - mostShown
  return [
    'The change contains destructive operations. Nothing was written or run yet.',
    '',
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    'The change:',
    writePatch(changesOf(draft), longestPatch).trimEnd(),
    '',
    'To approve covers just these operations: the change is written, tested and committed.',
  ].join('\n')
}
