import { z } from 'zod'
import { isTaskId } from '../../../packages/task/task.ts'
import { readStored } from '../../../packages/text/text.ts'
import { type Attempt, attemptSchema } from '../../core/domain/attempt.ts'
import { withoutObservations } from '../../core/domain/tool-loop.ts'
import { noUsage } from '../../core/domain/usage.ts'

/**
 * Serialises an attempt that waits for a person, to be kept in the repository. Leaves out what only the run that made
 * it could use: test output and what tools showed, which may contain anything.
 */
export function writeParked(attempt: Attempt): string {
  const { failure, destructive, context } = attempt
  const kept: Attempt = {
    ...withoutObservations(attempt),
    tests: null,
    // Repairs of a change that is approved later read the code again.
    context: destructive.length > 0 ? context : [],
    failure: failure && { ...failure, output: '' },
  }
  return `${JSON.stringify({ version: 1, attempt: kept })}\n`
}

const parkedShape = z.object({ version: z.literal(1), attempt: attemptSchema })

/**
 * Reads the attempt kept under a task's id, ready to continue in another run; `null` when the text is damaged or
 * belongs to another task. Its own run has booked its cost.
 */
export function readParkedAttempt(id: string, text: string): Attempt | null {
  const read = readStored(parkedShape, text)
  if (read === null) return null
  const { attempt } = read
  if (!isTaskId(id) || attempt.task.id !== id) return null
  return { ...attempt, usage: noUsage, seconds: 0, steps: 0, starts: 1 }
}
