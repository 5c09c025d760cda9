import type { FileChange } from '../../core/domain/change-set.ts'

const snapshot =
  /\.(?:snap|ambr|approved\.\w+|verified\.\w+|golden)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots)\//

/** What a change takes from a snapshot file; entries that are only added are none. */
export function changedSnapshots(change: FileChange): readonly string[] {
  if (change.action === 'create' || !snapshot.test(change.path)) return []
  if (change.action === 'delete') return ['the snapshot file was deleted']
  const was = entriesOf(change.before)
  const is = entriesOf(change.content)
  if (was.size === 0) {
    return isContained(change.before, change.content) ? [] : ['the snapshot was rewritten']
  }
  const changed = [...was].filter(([name, text]) => is.has(name) && is.get(name) !== text)
  const gone = [...was.keys()].filter((name) => !is.has(name))
  return [
    ...changed.map(([name]) => `the snapshot "${name}" was rewritten`),
    ...gone.map((name) => `the snapshot "${name}" was deleted`),
  ]
}

/** Of jest, vitest and ava: one entry for each `exports[…]`. */
function entriesOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^exports\[`/m).slice(1)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('`] = ')
      return [end < 0 ? part : part.slice(0, end), part.slice(Math.max(0, end)).trim()]
    }),
  )
}

/** Every earlier line is still there, in its order. */
function isContained(before: string, after: string): boolean {
  const lines = after.split('\n')
  let at = 0
  for (const line of before.split('\n')) {
    at = lines.indexOf(line, at) + 1
    if (at === 0) return line === ''
  }
  return true
}
