/**
 * Writes the scratchpad of a task: what the model planned, thought and saw, and what became of it. All of it is text
 * of models and tests, and inert here. Where it exceeds its room, older observations shrink to a line, and then whole
 * entries to counts.
 */

import {
  charactersPerToken,
  clip,
  countOf,
  fenced,
  fold,
  inlineCode,
  lineBeforeCode,
  neutraliseCode,
  neutraliseLine,
  paragraphs,
} from '../../../packages/text/text.ts'
import type { ScratchEntry, Scratchpad } from '../../core/journal/fold-scratchpad.ts'
import { describeToolCall } from './describe-tool-call.ts'
import { verdictText } from './describe-verification.ts'

/** In characters, each before it is made inert. */
const longestLine = 300
const longestObservation = { file: 8_000, body: 1_200 } as const
/** With its fold. */
const longestSection = 8_000

/** The most steps and files of a plan, and lines of a reflection. */
const mostLines = 12

/** The kinds that are worth telling; an attempt whose first change passed has none. */
const telling: ReadonlySet<ScratchEntry['kind']> = new Set(['plan', 'turn', 'repair', 'reflection'])

/** Returns true when the scratchpad says more than the verdict does. */
const isTelling = ({ entries }: Scratchpad): boolean =>
  entries.some(({ kind }) => telling.has(kind))

/**
 * The scratchpad as a file; empty when there is nothing to tell.
 *
 * @param summariseOver tokens
 */
export function writeScratchpad(pad: Scratchpad, run: string, summariseOver: number): string {
  if (!isTelling(pad)) return ''
  const head = `# ${neutraliseLine(pad.task)}\n\nThe scratchpad of run ${inlineCode(run)}.`
  const room = summariseOver * charactersPerToken - head.length
  return `${head}\n\n${fillRoom(pad.entries, room, longestObservation.file)}\n`
}

/** The scratchpad of one attempt, folded, for a pull request; empty when there is nothing to tell. */
export function foldNotes({ task, entries }: Scratchpad, attempt: number): string {
  const own = entries.filter((entry) => entry.attempt === attempt)
  if (!isTelling({ task, entries: own })) return ''
  const calls = own.filter(({ kind }) => kind === 'turn').length
  const title = titleOfNotes(calls)
  const room = longestSection - fold(title, '').length
  return fold(title, fillRoom(own, room, longestObservation.body))
}

/** `How the change came about (12 tool calls)` */
export const titleOfNotes = (calls: number): string =>
  `How the change came about${calls === 0 ? '' : ` (${countOf(calls, 'tool call')})`}`

/** An entry in one or a few lines, and with its observation. */
interface Block {
  readonly entry: ScratchEntry
  readonly short: string
  readonly full: string
}

/** Reserved for the line that counts the entries left out. */
const countsRoom = 400

/** As much of the entries as fits, the newest first. */
function fillRoom(entries: readonly ScratchEntry[], room: number, longest: number): string {
  const blocks = entries.map((entry): Block => {
    const short = writeEntry(entry)
    return { entry, short, full: `${short}${writeObservation(entry, longest)}` }
  })
  const kept = newestWithin(blocks, room - countsRoom, ({ short }) => short)
  const shown = blocks.slice(blocks.length - kept)
  const used = shown.reduce((sum, { short }) => sum + short.length + 1, 0)
  const whole = newestWithin(shown, room - countsRoom - used, ({ short, full }) =>
    full.slice(short.length),
  )
  const lines = shown.map(({ short, full }, index) =>
    index >= shown.length - whole ? full : short,
  )
  const left = blocks.slice(0, blocks.length - kept)
  return paragraphs([countEntries(left.map(({ entry }) => entry)), lines.join('\n')])
}

/** How many of the newest blocks fit. */
function newestWithin(
  blocks: readonly Block[],
  room: number,
  textOf: (block: Block) => string,
): number {
  let left = room
  const tooLong = blocks.findLastIndex((block) => {
    left -= textOf(block).length + 1
    return left < 0
  })
  return blocks.length - 1 - tooLong
}

/** `Before that: 12 tool calls (8 read_file, 4 grep), 2 problems.` */
function countEntries(entries: readonly ScratchEntry[]): string {
  if (entries.length === 0) return ''
  const calls = entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.tool] : []))
  const byTool = [...Map.groupBy(calls, (tool) => tool)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const tools = byTool
    .slice(0, 5)
    .map(([tool, uses]) => `${uses.length} ${code(clip(tool || 'no tool', 20))}`)
  const rest = [...Map.groupBy(entries, ({ kind }) => kind)].flatMap(([kind, own]) =>
    kind === 'turn' ? [] : [countOf(own.length, kind)],
  )
  const parts =
    calls.length === 0 ? [] : [`${countOf(calls.length, 'tool call')} (${tools.join(', ')})`]
  return `Before that: ${[...parts, ...rest].join(', ')}.`
}

/** An entry as an item of a list. */
function writeEntry(entry: ScratchEntry): string {
  switch (entry.kind) {
    case 'plan': {
      const files = entry.files.slice(0, mostLines).map((file) => code(file))
      const where = files.length === 0 ? '' : `: ${files.join(', ')}`
      return [`- **Plan**, ${entry.complexity} complexity${where}`, ...nested(entry.steps)].join(
        '\n',
      )
    }
    case 'turn': {
      const call = `⚒ ${code(describeToolCall(entry))} → ${line(entry.summary)}`
      const thought = lineBeforeCode(clip(entry.thought, longestLine))
      return thought === '' ? `- ${call}` : `- ${thought}\n  ${call}`
    }
    case 'problem':
      return `- **Problem** in ${inlineCode(entry.node)}: ${line(entry.message)}`
    case 'repair': {
      const what = entry.node === 'repair_code' ? 'of the code' : 'after the tests'
      const result = entry.outcome === 'repaired' ? '' : `: ${verdictText(entry.outcome)}`
      return `- **Repair** ${what}${result}`
    }
    case 'reflection':
      return ['- **Why it failed**', ...nested(entry.lines)].join('\n')
    case 'verdict':
      return entry.verdict === 'tested'
        ? `- **Tests**: ${tested[entry.reason] ?? verdictText(entry.reason)}`
        : `- **Verdict**: ${[verdictText(entry.verdict), line(entry.reason)].filter((each) => each !== '').join(': ')}`
  }
}

const tested: Readonly<Record<string, string>> = {
  passed: 'they pass',
  verified: 'they pass',
  unverified: 'no test covers the change',
}

/** A squashed commit may repeat it as plain text. */
const code = (text: string): string => inlineCode(neutraliseCode(clip(text, longestLine)))

const line = (text: string): string => neutraliseLine(clip(text, longestLine))

const nested = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, mostLines).map((each) => `  - ${line(each)}`)

/** The observation of a call in a fence below its item; empty for anything else. */
function writeObservation(entry: ScratchEntry, longest: number): string {
  if (entry.kind !== 'turn' || entry.observation.trim() === '') return ''
  const lines = clip(entry.observation.trimEnd(), longest)
    .split('\n')
    .map((each) => clip(each, longestLine))
  const fence = fenced(neutraliseCode(lines.join('\n')))
  return `\n\n${fence.replaceAll(/^/gm, '  ')}\n`
}
