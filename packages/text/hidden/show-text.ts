import { maskKeys } from '../secrets/find-keys.ts'
import { applyCuts, type Cut, hiddenCharacters, paddedText, type Stripped } from './characters.ts'
import type { HiddenText } from './hidden-record.ts'
import { hiddenMarkdown } from './markdown.ts'
import { hiddenMarkup, readTags } from './markup.ts'

/**
 * How people read a text: `markdown` as GitHub renders it, `html` as its source without comments,
 * `code` and `plain` unchanged.
 */
export type TextKind = 'markdown' | 'html' | 'code' | 'plain'

/**
 * Prepares a text for a prompt as its reader sees it: removes and lists invisible characters,
 * comments, attributes, collapsed or invisible elements, and text out of view. Lines keep their
 * numbers. Linear, except that Markdown's parser gets at most 60,000 characters.
 */
export function stripHidden(text: string, kind: TextKind): Stripped {
  const first = applyCuts(text, structureOf(text, kind))
  const rest = [...hiddenCharacters(first.text), ...paddedText(first.text)]
  const second = applyCuts(first.text, rest)
  return { text: second.text, removed: [...first.removed, ...second.removed] }
}

/** What something may hide behind in Markdown: neither a check box nor code within a line can. */
const suspect = /[<&~$|]|`{3}|\]\(|!\[|\[(?![ xX~!-]\] )/

function structureOf(text: string, kind: TextKind): readonly Cut[] {
  if (kind === 'markdown') return suspect.test(text) ? hiddenMarkdown(text) : []
  if (kind !== 'html' || !text.includes('<!--')) return []
  const comments = readTags(text, 0, text.length).filter((tag) => tag.kind === 'comment')
  return hiddenMarkup(text, comments)
}

export function kindOf(path: string): TextKind {
  if (/\.(?:md|mdx|markdown|mdown|mkdn?)$/i.test(path)) return 'markdown'
  return /\.(?:html?|xhtml)$/i.test(path) ? 'html' : 'code'
}

/**
 * Prepares a repository file for a model: without hidden text, keys and byte order mark. Lines keep
 * their numbers.
 */
export function showText(path: string, text: string): Stripped {
  const { text: visible, removed } = stripHidden(text.replace(/^\uFEFF/, ''), kindOf(path))
  return { text: maskKeys(visible), removed }
}

/** Does the same for several files; removed pieces have their file's path. */
export function showTexts(texts: ReadonlyMap<string, string>): {
  readonly texts: ReadonlyMap<string, string>
  readonly removed: readonly (HiddenText & { readonly path: string })[]
} {
  const shown = [...texts].map(([path, text]) => ({ path, ...showText(path, text) }))
  return {
    texts: new Map(shown.map(({ path, text }) => [path, text])),
    removed: shown.flatMap(({ path, removed }) => removed.map((each) => ({ ...each, path }))),
  }
}
