import type { JournalEvent, Recorded } from '../domain/journal-event.ts'

export type RecordedStep = Recorded<'stepped'>

/**
 * The steps of a run as if it had never been interrupted. A run killed between its journal and its state repeats a
 * step; one that waited for a model or a forge ended, and resumed at the step that asked.
 */
export function recordedSteps(events: readonly JournalEvent[]): readonly RecordedStep[] {
  let steps: RecordedStep[] = []
  for (const event of events) {
    if (event.kind === 'stepped') steps.push(event)
    if (event.kind === 'resumed') {
      steps = withoutRepeated(steps, undefined, event.next)
      for (const { lane, next } of event.lanes ?? []) steps = withoutRepeated(steps, lane, next)
    }
  }
  return steps
}

/** The steps without those of this walk that it takes again, from `next` on. */
function withoutRepeated(
  steps: readonly RecordedStep[],
  walk: number | undefined,
  next: string,
): RecordedStep[] {
  const own = steps.filter(({ lane }) => lane === walk)
  const repeated = new Set(own.slice(goneOnFrom(own, next)))
  return steps.filter((step) => !repeated.has(step))
}

function goneOnFrom(steps: readonly RecordedStep[], next: string): number {
  const last = steps.at(-1)
  if (last?.node === next) return steps.length - 1
  const waiting = steps.findLastIndex(({ node }) => node !== 'generate_report')
  const { node, outcome = '' } = steps[waiting] ?? {}
  const isPut = node === next && ['unavailable', 'forge_refused'].includes(outcome)
  return isPut ? waiting : steps.length
}
