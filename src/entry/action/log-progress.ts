import type { Settings } from '../../core/domain/settings.ts'
import type { Observer } from '../../graph/run-graph.ts'
import {
  describeFinding,
  describePlanned,
  describePreview,
  describeResult,
  describeWaiting,
} from '../observe/describe-step.ts'

/** The run's log: what is waited for, what was found, and a line for each task's end. */
export function logProgress(log: (line: string) => void, settings: Settings): Observer {
  let task: string | null = null
  return {
    noticed: log,
    started(node, state) {
      const waiting = describeWaiting(node, state, settings)
      const id = state.attempt?.task.id
      // A dry run asks and runs nothing: there is nothing to wait for.
      if (waiting !== null && !state.dryRun)
        log(`  ${id === undefined ? '' : `${id} `}${waiting} …`)
    },
    finished(node, outcome, state) {
      if (node === 'parse_roadmap') for (const line of describePreview(state, settings)) log(line)
      task = state.attempt?.task.id ?? task
      const found = describeFinding(node, outcome, state)
      if (found !== null) log(`    ${found}`)
      const result = node === 'decide_next' && task !== null ? state.results[task] : undefined
      if (result === undefined) return
      log(state.dryRun ? describePlanned(result) : describeResult(result))
    },
  }
}
