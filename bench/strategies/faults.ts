/**
 * The faults of the modelled models. Every rate is published:
 *
 * - Answers that can be read, right ones at the first try, and right ones after one round of test output are those of
 *   aider's polyglot leaderboard, 225 exercises in six languages (aider, `aider/website/_data/polyglot_leaderboard.yml`
 *   at 5dc9490b: `percent_cases_well_formed`, `pass_rate_1`, `pass_rate_2`).
 * - The share of syntax errors is that of gpt-4-0314 with diffs in `edit_leaderboard.yml`: 16 syntax and indentation
 *   errors in about 111 failed tries.
 * - What a reflection adds is Reflexion's own ablation (Shinn et al. 2023, arXiv 2303.11366): with tests, GPT-4 solves
 *   60 % of 50 problems without and 68 % with reflections (table 3), so a fifth of the failures, here over three rounds;
 *   a weak model gains nothing (table 4: 0.26 and 0.26).
 * - A critic picks the right one of two in 55 % of the cases (JudgeBench, Tan et al. 2024, arXiv 2410.12784: GPT-4o is
 *   "just slightly better than random guessing").
 * - A model finds the place to change without reading code in 43 % of the cases (CoSIL, arXiv 2503.22424: first guess on
 *   SWE-bench Lite by Qwen2.5-Coder-32B, there of functions, so a low figure for files).
 * - No source says how often a call of a tool is malformed: it is as often as an edit is.
 */
import { slips } from '../../harness/exercises/spoil.ts'
import { createRandom } from '../statistics.ts'
import type { Slip, SolvedFile } from './task.ts'

export interface Profile {
  readonly name: string
  /** The row of the leaderboard. */
  readonly source: string
  /** Answers that can be read: as edits, and as whole files. */
  readonly wellFormed: Readonly<Record<'edits' | 'whole', number>>
  readonly firstTry: number
  readonly secondTry: number
  /** What a reflection adds to the chance of a repair. */
  readonly reflection: number
}

const overThreeRounds = 1 - (1 - 0.2) ** (1 / 3)

export const profiles: readonly Profile[] = [
  {
    name: 'weak',
    source: 'Qwen2.5-Coder-32B-Instruct: diff for edits, whole for the rest',
    wellFormed: { edits: 0.716, whole: 0.996 },
    firstTry: 0.049,
    secondTry: 0.164,
    reflection: 0,
  },
  {
    name: 'middling',
    source: 'DeepSeek Chat V3 (prev), diff',
    wellFormed: { edits: 0.987, whole: 1 },
    firstTry: 0.227,
    secondTry: 0.484,
    reflection: overThreeRounds,
  },
]

const locates = 0.43
const judges = 0.55
const syntaxShare = 16 / 111

/** The chance that one round of test output mends what was wrong. */
export const healing = (
  { firstTry, secondTry, reflection }: Profile,
  reflected: boolean,
): number => {
  const plain = (secondTry - firstTry) / (1 - firstTry)
  return reflected ? 1 - (1 - plain) * (1 - reflection) : plain
}

export type ContentFault = 'none' | 'logic' | 'syntax'
export const formFaults = [
  'truncation',
  'prose around',
  'drifted edit',
  'wrong path',
  'repetition',
] as const
export type FormFault = (typeof formFaults)[number]

/** What is drawn for one task: the same whatever asks, so that strategies meet the same luck. */
export interface Luck {
  readonly parts: readonly {
    readonly fault: ContentFault
    /** Which of the part's slips, as a fraction. */
    readonly slip: number
    /** The next draw against the chance of a repair. */
    readonly heal: () => number
  }[]
  readonly locates: boolean
  /** Whether the critic picks the better plan. */
  readonly judges: boolean
  /** The fault of the next answer, if it has one. */
  readonly form: (style: 'edits' | 'whole') => FormFault | null
  /** Whether the next call of a tool is a bad one. */
  readonly call: () => number
}

/** Streams of their own for each purpose, so that one more request does not change the others' luck. */
export function drawLuck(profile: Profile, seed: number, task: string, parts: number): Luck {
  const stream = (name: string) => createRandom(hash(`${seed} ${task} ${name}`))
  const answers = stream('form')
  return {
    parts: Array.from({ length: parts }, (_, index) => {
      const random = stream(`part ${index}`)
      const [tried, kind, slip] = [random(), random(), random()]
      const wrong: ContentFault = kind < syntaxShare ? 'syntax' : 'logic'
      const fault: ContentFault = tried < profile.firstTry ? 'none' : wrong
      return { fault, slip, heal: stream(`heal ${index}`) }
    }),
    locates: stream('locate')() < locates,
    judges: stream('judge')() < judges,
    form: (style) => {
      const [drawn, kind] = [answers(), answers()]
      if (drawn < profile.wellFormed[style]) return null
      return formFaults[Math.floor(kind * formFaults.length)] ?? null
    },
    call: stream('call'),
  }
}

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let state = 0x811c9dc5
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return state >>> 0
}

/** The text with the slip in it; `null` where the rule finds nothing there. */
export function withSlip(text: string, { line, rule }: Pick<Slip, 'line' | 'rule'>): string | null {
  const lines = text.split('\n')
  const before = lines[line] ?? ''
  if (rule === -1) return before.trim() === '' ? null : lines.toSpliced(line, 1).join('\n')
  const [from, to] = slips[rule] ?? [/(?!)/, '']
  const after = before.replace(from, to)
  return after === before ? null : lines.with(line, after).join('\n')
}

/** Lines of the text that the change brought, by number. */
export function addedLines({ before, after }: SolvedFile): readonly number[] {
  const old = new Set((before ?? '').split('\n').map((line) => line.trim()))
  return after.split('\n').flatMap((line, at) => (old.has(line.trim()) ? [] : [at]))
}

/** The last bracket or colon of the new lines is missing; where there is none, there is one too many. */
export function withSyntaxError(file: SolvedFile): {
  readonly text: string
  readonly line: number
} {
  const lines = file.after.split('\n')
  const added = addedLines(file)
  const at = added.findLast((line) => /[()[\]{}:]/.test(lines[line] ?? '')) ?? added.at(-1) ?? 0
  const before = lines[at] ?? ''
  const after = before.replace(/[()[\]{}:](?=[^()[\]{}:]*$)/, '')
  return { text: lines.with(at, after === before ? `${before})` : after).join('\n'), line: at }
}
