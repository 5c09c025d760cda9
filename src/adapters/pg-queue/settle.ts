import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import type { JobWithMetadata } from 'pg-boss'
import { z } from 'zod'
import type { JobResult } from '../../core/ports/job-queue.ts'
import type { JobTable, StoredData } from './job-table.ts'

const secondsBetween = 2
/** In seconds. By then another process may have the job. */
const patience = 120

/** An error of a statement: the database answered, and another try would end the same way. */
const refused = z.object({ severity: z.literal('ERROR') })

/** Records how a job ended. Waits for a database that is down: a job that is done would otherwise be done again. */
export function settle(
  table: JobTable,
  stored: JobWithMetadata<StoredData>,
  result: JobResult,
  closing: AbortSignal,
): Promise<void> {
  const unreachable = handleWhen((error) => !refused.safeParse(error).success)
  const backoff = new ConstantBackoff(secondsBetween * 1000)
  const policy = retry(unreachable, { maxAttempts: patience / secondsBetween, backoff })
  return policy.execute(() => record(table, stored, result, closing), closing)
}

async function record(
  table: JobTable,
  stored: JobWithMetadata<StoredData>,
  result: JobResult,
  closing: AbortSignal,
): Promise<void> {
  if (result.status === 'done') return table.complete(stored, result.left)
  if (stored.signal.aborted) return
  if (result.status === 'again') {
    if (closing.aborted) return table.putBack(stored)
    if (result.notBefore !== undefined) return table.putOff(stored, result.notBefore)
    if (stored.retryCount < stored.retryLimit) return table.retry(stored, result.reason)
  }
  return table.giveUp(stored, result.reason)
}
