/**
 * The only place where text becomes HTML: every value inserted into a template is escaped, unless another template
 * made it. Values may be inserted between tags or inside double quotes.
 */
import { clip, cutInline } from '../../../../packages/text/text.ts'

/** HTML to insert unescaped. Only {@link html} and {@link constant} create it. */
class Markup {
  readonly #written: string

  constructor(written: string) {
    this.#written = written
  }

  toString(): string {
    return this.#written
  }
}

export type { Markup }
export type Content = string | number | Markup | null | readonly Content[]

/** Characters that are invisible, or that change the direction of others. */
const unshown = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/gu

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function write(content: Content): string {
  if (content === null) return ''
  if (content instanceof Markup) return content.toString()
  if (typeof content === 'object') return content.map(write).join('')
  return String(content)
    .toWellFormed()
    .replaceAll(unshown, (letter) => (letter === '\n' || letter === '\t' ? letter : '\uFFFD'))
    .replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? '')
}

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  // An unquoted attribute would end at the first space of a text.
  if (parts.slice(0, -1).some((part) => part.endsWith('=')))
    throw new Error(`A gap of this template needs quotes: ${parts.join('…')}`)
  return new Markup(String.raw({ raw: parts }, ...contents.map(write)))
}

/** The executor's own markup without outside text, such as a style sheet or a script. */
export const constant = (written: string): Markup => new Markup(written)

/** A link if the address is an HTTP URL, else only the words. */
export function link(address: string | null, words: Content): Markup {
  if (address === null || !/^https?:\/\/[^\s"'<>`\\]+$/i.test(address)) return html`${words}`
  return html`<a href="${address}" rel="noreferrer noopener">${words}</a>`
}

/** `https://github.com/owner/repo/tree/agent/T-1`; `null` without a repository or a valid name. */
export function addressIn(
  repository: string | null,
  kind: 'tree' | 'commit',
  name: string,
): string | null {
  if (repository === null || name.length > 250) return null
  const path = encodeURIComponent(name.toWellFormed()).replaceAll('%2F', '/').replaceAll("'", '%27')
  return `${repository}/${kind}/${path}`
}

/** The most characters of a title, of a sentence, and of a command's output. */
export const lengths = { title: 300, sentence: 1_200, output: 6_000 } as const

/** The text between backticks, without one space at both ends, as in CommonMark. */
const codeIn = (span: string): string =>
  span.replaceAll(/^`+|`+$/g, '').replace(/^ (.*[^ ].*) $/s, '$1')

/** Outside text, with its own text direction; text in back-ticks becomes code. */
export function foreign(text: string, most: number = lengths.sentence): Markup {
  const pieces = cutInline(clip(text, most)).map(({ kind, raw }) =>
    kind === 'code' ? html`<code>${codeIn(raw)}</code>` : raw,
  )
  return html`<bdi>${pieces}</bdi>`
}

export const grouped = (value: number): string => Math.round(value).toLocaleString('en')

/** `0.7 s`, `42 s`, `3 min 05 s`, `2 h 14 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`
  const hours = Math.floor(minutes / 60)
  return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** `<time>` for an ISO time, `2026-01-31 03:17 UTC`; without the date if it equals `day`. */
export function moment(iso: string, day = ''): Markup {
  const [date = '', time = ''] = iso.slice(0, 16).split('T')
  return html`<time datetime="${clip(iso, 30)}">${date === day ? '' : `${date} `}${time} UTC</time>`
}
