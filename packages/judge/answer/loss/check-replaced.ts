import { posix } from 'node:path'
import { diffArrays } from 'diff'
import {
  type ChangeSet,
  contentAfter,
  type FileChange,
  type Refusal,
} from '../../../change/change.ts'
import type { Words } from '../../judging.ts'
import { closestLines } from '../closest-lines.ts'
import { findLines, type Lines } from '../text-lines.ts'
import { boundNames, definedNames, findUndefined, findUsers, sameLanguage } from './find-users.ts'
import { withoutDocs } from './keep-docs.ts'
import type { FileTexts } from './references.ts'

export interface ChangeTree {
  /** The task's words may ask for a loss; `null` when nothing does. */
  readonly task: Words | null
  readonly paths: readonly string[]
  readonly read: (paths: readonly string[]) => Promise<FileTexts>
  readonly show: (path: string, text: string) => string
}

/** The most files of a language in which users are searched for. */
const mostFiles = 5_000
const mostNames = 6

/**
 * Checks existing files that an answer sends in full and that lose something unasked. The first
 * time, the model is asked for edits; sent in full again, such a file is accepted with a note,
 * unless the rest of the tree uses what it loses.
 *
 * @param whole paths of `changes` that came in full
 * @param asked those for which edits were requested before
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
    const used = loss.names.filter(([, user]) => user !== null)
    if (used.length === 0 && mayGo) {
      const lost = describe(loss)
      if (lost !== '') notes.push(`${path}: was sent in full and loses ${lost}`)
      continue
    }
    refusals.push({
      path,
      reason: `the file in full loses ${describe({ ...loss, names: used })}; send only what changes, as SEARCH/REPLACE edits`,
      excerpt: excerptOf(change, around),
      lost: asked.has(path) ? 'again' : 'asked',
    })
  }
  return { refusals, notes }
}

/** Reads the files of the same languages as they are after the change. */
export async function textsLike(
  replaced: readonly FileChange[],
  changes: ChangeSet,
  { paths, read }: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<FileTexts> {
  const alike = paths.filter((path) => replaced.some((change) => sameLanguage(change.path, path)))
  const texts = new Map(await read(alike.slice(0, mostFiles)))
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined) texts.delete(change.path)
    else texts.set(change.path, text)
  }
  return texts
}

function describe({ names, entries, lines }: Loss): string {
  const listed = names
    .slice(0, mostNames)
    .map(([name, user]) => (user === null ? name : `${name} (used in ${user})`))
  const shown = [
    ...listed,
    ...entries.slice(0, mostNames).map((entry) => `"${entry.slice(0, 80)}"`),
  ]
  const more = names.length + entries.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : []), ...(lines === '' ? [] : [lines])].join(
    ', ',
  )
}

/** The part of the file that the answer is about, from which edits can be copied. */
const excerptOf = (
  { path, before, content }: FileChange & { readonly action: 'modify' },
  { show }: ChangeTree,
): string => closestLines(show(path, before).split('\n'), content.split('\n'))

/** The parts of a file that its replacement in full would lose unasked. */
interface Loss {
  /** Names, each with a file that uses it, which may be this one; `null` when no use is found. */
  readonly names: readonly (readonly [name: string, user: string | null])[]
  readonly entries: readonly string[]
  /** Says how many lines go, if most of them do; empty otherwise. */
  readonly lines: string
}

/** Below this, a few lines are already most of the file. */
const fewLines = 8
const removal =
  /\b(?:remov\w*|delet\w*|drop\w*|renam\w*|replac\w*|mov(?:e|es|ed|ing)|extract\w*|split\w*|merg\w*|inlin\w*|retir\w*|deprecat\w*|get rid of|clean up|rewrit\w*|convert\w*|migrat\w*|simplif\w*|shorten\w*|shrink\w*|trim\w*|prun\w*|strip\w*)\b/i
const anew =
  /\b(?:rewrit\w*|replac\w*|overhaul\w*|redo|from scratch|start over|simplif\w*|shorten\w*|shrink\w*|trim\w*|extract\w*|split\w*|mov(?:e|es|ed|ing))\b/i

/**
 * Compares a file with its replacement.
 *
 * @param texts the texts of the resulting tree that may use it
 * @param moved the paths among them that also change: what one file loses may be in another
 * @param task whose words may ask for the loss; `null` when nothing does
 */
function judgeLoss(
  change: FileChange & { readonly action: 'modify' },
  texts: FileTexts,
  moved: ReadonlySet<string>,
  task: Words | null,
): Loss {
  const { path, before, content } = change
  const prose = task === null ? '' : `${task.title}\n${task.details}`
  const isAsked = (name: string) =>
    removal.test(prose) && prose.toLowerCase().includes(name.toLowerCase())
  const [old, now] = [definedNames(path, before), definedNames(path, content)]
  const bound = boundNames(content)
  const lost = [...old.names].filter(
    (name) => !now.names.has(name) && !bound.has(name) && !isAsked(name),
  )
  const others = [...texts].filter(([other]) => other !== path && moved.has(other))
  const elsewhere = new Set(others.flatMap(([other, text]) => [...definedNames(other, text).names]))
  const gone = lost.filter((name) => !elsewhere.has(name))
  const missing = findUndefined(path, gone, content).map((name) => [name, path] as const)
  const used = new Map([...findUsers(change, gone, texts), ...missing])
  const entries = entriesLost(path, [...old.entries], [...now.entries]).filter(
    (entry) => !isAsked(entry),
  )
  const isRewrite = anew.test(prose) && prose.includes(posix.basename(path).replace(/\.\w+$/, ''))
  return {
    names: [...used, ...gone.flatMap((name) => (used.has(name) ? [] : [[name, null] as const]))],
    entries: isRewrite ? [] : entries,
    lines:
      isRewrite || removal.test(prose)
        ? ''
        : linesLost(withoutDocs(path, before), withoutDocs(path, content)),
  }
}

/** A heading that is replaced by one with the same first word was reworded, not lost. */
function entriesLost(
  path: string,
  old: readonly string[],
  now: readonly string[],
): readonly string[] {
  const parts = diffArrays([...old], [...now])
  return parts.flatMap(({ removed, value }, at) => {
    const next = parts[at + 1]
    const inPlace = next?.added && next.value.length === value.length ? next.value : []
    const isRenamed = (entry: string, index: number) =>
      /\.(?:md|mdx|markdown)$/i.test(path) && firstWord(entry) === firstWord(inPlace[index] ?? '')
    return removed
      ? value.filter((entry, index) => !now.includes(entry) && !isRenamed(entry, index))
      : []
  })
}

const firstWord = (entry: string): string => /[\p{L}\p{N}]+/u.exec(entry)?.[0] ?? entry

/** Most of the lines, all of the code, everything around a quoted part, or the end. */
function linesLost(before: string, content: string): string {
  const [had, has] = [telling(before), telling(content)]
  if (had.length === 0) return ''
  const onlyComments = has.every(isComment) && !had.every(isComment)
  const isShort = had.length >= fewLines && has.length * 2 < had.length
  const isQuoted =
    has.length < had.length && `\n${had.join('\n')}\n`.includes(`\n${has.join('\n')}\n`)
  const isPart = (isQuoted && had.length >= fewLines) || isCut(had, has)
  if (!onlyComments && !isShort && !isPart) return ''
  return `${had.length - has.length} of its ${had.length} lines`
}

/** It stops early: at least a fifth of the file follows its last lines, and is nowhere else. */
function isCut(had: Lines, has: Lines): boolean {
  const last = has.slice(-3)
  const [start, ...others] = findLines(had, last, 2)
  if (start === undefined || others.length > 0) return false
  const kept = new Set(has)
  const rest = had.slice(start + last.length)
  const lost = rest.filter((line) => !kept.has(line))
  return rest.length >= fewLines && rest.length * 5 >= had.length && lost.length * 2 > rest.length
}

const telling = (text: string): Lines =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*|#(?![![])|--|<!--|;|%)/.test(line)
