/** A piece of a text. `end` exclusive. */
interface Span {
  readonly start: number
  readonly end: number
}

/** A line that begins a block of HTML, in which back-ticks mean nothing, or could. */
const htmlLine = /^[ \t>*+\-\d.)]*</m

/**
 * Code between back-ticks that nobody can read in another way, found without a parser: in paragraphs
 * where every back-tick has its partner in the line, none is escaped, and no `<` stands outside.
 */
export function plainCodeSpans(text: string): readonly Span[] {
  if (!text.includes('`') || htmlLine.test(text)) return []
  const spans: Span[] = []
  let start = 0
  for (const paragraph of text.split(/(\n[ \t]*\n)/)) {
    const found = spansOf(paragraph)
    spans.push(...found.map((span) => ({ start: start + span.start, end: start + span.end })))
    start += paragraph.length
  }
  return spans
}

function spansOf(paragraph: string): readonly Span[] {
  if (!paragraph.includes('<') || paragraph.includes('\\`')) return []
  const spans: Span[] = []
  let open: { readonly start: number; readonly length: number } | null = null
  for (const { 0: mark, index } of paragraph.matchAll(/`+|\n/g)) {
    if (mark === '\n' && open !== null) return []
    if (mark === '\n') continue
    if (open === null) open = { start: index, length: mark.length }
    else if (open.length === mark.length) {
      spans.push({ start: open.start, end: index + mark.length })
      open = null
    }
  }
  if (open !== null) return []
  const bounds = [0, ...spans.flatMap(({ start, end }) => [start, end]), paragraph.length]
  const outside = bounds.flatMap((from, at) =>
    at % 2 === 0 ? [paragraph.slice(from, bounds[at + 1])] : [],
  )
  return outside.some((words) => words.includes('<')) ? [] : spans
}
