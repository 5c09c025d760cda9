import { clip, oneLine, showText } from '../../../packages/text/text.ts'
import type { ToolResult } from './tool-result.ts'

/** In characters: 2,000 tokens. */
export const longestShown = 7_600
const longestSummary = 200
const leftOut = '\n(the rest was left out)'

/** The result without hidden text and keys: an observation of at most 2,000 tokens, and a summary of one line. */
export function showResult(result: ToolResult): ToolResult {
  const { observation, summary } = result
  const line = oneLine(showText('summary.txt', summary).text)
  return { ...result, observation: bound(observation), summary: clip(line, longestSummary) }
}

/** A text that was cut before stays as it is. */
function bound(text: string): string {
  const { text: shown } = showText('observation.txt', text)
  if (shown.length <= longestShown) return shown
  const room = longestShown - leftOut.length
  const cut = shown.lastIndexOf('\n', room)
  return `${shown.slice(0, cut > 0 ? cut : room).toWellFormed()}${leftOut}`
}
