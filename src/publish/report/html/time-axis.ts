import type { Phase } from '../../../core/journal/time-by-phase.ts'

/** A time axis that shortens long pauses. Positions are in per cent of its width. */
export interface TimeAxis {
  place(seconds: number): number
  readonly ticks: readonly { readonly at: number; readonly seconds: number }[]
  /** Positions and durations of the shortened pauses. */
  readonly pauses: readonly { readonly at: number; readonly seconds: number }[]
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** A pause is shortened if it is longer than this many seconds, and than this share of the time worked. */
const leastPause = 60
const pausePart = 0.08
/** Width of a shortened pause, as a share of the axis. */
const pauseWidth = 0.035
/** The most pauses that are shortened; shorter ones are drawn in full. */
const mostPauses = 6

const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 168].map((hours) => hours * 3600),
]
const mostTicks = 8

/** Builds the axis. Time spent only waiting for people is a pause. */
export function timeAxis(phases: readonly Phase[]): TimeAxis {
  const ends = phases.map(({ at, seconds }) => at + seconds)
  const end = ends.reduce((latest, each) => Math.max(latest, each), 0)
  const busy = stretchesOf(phases.filter(({ phase }) => phase !== 'waiting'))
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  const gaps = [...busy, { from: end, to: end }]
    .map(({ from }, index): Stretch => ({ from: busy[index - 1]?.to ?? 0, to: from }))
    .filter(({ from, to }) => to - from > Math.max(leastPause, worked * pausePart))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, mostPauses)
    .toSorted((a, b) => a.from - b.from)
  const lost = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  const shown = Math.max(end - lost, 1e-9)
  const perSecond = (100 * (1 - gaps.length * pauseWidth)) / shown
  const place = (seconds: number): number => {
    let at = Math.min(Math.max(seconds, 0), end) * perSecond
    for (const { from, to } of gaps) {
      if (seconds <= from) break
      const inside = Math.min(seconds, to) - from
      at += (inside / (to - from)) * 100 * pauseWidth - inside * perSecond
    }
    return Math.round(at * 100) / 100
  }
  const step = steps.find((each) => shown / each <= mostTicks) ?? shown
  const ticks = Array.from(
    { length: Math.min(Math.floor(end / step), 400) },
    (_, n) => (n + 1) * step,
  )
    .filter((seconds) => !gaps.some(({ from, to }) => seconds >= from && seconds <= to))
    .map((seconds) => ({ at: place(seconds), seconds }))
  return {
    place,
    ticks: apart([{ at: 0, seconds: 0 }, ...ticks]),
    pauses: gaps.map(({ from, to }) => ({ at: place((from + to) / 2), seconds: to - from })),
  }
}

/** Drops ticks that are closer together than a label is wide. */
function apart(ticks: TimeAxis['ticks']): TimeAxis['ticks'] {
  let last = Number.NEGATIVE_INFINITY
  return ticks.filter(({ at }) => {
    if (at - last < 100 / (mostTicks + 2) || at > 97) return false
    last = at
    return true
  })
}

function stretchesOf(phases: readonly Phase[]): readonly Stretch[] {
  const all: { from: number; to: number }[] = []
  for (const { at, seconds } of phases.toSorted((a, b) => a.at - b.at)) {
    const last = all.at(-1)
    if (last !== undefined && at <= last.to) last.to = Math.max(last.to, at + seconds)
    else all.push({ from: at, to: at + seconds })
  }
  return all
}
