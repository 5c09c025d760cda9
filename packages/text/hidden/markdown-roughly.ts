import { cutInline } from '../markdown/inline-text.ts'
import { type Cut, cutsOf, hiddenEntities } from './characters.ts'
import { type HtmlTag, hiddenMarkup, readTags } from './markup.ts'
import { hiddenFormulas, picturesRoughly } from './pictures.ts'

const patterns: readonly (readonly [pattern: RegExp, instead: string, channel: string])[] = [
  [/(?<=\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)/g, '()', 'link title or address'],
  [/^ {0,3}\[[^\]\n]{1,999}\]:.*$/gm, '', 'link definition'],
  [/(?<=!)\[[^[\]\n]*\]/g, '[]', 'image description or address'],
  [/(?<=^[ \t>]*(?:`{3,}|~{3,})[\w+#.-]{0,20})[^\w+#.\n-][^\n]*$/gm, '', 'words after a fence'],
]

/** Finds comments, tags, link targets, definitions and entities anywhere, without a parser. */
export function hiddenRoughly(text: string): readonly Cut[] {
  const found = patterns.flatMap(([pattern, instead, channel]) =>
    cutsOf(text, pattern, channel, instead),
  )
  return [
    ...hiddenMarkup(text, tagsOutsideCode(text)),
    ...found.filter(({ start, end, instead }) => text.slice(start, end) !== instead),
    ...hiddenEntities(text),
    ...hiddenFormulas(text),
    ...picturesRoughly(text),
    ...cellsBeyondRoughly(text),
  ]
}

/** Skips plain tags in code, which a reader sees; keeps comments and tags with attributes. */
function tagsOutsideCode(text: string): readonly HtmlTag[] {
  const spans = plainCodeSpans(text)
  let at = 0
  return readTags(text, 0, text.length).filter(({ kind, attributes, start, end }) => {
    while (at < spans.length && (spans[at]?.end ?? 0) < end) at += 1
    const isCode = start > (spans[at]?.start ?? text.length)
    return !isCode || attributes.length > 0 || kind === 'comment' || kind === 'declaration'
  })
}

/** A line that starts, or might start, a block of HTML, in which backticks mean nothing. */
const htmlLine = /^[ \t>*+\-\d.)]*</m

/**
 * Finds code spans that can be read in no other way, without a parser: in paragraphs where every
 * backtick has its partner on the line, no backtick is escaped, and no `<` is outside.
 */
function plainCodeSpans(text: string) {
  if (!text.includes('`') || htmlLine.test(text)) return []
  let end = 0
  return text.split(/(\n[ \t]*\n)/).flatMap((paragraph) => {
    const pieces = cutInline(paragraph).map(({ kind, raw }) => {
      const start = end
      end += raw.length
      return { kind, raw, start, end }
    })
    const isPlain = pieces.every(({ kind, raw }) =>
      kind === 'code' ? !raw.includes('\n') : kind === 'text' && !/[<`]/.test(raw),
    )
    const isCertain = isPlain && paragraph.includes('<') && !paragraph.includes('\\`')
    return isCertain ? pieces.filter(({ kind }) => kind === 'code') : []
  })
}

const beyond = 'table cell beyond the columns'
/** The line below a table's header: `|---|:-:|`. */
const rule = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/

/** Finds cells of a row beyond those of its header, wherever a table may be. */
function cellsBeyondRoughly(text: string): readonly Cut[] {
  const cuts: Cut[] = []
  let [at, columns] = [0, 0]
  for (const line of text.split('\n')) {
    const bars = [...line.matchAll(/(?<!\\)\|/g)].map(({ index }) => index)
    const edge = /^[ \t>]*\|/.test(line) ? 0 : 1
    if (line.trim() === '') columns = 0
    else if (bars.length > 0 && rule.test(line)) columns = line.match(/-+/g)?.length ?? 0
    const bar = columns === 0 ? undefined : bars[columns - edge]
    if (bar !== undefined && line.slice(bar + 1).trim() !== '')
      cuts.push({ start: at + bar, end: at + line.length, instead: '|', channel: beyond })
    at += line.length + 1
  }
  return cuts
}
