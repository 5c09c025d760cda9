import { posix } from 'node:path'
import { diffArrays } from 'diff'
import type { FileChange } from '../../../core/domain/change-set.ts'
import type { Task } from '../../../core/domain/task.ts'
import { findLines } from '../text-lines.ts'
import { boundNames, definedNames } from './defined-names.ts'
import { findUndefined, findUsers } from './find-users.ts'

/** What a file sent in full would lose of the one that is there, without being asked to. */
export interface Loss {
  /** Names that the rest of the tree uses, each with a file that does; the file itself for its own. */
  readonly used: ReadonlyMap<string, string>
  /** Names that nothing seems to use. */
  readonly unused: readonly string[]
  /** Headings and keys. */
  readonly entries: readonly string[]
  /** Most of the lines go, in this many words; empty where they do not. */
  readonly lines: string
}

/** Fewer lines than these are soon most of a file. */
const fewLines = 8
const removal =
  /\b(?:remov\w*|delet\w*|drop\w*|renam\w*|replac\w*|mov(?:e|es|ed|ing)|extract\w*|split\w*|merg\w*|inlin\w*|retir\w*|deprecat\w*|get rid of|clean up|rewrit\w*|convert\w*|migrat\w*|simplif\w*|shorten\w*|shrink\w*|trim\w*|prun\w*|strip\w*)\b/i
const anew =
  /\b(?:rewrit\w*|replac\w*|overhaul\w*|redo|from scratch|start over|simplif\w*|shorten\w*|shrink\w*|trim\w*|extract\w*|split\w*|mov(?:e|es|ed|ing))\b/i

/**
 * Compares a file with the one that is to take its place.
 *
 * @param texts the texts of the resulting tree that may use it
 * @param moved the paths among them that change as well: what goes from one file may come to another
 * @param task whose words may ask for the loss; `null`: nobody asked
 */
export function judgeLoss(
  change: FileChange & { readonly action: 'modify' },
  texts: ReadonlyMap<string, string>,
  moved: ReadonlySet<string>,
  task: Pick<Task, 'title' | 'details'> | null,
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
    used,
    unused: gone.filter((name) => !used.has(name)),
    entries: isRewrite ? [] : entries,
    lines: isRewrite || removal.test(prose) ? '' : linesLost(before, content),
  }
}

/** A heading in whose place another begins with the same word is worded anew. */
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

/** Most of the lines, all of the code, everything around what is only quoted, or the end. */
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

/** It stops where the file goes on: a fifth of that is behind its last lines, and has come nowhere else. */
function isCut(had: readonly string[], has: readonly string[]): boolean {
  const last = has.slice(-3)
  const [start, ...others] = findLines(had, last, 2)
  if (start === undefined || others.length > 0) return false
  const kept = new Set(has)
  const rest = had.slice(start + last.length)
  const lost = rest.filter((line) => !kept.has(line))
  return rest.length >= fewLines && rest.length * 5 >= had.length && lost.length * 2 > rest.length
}

const telling = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*|#(?![![])|--|<!--|;|%)/.test(line)
