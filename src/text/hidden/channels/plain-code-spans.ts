import { cutInline } from '../../markdown/inline-text.ts'

/** A line that begins a block of HTML, in which back-ticks mean nothing, or could. */
const htmlLine = /^[ \t>*+\-\d.)]*</m

/**
 * Code between back-ticks that nobody can read in another way, found without a parser: in paragraphs
 * where every back-tick has its partner in the line, none is escaped, and no `<` stands outside.
 */
export function plainCodeSpans(
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
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
