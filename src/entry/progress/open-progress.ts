import type { Settings } from '../../core/domain/settings.ts'
import type { Clock } from '../../core/ports.ts'
import type { RunWatcher } from '../observe/watch-ports.ts'
import { drawLine, redraws } from './draw-line.ts'
import { followRun } from './follow-run.ts'
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
  /** Replaces the line; an empty text removes it. */
  show(line: string): void
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
    const run = followRun(redact, now())
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
      const activity = run.activity(now())
      const { paint } = screen
      const line = activity && drawLine(activity, { at: now(), width: live?.width() ?? 0, paint })
      live?.show(line ?? '')
    }
    const giveSign = () => {
      const activity = now() - saidAt < mostSilence ? null : run.activity(now())
      if (activity === null) return
      const { label, figures, output } = activity
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
          run.beginStep(node, state, now())
          tale.stepBegan(node, state)
        },
        finished(node, outcome, state) {
          run.endStep(now())
          tale.stepEnded(node, outcome, state)
        },
      },
      watch(call) {
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
