import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Observer } from '../../graph/run-graph.ts'
import {
  describeFinding,
  describePlanned,
  describePreview,
  describeResult,
  describeWaiting,
  isAsking,
} from '../observe/describe-step.ts'

/**
 * The run's log: what is waited for, what was found, and a line for each task's end, also of those that nobody worked
 * on.
 */
export function logProgress(log: (line: string) => void, settings: Settings): Observer {
  let known: RunState['results'] | null = null
  let held: string | null = null
  return {
    noticed: log,
    started(node, state) {
      const waiting = describeWaiting(node, state, settings)
      const id = state.attempt?.task.id
      known ??= state.results
      // A dry run asks and runs nothing: there is nothing to wait for.
      if (waiting === null || state.dryRun) return
      const line = `  ${id === undefined ? '' : `${id} `}${waiting} …`
      if (isAsking(waiting)) held = line
      else log(line)
    },
    asking() {
      if (held !== null) log(held)
      held = null
    },
    finished(node, outcome, state) {
      if (node === 'parse_roadmap') for (const line of describePreview(state, settings)) log(line)
      held = null
      const found = describeFinding(node, outcome, state)
      if (found !== null) log(`    ${found}`)
      if (node !== 'decide_next') return
      const filed = Object.values(state.results).filter(
        (each) => each.thisRun && known?.[each.id] !== each,
      )
      for (const each of filed) log(state.dryRun ? describePlanned(each) : describeResult(each))
      known = state.results
    },
  }
}
