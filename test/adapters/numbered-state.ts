import type { RunState } from '../../src/core/domain/run-state.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'

/** The state of a run after so many saves: each has a result more, every tenth takes one back. */
export function numbered(count: number): RunState {
  const ids = Array.from({ length: count }, (_, index) => `T-${index}`)
  const kept = ids.filter((_, index) => count % 10 !== 0 || index !== 3)
  return sampleState({
    spent: { calls: count },
    tasks: { results: Object.fromEntries(kept.map((id) => [id, sampleResult(id)])) },
  })
}
