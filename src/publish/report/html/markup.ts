/**
 * The only place where text becomes HTML: every value inserted into a template is escaped, unless another template
 * made it. Values may be inserted between tags or inside double quotes.
 */
import { clip, cutInline } from '../../../../packages/text/text.ts'
import type { TaskReport } from '../build-report.ts'

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

type Outcome = TaskReport['outcome']

/** How an outcome is displayed: a colour, a shape that is distinct without colour, and words. */
interface Look {
  readonly tone: 'good' | 'warn' | 'bad' | 'asks' | 'plain'
  readonly icon: keyof typeof shapes
  readonly words: string
}

/** Shapes in a 16 × 16 view box. */
const shapes = {
  check:
    '<circle cx="8" cy="8" r="7" fill="currentColor"/><path d="m4.8 8.3 2.2 2.2 4.2-4.7" class="cut"/>',
  review: '<circle cx="8" cy="8" r="6.2"/><path d="m5.2 8.2 2 2 3.6-4"/>',
  doubt: '<path d="M8 1.8 14.8 14H1.2z"/><path d="M8 6.4v3.4M8 11.8v.3"/>',
  cross:
    '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor"/><path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" class="cut"/>',
  speech:
    '<path d="M1.8 2.5h12.4v8.4H8.6L5.2 14v-3.1H1.8z"/><path d="M5 6.7h.1M8 6.7h.1M11 6.7h.1"/>',
  clock: '<circle cx="8" cy="8" r="6.2"/><path d="M8 4.4V8l2.5 1.7"/>',
  slash: '<circle cx="8" cy="8" r="6.2"/><path d="m3.8 12.2 8.4-8.4"/>',
  split:
    '<path d="M2 8h4c3 0 3-4.5 6-4.5h1.5M6 8c3 0 3 4.5 6 4.5h1.5M11.6 1.6l2.2 1.9-2.2 1.9m0 5.2 2.2 1.9-2.2 1.9"/>',
  back: '<path d="M5.5 2.5 2 6l3.5 3.5M2.4 6h7.1a4.2 4.2 0 0 1 0 8.4H5.5"/>',
  limit: '<circle cx="8" cy="8" r="6.2" stroke-dasharray="2.6 1.8"/><path d="M5.4 8h5.2"/>',
} as const

const looks: Readonly<Record<Outcome, Look>> = {
  done: { tone: 'good', icon: 'check', words: 'done' },
  in_review: { tone: 'good', icon: 'review', words: 'in review' },
  unverified: { tone: 'warn', icon: 'doubt', words: 'unverified' },
  failed: { tone: 'bad', icon: 'cross', words: 'failed' },
  budget_exceeded: { tone: 'bad', icon: 'limit', words: 'over budget' },
  waiting: { tone: 'asks', icon: 'speech', words: 'waiting for you' },
  deferred: { tone: 'warn', icon: 'clock', words: 'deferred' },
  skipped: { tone: 'plain', icon: 'slash', words: 'skipped' },
  rejected: { tone: 'plain', icon: 'slash', words: 'rejected' },
  rolled_back: { tone: 'bad', icon: 'back', words: 'rolled back' },
  replaced: { tone: 'plain', icon: 'split', words: 'replaced' },
  planned: { tone: 'plain', icon: 'clock', words: 'planned' },
}

export const lookOf = (outcome: Outcome): Look => looks[outcome]

/** Outcomes, the most urgent for the reader first. */
export const outcomesInOrder = Object.keys(looks) as readonly Outcome[]

const symbols = Object.entries(shapes).map(
  ([name, shape]) => `<symbol id="i-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
)

/** The definitions that the page's icons and hatched bars refer to. */
export const definitions: Markup = constant(
  `<svg class="definitions" aria-hidden="true" focusable="false"><defs>${symbols.join('')}<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" class="hatch-under"/><rect width="2.4" height="5" class="hatch-over"/></pattern></defs></svg>`,
)

export const icon = (name: keyof typeof shapes): Markup =>
  html`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`

export function badge(outcome: Outcome): Markup {
  const { tone, icon: shape, words } = looks[outcome]
  return html`<span class="badge ${tone}">${icon(shape)}${words}</span>`
}
