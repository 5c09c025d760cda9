import type { TaskReport } from '../build-report.ts'
import { constant, html, type Markup } from './markup.ts'

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
