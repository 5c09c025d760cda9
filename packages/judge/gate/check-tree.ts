import type { ChangeSet, CodeProblem } from '../../change/change.ts'
import { foldName, stepsTo } from '../../text/text.ts'

/** git's mode of every path at the start commit. */
export type Modes = ReadonlyMap<string, string>

const links: Readonly<Record<string, string>> = {
  '120000': 'a symbolic link',
  '160000': 'another repository (submodule)',
}

/**
 * Checks that the changes fit their tree: nothing goes through a link, no path is file and folder
 * at once, no two paths differ only in case, and each change is about a file that exists, or does
 * not yet.
 */
export function checkTree(changes: ChangeSet, modes: Modes): readonly CodeProblem[] {
  const spellings = spellingsOf(modes.keys())
  const created = new Map<string, string>()
  const changed = new Set(changes.map((change) => change.path))
  return changes.flatMap(({ path, action }) => {
    const message =
      linkOnTheWay(path, modes) ??
      (action === 'create'
        ? whyNotCreate(path, modes, spellings)
        : modes.has(path)
          ? undefined
          : 'is not a file of the start commit') ??
      parentsOf(path)
        .find((parent) => changed.has(parent))
        ?.concat(' is a file in this change') ??
      collision(path, created)
    if (message !== undefined) return [{ path, type: 'tree', message, line: 0, column: 0 }]
    for (const step of stepsTo(path)) created.set(foldName(step), step)
    return []
  })
}

function linkOnTheWay(path: string, modes: Modes): string | undefined {
  for (const step of stepsTo(path)) {
    const link = links[modes.get(step) ?? '']
    if (link) return step === path ? `is ${link}` : `is reached through ${step}, which is ${link}`
  }
  return undefined
}

function whyNotCreate(
  path: string,
  modes: Modes,
  spellings: ReadonlyMap<string, string>,
): string | undefined {
  if (modes.has(path)) return 'already exists, and is too large or not text'
  const file = parentsOf(path).find((parent) => modes.has(parent))
  if (file !== undefined) return `is below ${file}, which is a file`
  if (spellings.get(foldName(path)) === path) return 'is a folder'
  return collision(path, spellings)
}

/** Names a path or folder that differs from this one only in case. */
function collision(path: string, spellings: ReadonlyMap<string, string>): string | undefined {
  const others = stepsTo(path).flatMap((step) => {
    const other = spellings.get(foldName(step))
    return other === undefined || other === step ? [] : [other]
  })
  return others[0] && `differs from ${others[0]} only in upper and lower case`
}

/** Finds every path and every folder by its folded name. */
function spellingsOf(paths: Iterable<string>): ReadonlyMap<string, string> {
  const known = new Set<string>()
  for (const path of paths) {
    for (const step of stepsTo(path).toReversed()) {
      if (known.has(step)) break
      known.add(step)
    }
  }
  return new Map([...known].map((step) => [foldName(step), step]))
}

const parentsOf = (path: string): readonly string[] => stepsTo(path).slice(0, -1)
