import { type ChangeSet, countChanges } from '../../change/change.ts'
import type { Receipt } from '../results/test-report.ts'

/** The receipt of a change whose tests did not run, with the reasons. */
export const nothingRun = (
  changes: ChangeSet,
  notes: readonly string[],
  result: Receipt['result'] = 'failed',
): Receipt => ({
  ...{ result, commands: [], before: null, after: null, seconds: 0, sandbox: null },
  ...{ changed: countChanges(changes), notes: [...notes] },
})
