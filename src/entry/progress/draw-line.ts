import truncatedWidth from 'fast-string-truncated-width'
import type { Activity } from './follow-run.ts'

/** Redraws per second: enough for a spinner, too few to cost anything. */
export const redraws = 5

const turning = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Columns of a terminal whose width is unknown. */
const usualWidth = 80

/** A longer line is harder to read. */
const mostColumns = 200

/** With fewer columns, a command's last line is unreadable and left out. */
const leastOfOutput = 12

/** Returns the width of a text on a terminal, in columns. */
export const columnsOf = (text: string): number => truncatedWidth(text).width

/** Cuts a text to this width; `…` replaces the cut part. */
function cutTo(text: string, columns: number): string {
  if (columns < 1) return ''
  const { index, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: '…' })
  return text.slice(0, index) + (ellipsed ? '…' : '')
}

/**
 * Draws the live line, always narrower than the terminal: the activity, its seconds and figures, and the last line of a
 * command's output. If there is too little room, the output goes first, then the figures from the end; the seconds stay.
 *
 * @param width columns; 0 when unknown
 */
export function drawLine(
  activity: Activity,
  drawn: {
    readonly at: number
    readonly width: number
    readonly paint: (format: 'cyan' | 'dim', text: string) => string
  },
): string {
  const { at, width, paint } = drawn
  const known = Number.isFinite(width) && width > 0 ? width : usualWidth
  const columns = Math.max(1, Math.min(known - 1, mostColumns))
  const sign = turning[Math.floor(at * redraws) % turning.length] ?? ''
  const indent = columns < 30 ? '' : '  '
  const room = columns - columnsOf(`${indent}${sign} `)
  if (room < 1) return paint('cyan', sign)
  const { text, used } = fitParts(activity, room)
  const left = room - used - 2
  const said =
    activity.output === '' || left < leastOfOutput
      ? ''
      : paint('dim', `  ${cutTo(activity.output, left)}`)
  return `${indent}${paint('cyan', sign)} ${text}${said}`
}

function fitParts({ label, figures }: Activity, room: number) {
  for (let count = figures.length; count > 0; count -= 1) {
    const text = `${label}: ${figures.slice(0, count).join(', ')}`
    const used = columnsOf(text)
    if (used <= room) return { text, used }
  }
  const [seconds = ''] = figures
  const forLabel = room - columnsOf(seconds) - 2
  const text = forLabel < 4 ? cutTo(seconds, room) : `${cutTo(label, forLabel)}: ${seconds}`
  return { text, used: columnsOf(text) }
}
