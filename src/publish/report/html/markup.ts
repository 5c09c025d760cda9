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

/** Colours differ in lightness as well as in hue; text has a contrast of at least 4.5 to its background. */
const light = `
--bg:#faf9f6;--card:#fff;--ink:#1d1c1a;--soft:#5f5b53;--line:#e4e0d8;--edge:#8b857a;--link:#1a589c;--sunk:#f1eee8;
--good:#1b693c;--warn:#7d5000;--bad:#ae251b;--asks:#66398f;--plain:#5f5b53;
--model:#2c6cb0;--repair:#b1501c;--tests:#17786b;--installing:#8d6b00;--waiting:#7b4fa6;--other:#8b857a`
const dark = `
--bg:#151412;--card:#1e1d1a;--ink:#ebe8e1;--soft:#aaa499;--line:#34312b;--edge:#7f796e;--link:#8ebcf0;--sunk:#26241f;
--good:#74c893;--warn:#e2b458;--bad:#f4938a;--asks:#c6a8ea;--plain:#aaa499;
--model:#6aa7e8;--repair:#e88e5d;--tests:#4fb8a9;--installing:#d3ad3c;--waiting:#b794dd;--other:#7f796e`

/** The radio button of an outcome hides all other outcomes. */
const filtered = outcomesInOrder
  .map((outcome) => `body:has(#show-${outcome}:checked) .task:not([data-outcome=${outcome}])`)
  .join(',')

export const style = `
:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header,main,footer{max-width:66rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
header{padding-top:clamp(1.5rem,5vw,3.5rem)}
h1{font-size:clamp(1.7rem,1.2rem + 2.4vw,2.6rem);line-height:1.15;letter-spacing:-.02em;font-weight:650;margin:.2rem 0 .6rem;text-wrap:balance}
h2{font-size:1.2rem;letter-spacing:-.01em;font-weight:650;margin:0 0 .9rem}
h3{font-size:1rem;font-weight:500;line-height:1.4;margin:0}
p{margin:0 0 .6rem}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:3px;border-radius:3px}
code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{background:var(--sunk);padding:.1em .32em;border-radius:4px}
a code{color:inherit}
time{white-space:nowrap}
pre{background:var(--sunk);border-radius:8px;padding:.8rem 1rem;margin:.4rem 0 1rem;overflow:auto;max-height:24rem;overflow-wrap:normal}
ul,ol{margin:0;padding:0;list-style:none}
.notes{list-style:disc;padding-left:1.2rem;margin:.4rem 0}
.notes li{margin:.2rem 0}
.eyebrow,.note,.facts,figcaption,caption,dt{color:var(--soft)}
.eyebrow{font-size:.9rem;margin:0}
.note{font-size:.9rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem}
.definitions{position:absolute;width:0;height:0}
.icon{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.cut{stroke:var(--card);stroke-width:1.9}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.asks{color:var(--asks)}.plain{color:var(--plain)}
.badge{display:inline-flex;align-items:center;gap:.4em;font-size:.9rem;font-weight:600;white-space:nowrap}
.share-of{width:100%;height:10px;display:block;margin:1.4rem 0 .7rem;border-radius:5px}
.share-of rect{fill:currentColor;stroke:var(--bg);stroke-width:2}
.tally{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem}
.tally b{font-weight:650;color:var(--ink)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin-top:1.6rem;padding:.7rem 0;border-block:1px solid var(--line);font-size:.93rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.4rem,1fr));gap:1.4rem 1.3rem;margin:2rem 0 0}
dt{font-size:.85rem}
dd{margin:.1rem 0 0;font-size:1.25rem;white-space:nowrap;font-weight:600;letter-spacing:-.01em;line-height:1.25}
dd small{display:block;white-space:normal;font-size:.8rem;font-weight:400;letter-spacing:0;color:var(--soft)}
section{margin-top:clamp(2.4rem,6vw,3.6rem)}
.needs li{display:grid;grid-template-columns:9.5rem 1fr;gap:.3rem 1rem;padding:.9rem 1.1rem;background:var(--card);border:1px solid var(--line);border-radius:10px;margin-bottom:.6rem}
.needs .badge{align-self:start;padding-top:.1rem}
.needs p:last-child,.task p:last-child{margin-bottom:0}
.needs p{margin-bottom:.25rem}
.reason{color:var(--ink);white-space:pre-line}
.next{color:var(--soft)}
.next::before{content:"→ ";content:"→ " / ""}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.3rem;margin-bottom:1rem;font-size:.9rem;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:.45rem}
.legend b{color:var(--ink);font-weight:600}
.swatch{width:22px;height:14px;flex:none}
.model{fill:var(--model)}.tests{fill:var(--tests)}.installing{fill:var(--installing)}.other{fill:var(--other)}
.repair{fill:url(#hatch);stroke:var(--repair)}
.hatch-under{fill:var(--bg)}.hatch-over{fill:var(--repair)}
.waiting{fill:none;stroke:var(--waiting);stroke-width:1.5;stroke-dasharray:3 2}
.lane{display:grid;grid-template-columns:minmax(4rem,26%) 1fr;gap:.9rem;align-items:center;min-height:1.75rem;font-size:.9rem}
.lane>:first-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.lane>:first-child,.lane small{color:var(--soft)}
.lane small{font-size:inherit;margin-left:.3rem}
.lanes li+li{border-top:1px solid var(--line)}
.strip{display:block;width:100%;height:14px;overflow:visible}
.axis{min-height:1.3rem}
.axis text{font-size:12px;fill:var(--soft);text-anchor:middle}
.axis .first{text-anchor:start}
.axis line{stroke:var(--edge)}
.pause{stroke:var(--edge);stroke-width:2;stroke-dasharray:1.5 2.5}
.stack li{display:flex;align-items:center;gap:.7rem;height:44px}
.stack .name{flex:1;min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.rail{flex:none;fill:none}
.rail path{stroke:var(--edge);stroke-width:1.6}
.rail circle{fill:var(--bg);stroke:currentColor;stroke-width:2.4}
.filters{display:flex;flex-wrap:wrap;gap:.8rem 1.4rem;align-items:center;justify-content:space-between;margin-bottom:1rem}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}
legend{position:absolute;left:-99rem}
fieldset input{position:absolute;opacity:0;width:1px;height:1px}
fieldset span{display:block;padding:.25rem .8rem;border:1px solid var(--edge);border-radius:99rem;font-size:.9rem;cursor:pointer}
fieldset b{font-weight:400;color:var(--soft)}
fieldset input:checked+span{background:var(--ink);color:var(--bg);border-color:var(--ink)}
fieldset input:checked+span b{color:inherit}
fieldset input:focus-visible+span{outline:2px solid var(--link);outline-offset:2px}
.find{display:flex;align-items:center;gap:.6rem;font-size:.9rem;color:var(--soft)}
.find input{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:.35rem .7rem;width:17rem}
::placeholder{color:var(--soft);opacity:1}
.task{display:grid;grid-template-columns:1fr auto;gap:.2rem 1rem;padding:1rem 0;border-top:1px solid var(--line)}
.task>*{grid-column:1/-1;min-width:0}
.task>h3{grid-column:1}
.task>.badge{grid-column:2;align-self:start;margin-top:.05rem}
.id{font-weight:650}
.facts{font-size:.9rem;margin:0;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem}
.task .reason,.task .next,.warnings{margin:.3rem 0 0;font-size:.95rem}
.warnings li{border-left:3px solid var(--warn);padding-left:.7rem;margin:.3rem 0}
.diff ins,.diff del{text-decoration:none;font-weight:600}
dd .diff{white-space:normal}
ins,del{white-space:nowrap}
ins{color:var(--good)}del{color:var(--bad)}
summary{cursor:pointer;font-size:.9rem;color:var(--soft);width:fit-content;padding:.15rem 0}
summary:hover{color:var(--ink)}
details[open]>summary{margin-bottom:.5rem}
.wide{overflow-x:auto;margin-bottom:.8rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;padding-bottom:.4rem}
th,td{text-align:left;font-weight:400;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:baseline;overflow-wrap:normal}
thead th{color:var(--soft);font-size:.85rem}
tfoot th,tfoot td{font-weight:600;border:0}
.n{text-align:right}
th.n:last-child,td.n:last-child{padding-right:0}
td.n,td.share{white-space:nowrap}
.share{min-width:5rem}
.share span{color:var(--soft)}
.meter{display:inline-block;width:4rem;height:8px;margin-right:.5rem;background:var(--sunk);border-radius:1px}
.meter rect{fill:var(--model)}
.pair{display:flex;flex-wrap:wrap;gap:1.5rem 3rem}
.pair>*{min-width:0;flex:1 1 21rem}
.pair>:first-child{flex:1 1 34rem}
footer{margin-top:4rem;padding-top:1.2rem;padding-bottom:3rem;color:var(--soft);font-size:.85rem}
${filtered}{display:none}
@media(max-width:34rem){
.needs li{grid-template-columns:1fr}
.task{grid-template-columns:1fr}
.task>.badge{grid-column:1}
.stack .badge{font-size:0;gap:0}.stack .badge .icon{width:16px;height:16px}
.axis text:nth-of-type(even){display:none}
.find,.find input{width:100%}
.lane{grid-template-columns:4rem 1fr;gap:.6rem}
.lane small{display:none}
}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media(forced-colors:active){.model,.tests,.installing,.other,.meter rect,.share-of rect{fill:CanvasText}.repair,.waiting{stroke:CanvasText}}
@media print{
:root{color-scheme:light;${light}}
body{font-size:10.5pt;background:none}
header,main,footer{max-width:none;padding:0}
nav,.filters,.skip{display:none}
section,.figures{margin-top:1.6rem}
.task,.needs li,tr,.lane,.stack li{break-inside:avoid}
h2{break-after:avoid}
.needs li{background:none}
pre{max-height:none;white-space:pre-wrap}
.task{display:grid!important}
rect,circle,line{print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit}
}`
