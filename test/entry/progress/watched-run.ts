import type { WatchedCall } from '../../../src/entry/observe/watch-ports.ts'
import type { Activity } from '../../../src/entry/progress/follow-run.ts'
import {
  openProgress,
  type Progress,
  type Screen,
} from '../../../src/entry/progress/open-progress.ts'
import { someSettings } from '../../fakes/facts.ts'
import { createFakeClock, type FakeClock } from '../../fakes/fake-clock.ts'

/** What stood on a screen, and when: lines that were said, and frames of the live line. */
export interface Seen {
  readonly at: number
  readonly kind: 'line' | 'frame'
  readonly text: string
}

export interface Watched {
  readonly progress: Progress
  readonly clock: FakeClock
  readonly seen: readonly Seen[]
  lines(): readonly string[]
  frames(): readonly string[]
}

interface Options {
  /** `null`: no terminal. */
  readonly width: number | null
  readonly isColoured?: boolean
  readonly logLevel?: 'error' | 'info' | 'debug'
  readonly redact?: (text: string) => string
  readonly tells?: 'one task' | 'all tasks'
}

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 }

/** A screen of this width that remembers all that it showed, on a clock that moves by hand. */
export function watchRun({ width, isColoured = false, ...more }: Options): Watched {
  const clock = createFakeClock()
  const seen: Seen[] = []
  const see = (kind: Seen['kind']) => (text: string) => {
    const last = seen.findLast((each) => each.kind === 'frame')
    if (kind === 'line' || last?.text !== text) seen.push({ at: clock.monotonic(), kind, text })
  }
  const screen: Screen = {
    say: see('line'),
    paint: (format, text) => (isColoured ? `\u001B[${codes[format]}m${text}\u001B[39m` : text),
    live:
      width === null
        ? null
        : { width: () => width, show: (...lines) => see('frame')(lines.join('\n')) },
  }
  const { logLevel = 'info', redact = (text) => text, tells = 'one task' } = more
  const open = openProgress(screen, { ...someSettings(), logLevel }, tells)
  const texts = (kind: Seen['kind']) =>
    seen.filter((each) => each.kind === kind).map(({ text }) => text)
  return {
    progress: open({ clock, redact }),
    ...{ clock, seen },
    lines: () => texts('line'),
    frames: () => texts('frame'),
  }
}

export const modelCall: WatchedCall = {
  kind: 'model',
  name: 'chat gpt-5',
  facts: { 'gen_ai.request.model': 'gpt-5', 'executor.purpose': 'draft' },
  shown: { line: '2 messages, about 3,000 tokens; the answer may have 8,000' },
}

export const commandCall = (
  title: string,
  tool: 'run_command' | 'prepare_dependencies' = 'run_command',
): WatchedCall => ({
  kind: 'command',
  name: `execute_tool ${tool}`,
  facts: {},
  shown: { line: `sh -c ${title}`, title },
})

export const personCall: WatchedCall = {
  ...{ kind: 'person', name: 'ask', facts: {}, shown: { line: '' } },
}

export const output = (text: string, from: 'stdout' | 'stderr' = 'stdout') =>
  ({ kind: 'output', piece: Buffer.from(text), from }) as const

export const anActivity = (given: Partial<Activity> = {}): Activity => ({
  ...{ label: 'T-1 asking gpt-5 for the change', figures: ['12 s'], output: '' },
  ...given,
})
