import { estimateTokens, fenced } from '../../../packages/text/text.ts'
import type { ToolName } from '../../core/domain/tool-call.ts'
import type { ToolTurn } from '../../core/domain/tool-loop.ts'
import type { Message } from '../../core/ports/model.ts'
import { changeForms, deleteForm, promptOf } from './compose-prompt.ts'
import { draftSections } from './draft.ts'
import { listTools } from './tools.ts'

const instructions = (allowed: readonly ToolName[]): string =>
  `You complete one task in a git repository, with tools. In each reply write one short line of thought, then tool calls or a change, or both. They run in order until one fails.
A tool call:
${fenced('{"tool": "grep", "arguments": {"words": "total"}}', 'json')}
Tools:
${listTools(allowed)}
A change: for each file its path alone on a line, then one code fence.
${changeForms.edits}
${deleteForm}
Look at what you do not see before you change it; when you see enough, write the change and call done in the same reply.
Do not touch files the task does not need.`

/**
 * The conversation of a loop of tools: the task with the code that it names, then each call and what it showed. Once
 * the observations exceed `summariseOver` tokens, the older ones shrink to the words that a person reads.
 */
export function thinkPrompt(
  input: Parameters<typeof draftSections>[0] & {
    readonly allowed: readonly ToolName[]
    readonly turns: readonly ToolTurn[]
    readonly reflections: readonly string[]
    readonly summariseOver: number
    /** The rest of the limits, in a line. */
    readonly left: string
  },
): readonly Message[] {
  const { allowed, turns, reflections, summariseOver, left } = input
  const whole = newestWithin(turns, summariseOver)
  const talk = turns.flatMap((turn, index): readonly Message[] => [
    { role: 'assistant', content: showCall(turn, index >= turns.length - whole) },
    { role: 'user', content: (index >= turns.length - whole && turn.observation) || turn.summary },
  ])
  const why = reflections.at(-1) ?? ''
  const lesson = why === '' ? '' : `\n\nWHY IT FAILED\n${why}`
  const [last, ...before] = [
    ...promptOf(instructions(allowed), draftSections({ ...input, ...besideTurns(input, whole) })),
    ...talk,
  ].reverse()
  if (last === undefined) return []
  return [...before.reverse(), { ...last, content: `${last.content}${lesson}\n\n${left}` }]
}

/**
 * The files that are shown beside the newest turns, and the map with the names of the others, which tools can show
 * again. Every request repeats them, so they share the room of the turns; the first ones keep half of it, because most
 * edits copy from them.
 */
function besideTurns(
  { map, files, turns, summariseOver }: Parameters<typeof thinkPrompt>[0],
  whole: number,
): Pick<Parameters<typeof thinkPrompt>[0], 'map' | 'files'> {
  if (turns.length === 0) return { map, files }
  const used = turns
    .slice(turns.length - whole)
    .reduce((sum, { observation, input }) => sum + estimateTokens(observation + input), 0)
  let left = Math.max(summariseOver / 2, summariseOver - used)
  const isKept = files.map(({ text }) => {
    left -= estimateTokens(text)
    return left >= 0
  })
  const others = files.filter((_, index) => !isKept[index]).map(({ path }) => path)
  const note = others.length === 0 ? '' : `\nShown before, and not repeated: ${others.join(', ')}`
  return { map: map + note, files: files.filter((_, index) => isKept[index]) }
}

/** Drops what no later request shows: the observations and changes of older turns; their summaries stay. */
export function forgetOld(turns: readonly ToolTurn[], summariseOver: number): readonly ToolTurn[] {
  const whole = newestWithin(turns, summariseOver)
  return turns.map((turn, index) =>
    index >= turns.length - whole
      ? turn
      : { ...turn, observation: '', input: turn.tool === 'write_diff' ? '' : turn.input },
  )
}

/** How many of the newest turns fit; the last one always does. */
function newestWithin(turns: readonly ToolTurn[], tokens: number): number {
  let left = tokens
  let count = 0
  for (const { observation, input } of turns.toReversed()) {
    left -= estimateTokens(observation) + estimateTokens(input)
    // An empty one was dropped before.
    if (count > 0 && (left < 0 || observation === '')) break
    count += 1
  }
  return count
}

/** In characters, of an older call; its result is a few words, too. */
const longestOld = 300

function showCall({ tool, input, thought }: ToolTurn, isWhole: boolean): string {
  // A change is kept with the words before it.
  const isSaid = isWhole && input.replaceAll(/\s+/g, ' ').startsWith(thought)
  const words = thought === '' || isSaid ? [] : [thought]
  const isShown = isWhole || input.length <= longestOld
  if (tool === '') return [...words, isShown && input !== '' ? input : '…'].join('\n')
  // Some endpoints refuse an empty turn.
  const change = isWhole && input.trim() !== '' ? input : 'I wrote a change.'
  if (tool === 'write_diff') return [...words, change].join('\n')
  const call = isShown
    ? fenced(`{"tool": "${tool}", "arguments": ${input}}`, 'json')
    : `I called ${tool}.`
  return [...words, call].join('\n')
}
