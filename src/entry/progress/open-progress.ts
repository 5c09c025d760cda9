import type { Settings } from '../../core/domain/settings.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { byLane } from '../observe/by-lane.ts'
import type { RunWatcher } from '../observe/watch-ports.ts'
import { drawLine, redraws } from './draw-line.ts'
import { type Activity, followRun } from './follow-run.ts'
import { type Paint, tellRun } from './tell-run.ts'

/** The place where people watch a run: a terminal or a job log. */
export interface Screen {
  say(line: string): void
  readonly paint: Paint
  /** A line that is redrawn in place; `null` where only plain lines are possible. */
  readonly live: LiveLine | null
}

export interface LiveLine {
  /** Columns; 0 when unknown. */
  width(): number
  /** Replaces the line, by one for each task that moves; an empty text removes it. */
  show(...lines: readonly string[]): void
}

export interface Progress extends RunWatcher {
  close(): void
}

export type OpenProgress = (tools: {
  readonly clock: Clock
  readonly redact: (text: string) => string
}) => Progress

/** A log: plain lines without colors. */
export const inLog = (say: (line: string) => void): Screen => ({
  say: (line) => say(line),
  paint: (_, text) => text,
  live: null,
})

/** Seconds of silence before a log gets a sign of life, so that no reader waits longer than 30 s. */
const mostSilence = 28

/** Matches the lines that only show that a run continues. */
export const signOfLife = /^ {4}… /

/**
 * Shows a run to people. A terminal has a live line that changes several times per second. A log gets a line when a step
 * begins, and another after half a minute of silence. Both get a line for the result of a step.
 */
export const openProgress =
  (screen: Screen, settings: Settings, tells: 'one task' | 'all tasks'): OpenProgress =>
  ({ clock, redact }) => {
    const now = () => clock.monotonic()
    const runs = byLane(() => followRun(redact, now()))
    runs.own()
    /** Of each lane with a step under way; none while a person answers. */
    const activities = (): readonly Activity[] => {
      const all = runs.all()
      const moving = all.filter((run) => !run.isIdle())
      const shown = (moving.length > 0 ? moving : all.slice(0, 1)).map((run) => run.activity(now()))
      return shown.includes(null) ? [] : shown.filter((activity) => activity !== null)
    }
    const { live } = screen
    const isQuiet = settings.logLevel === 'error' || settings.logLevel === 'warn'
    let saidAt = now()
    const say = (line: string) => {
      if (isQuiet) return
      saidAt = now()
      screen.say(redact(line))
    }
    const tale = tellRun({ settings, say, paint: screen.paint, isLive: live !== null, tells })
    const draw = () => {
      const drawn = { at: now(), width: live?.width() ?? 0, paint: screen.paint }
      const lines = activities().map((activity) => drawLine(activity, drawn))
      if (lines.length === 0) live?.show('')
      else live?.show(...lines)
    }
    const giveSign = () => {
      if (now() - saidAt < mostSilence) return
      for (const { label, figures, output } of activities())
        say(`    … ${label}: ${[...figures, ...(output === '' ? [] : [output])].join(', ')}`)
    }
    const stop = isQuiet
      ? () => {}
      : live === null
        ? clock.every(1, giveSign)
        : clock.every(1 / redraws, draw)
    return {
      observer: {
        noticed: say,
        started(node, state) {
          runs.own().beginStep(node, state, now())
          tale.stepBegan(node, state)
        },
        finished(node, outcome, state) {
          runs.own().endStep(now())
          tale.stepEnded(node, outcome, state)
        },
      },
      watch(call) {
        const run = runs.own()
        const followed = run.beginCall(call, now())
        if (call.kind === 'person') live?.show('')
        tale.callBegan(call)
        return {
          heard: (piece) => followed.heard(piece, now()),
          ended(end) {
            run.endCall(followed)
            // The person has just typed an answer.
            if (call.kind === 'person') saidAt = now()
            tale.callEnded(call, end, { seconds: now() - followed.began, output: followed.output })
          },
        }
      },
      close() {
        stop()
        live?.show('')
      },
    }
  }
