import { z } from 'zod'

import { type Attempt, attemptSchema } from '../../core/domain/attempt.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import { noUsage } from '../../core/domain/usage.ts'
import { readStored } from '../../core/parse-json.ts'

/**
 * An attempt that waits for a person, as text to keep in the repository. What only the run that
 * made it could use (output of tests, which may say anything) is left out.
 */
export function writeParked(attempt: Attempt): string {
  const { failure, destructive, context } = attempt
  const kept: Attempt = {
    ...attempt,
    tests: null,
    // Repairs of a change that is approved later look at the code again.
    context: destructive.length > 0 ? context : [],
    failure: failure && { ...failure, output: '' },
  }
  return `${JSON.stringify({ version: 1, attempt: kept })}\n`
}

const parkedShape = z.object({ version: z.literal(1), attempt: attemptSchema })

/**
 * The attempt kept under a task's id, ready to go on in another run; `null` when the text is
 * damaged, or another's. What it cost was booked by its own run.
 */
export function readParkedAttempt(id: string, text: string): Attempt | null {
  const read = readStored(parkedShape, text)
  if (read === null) return null
  const { attempt } = read
  if (!isTaskId(id) || attempt.task.id !== id) return null
  return { ...attempt, usage: noUsage, seconds: 0, steps: 0, starts: 1 }
}
