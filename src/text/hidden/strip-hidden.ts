import { hiddenCharacters } from './channels/characters.ts'
import { applyCuts, type Cut, type Stripped } from './channels/cuts.ts'
import { hiddenMarkdown } from './channels/markdown.ts'
import { hiddenMarkup } from './channels/markup.ts'
import { paddedText } from './channels/padding.ts'
import { readTags } from './channels/tags.ts'

/**
 * How a text is read by people: `markdown` as GitHub renders it, `html` as its source but for the
 * comments, `code` and `plain` as they are.
 */
export type TextKind = 'markdown' | 'html' | 'code' | 'plain'

/**
 * A text as its reader sees it, for a prompt: what is drawn as nothing, stands in a comment, an
 * attribute, a collapsed or unseen element or out of view is gone, and listed. Every line keeps its
 * number. Linear in the text but for Markdown, whose parser gets at most 60,000 characters.
 */
export function stripHidden(text: string, kind: TextKind): Stripped {
  const first = applyCuts(text, structureOf(text, kind))
  const rest = [...hiddenCharacters(first.text), ...paddedText(first.text)]
  const second = applyCuts(first.text, rest)
  return { text: second.text, removed: [...first.removed, ...second.removed] }
}

function structureOf(text: string, kind: TextKind): readonly Cut[] {
  if (kind === 'markdown') return hiddenMarkdown(text)
  if (kind !== 'html' || !text.includes('<!--')) return []
  const comments = readTags(text, 0, text.length).filter((tag) => tag.kind === 'comment')
  return hiddenMarkup(text, comments)
}

/** The kind of a repository file, by its name. */
export function kindOf(path: string): TextKind {
  if (/\.(?:md|mdx|markdown|mdown|mkdn?)$/i.test(path)) return 'markdown'
  return /\.(?:html?|xhtml)$/i.test(path) ? 'html' : 'code'
}
