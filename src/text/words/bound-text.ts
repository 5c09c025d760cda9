import { readFences } from './read-fences.ts'

/** A job summary may have 1 MiB, and no character takes more than three bytes for a unit of UTF-16. */
export const longestSummary = 340_000

/** Room for the sentence about the cut and for what has to be closed. */
const reserve = 400

/**
 * At most so many characters, cut at a line's end, with the cut named.
 *
 * @param limit UTF-16 units
 */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = cutAtLine(text, Math.max(0, limit - reserve))
  return `${kept}\n${cutNotice(text.length - kept.length)}`
}

/**
 * The same for Markdown: fences and folded parts that the cut leaves open are closed, and a marker
 * (an HTML comment on the last line) stays.
 */
export function boundMarkdown(text: string, limit: number): string {
  if (text.length <= limit) return text
  const marker = /\n<!-- [^\n]{0,300} -->\s*$/.exec(text)?.[0].trim() ?? ''
  const kept = cutAtLine(text, Math.max(0, limit - reserve - marker.length))
  const notice = `*${cutNotice(text.length - kept.length)}*`
  const parts = [`${kept}${closeFence(kept)}`, closeFolds(kept), notice, marker]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const cutNotice = (characters: number): string =>
  `[cut here: ${characters.toLocaleString('en')} more characters]`

function cutAtLine(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit)
  return (end > 0 ? text.slice(0, end) : text.slice(0, limit)).toWellFormed()
}

function closeFence(text: string): string {
  const last = readFences(text).fences.at(-1)
  return last === undefined || last.closed ? '' : `\n${last.mark}`
}

function closeFolds(text: string): string {
  const { outside } = readFences(text)
  const count = (start: RegExp) => outside.filter((line) => start.test(line)).length
  const left = count(/^<details\b/) - count(/^<\/details>/)
  return Array<string>(Math.max(0, left)).fill('</details>').join('\n')
}
