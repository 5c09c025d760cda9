import {
  type ChangeSet,
  contentAfter,
  type FileChange,
  type Refusal,
} from '../../../core/domain/change-set.ts'
import type { Task } from '../../../core/domain/task.ts'
import { closestLines } from '../closest-lines.ts'
import { sameLanguage } from './find-users.ts'
import { judgeLoss, type Loss } from './judge-loss.ts'

/** The tree around a change. */
export interface ChangeTree {
  /** Whose words may ask for a loss; `null`: nobody does. */
  readonly task: Pick<Task, 'title' | 'details'> | null
  /** Every path at the start commit. */
  readonly paths: () => Promise<readonly string[]>
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly show: (path: string, text: string) => string
}

/** Users are looked for in so many files of the language, at most. */
const mostFiles = 5_000
const mostNames = 6

/**
 * Files that an answer sends in full although they exist, and that lose something unasked: the first
 * time the model is asked for edits; sent in full again, such a file is taken with a note, unless the
 * rest of the tree uses what it loses.
 *
 * @param whole paths of `changes` that came in full
 * @param asked those of which edits were asked for before
 */
export async function checkReplaced(
  changes: ChangeSet,
  whole: ReadonlySet<string>,
  asked: ReadonlySet<string>,
  around: ChangeTree,
): Promise<{ readonly refusals: readonly Refusal[]; readonly notes: readonly string[] }> {
  const replaced = changes.flatMap((change) =>
    change.action === 'modify' && whole.has(change.path) ? [change] : [],
  )
  if (replaced.length === 0) return { refusals: [], notes: [] }
  const texts = await textsLike(replaced, changes, around)
  const changed = new Set(changes.map(({ path }) => path))
  const refusals: Refusal[] = []
  const notes: string[] = []
  for (const change of replaced) {
    const { path } = change
    const loss = judgeLoss(change, texts, changed, around.task)
    const mayGo = asked.has(path) || loss.entries.length + loss.lines.length === 0
    if (loss.used.size === 0 && mayGo) {
      const lost = describe({ ...loss, used: new Map(loss.unused.map((name) => [name, ''])) })
      if (lost !== '') notes.push(`${path}: was sent in full and loses ${lost}`)
      continue
    }
    refusals.push({
      path,
      reason: `the file in full loses ${describe(loss)}; send only what changes, as SEARCH/REPLACE edits`,
      excerpt: excerptOf(change, around),
      lost: asked.has(path) ? 'again' : 'asked',
    })
  }
  return { refusals, notes }
}

/** The files of the same languages, as they are after the change. */
export async function textsLike(
  replaced: readonly FileChange[],
  changes: ChangeSet,
  { paths, read }: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<ReadonlyMap<string, string>> {
  const all = await paths()
  const alike = all.filter((path) => replaced.some((change) => sameLanguage(change.path, path)))
  const texts = new Map(await read(alike.slice(0, mostFiles)))
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined) texts.delete(change.path)
    else texts.set(change.path, text)
  }
  return texts
}

function describe({ used, entries, lines }: Loss): string {
  const names = [...used]
    .slice(0, mostNames)
    .map(([name, user]) => (user === '' ? name : `${name} (used in ${user})`))
  const shown = [...names, ...entries.slice(0, mostNames).map((entry) => `"${entry.slice(0, 80)}"`)]
  const more = used.size + entries.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : []), ...(lines === '' ? [] : [lines])].join(
    ', ',
  )
}

/** The part of the file that the answer is about, so that edits of it can be copied from there. */
function excerptOf(
  { path, before, content }: FileChange & { readonly action: 'modify' },
  { show }: ChangeTree,
): string {
  return closestLines(show(path, before).split('\n'), content.split('\n'))
}
