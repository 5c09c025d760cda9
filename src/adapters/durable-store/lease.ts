/** The content of a lease, and whether its holder is still working. */
import { z } from 'zod'
import { readStored, type Stored } from '../../../packages/text/text.ts'

/** A workflow run, or a machine that serves one job per repository at a time. */
const holderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('workflow'),
    run: z.string().regex(/^\d{1,20}$/),
    attempt: z.int().positive(),
  }),
  z.object({ kind: z.literal('machine'), name: z.string().max(500) }),
])

export type Holder = Stored<typeof holderSchema>

/** The state of a workflow run as GitHub reports it; `unknown` if it does not. */
export type Liveness = 'alive' | 'dead' | 'unknown'

const leaseSchema = z.object({
  /** The run that the state belongs to; `null` without one. */
  run: z.string().max(200).nullable(),
  holder: holderSchema,
  /** Identifies a process. */
  session: z.string().max(100),
  /** ISO 8601, UTC; counts only if no one can tell whether the holder is alive. */
  expiresAt: z.iso.datetime(),
})

export type Lease = Stored<typeof leaseSchema>

const lifeMinutes = 20

/** Longer than any difference between two clocks. */
const forgottenDays = 2

export const writeLease = (lease: Omit<Lease, 'expiresAt'>, now: string): string => {
  const expiresAt = new Date(Date.parse(now) + lifeMinutes * 60_000).toISOString()
  return `${JSON.stringify({ ...lease, expiresAt })}\n`
}

/** Returns `null` for a text that is not a lease. */
export const readLease = (text: string): Lease | null => readStored(leaseSchema, text)

/** Tells whether the holder of a lease is still working. */
export interface LivenessSource {
  readonly holder: Holder
  readonly clock: { now(): string }
  /** Asks whether a workflow run is still working. */
  readonly ask: (workflowRun: string) => Promise<Liveness>
}

/** Returns true while the holder of a lease is still working. */
export async function isHeld(
  { holder, expiresAt }: Lease,
  source: LivenessSource,
): Promise<boolean> {
  const liveness = await livenessOf(holder, source)
  return liveness === 'unknown' ? secondsSince(expiresAt, source) < 0 : liveness === 'alive'
}

/**
 * Returns true if the holder has certainly stopped, so that the lease can be removed for good: it
 * has expired and GitHub says that its run has ended, or, if GitHub cannot tell, it expired days
 * ago.
 */
export async function isOver(
  { holder, expiresAt }: Lease,
  source: LivenessSource,
): Promise<boolean> {
  const seconds = secondsSince(expiresAt, source)
  if (seconds < 0) return false
  return seconds > forgottenDays * 86_400 || (await livenessOf(holder, source)) === 'dead'
}

export const describeHolder = ({ holder }: Lease): string =>
  holder.kind === 'workflow'
    ? `run ${holder.run} of this repository's workflow is working on it`
    : 'another machine is working on it'

/** A machine does one job at a time, so its earlier leases have ended; GitHub knows its runs. */
async function livenessOf(holder: Holder, { holder: me, ask }: LivenessSource): Promise<Liveness> {
  if (holder.kind === 'machine') {
    return me.kind === 'machine' && me.name === holder.name ? 'dead' : 'unknown'
  }
  if (me.kind !== 'workflow' || me.run !== holder.run) return ask(holder.run)
  if (holder.attempt === me.attempt) {
    // The jobs of a matrix are one run, and GitHub does not say when one of them ends.
    return 'unknown'
  }
  return holder.attempt > me.attempt ? 'alive' : 'dead'
}

const secondsSince = (time: string, { clock }: LivenessSource): number =>
  (Date.parse(clock.now()) - Date.parse(time)) / 1000
