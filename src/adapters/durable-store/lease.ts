/** What a lease says, and whether its holder still works. */
import { z } from 'zod'
import type { Stored } from '../../core/domain/stored.ts'
import { readStored } from '../../core/parse-json.ts'

/** A run of a workflow, or a machine that serves one job of a repository at a time. */
const holderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('workflow'),
    run: z.string().regex(/^\d{1,20}$/),
    attempt: z.int().positive(),
  }),
  z.object({ kind: z.literal('machine'), name: z.string().max(500) }),
])

export type Holder = Stored<typeof holderSchema>

/** Of a run of a workflow, as GitHub says; `unknown` where it does not say. */
export type Liveness = 'alive' | 'dead' | 'unknown'

const leaseSchema = z.object({
  /** Of the state; `null` for what belongs to no run. */
  run: z.string().max(200).nullable(),
  holder: holderSchema,
  /** Tells this process from every other. */
  session: z.string().max(100),
  /** ISO 8601, UTC; counts only where nobody can say whether the holder lives. */
  expiresAt: z.iso.datetime(),
})

export type Lease = Stored<typeof leaseSchema>

const lifeMinutes = 20

/** Longer than two clocks differ. */
const forgottenDays = 2

export const writeLease = (lease: Omit<Lease, 'expiresAt'>, now: string): string => {
  const expiresAt = new Date(Date.parse(now) + lifeMinutes * 60_000).toISOString()
  return `${JSON.stringify({ ...lease, expiresAt })}\n`
}

/** `null` for what is no lease of ours. */
export const readLease = (text: string): Lease | null => readStored(leaseSchema, text)

/** What tells whether the holder of a lease works yet. */
export interface LivenessSource {
  readonly holder: Holder
  readonly clock: { now(): string }
  /** Whether a run of a workflow works yet. */
  readonly ask: (workflowRun: string) => Promise<Liveness>
}

/** Whether the holder of a lease works yet. */
export async function isHeld(
  { holder, expiresAt }: Lease,
  source: LivenessSource,
): Promise<boolean> {
  const liveness = await livenessOf(holder, source)
  return liveness === 'unknown' ? secondsSince(expiresAt, source) < 0 : liveness === 'alive'
}

/**
 * Whether it is sure that nobody works on it any more, so that it can be taken away for good: run out, and
 * its run over as GitHub says; where nobody can say, run out for days.
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
    ? `run ${holder.run} of this repository's workflow works on it`
    : 'another machine works on it'

/** GitHub knows of its runs, whatever the clocks say; a machine does one job at a time, so its earlier leases are over. */
async function livenessOf(holder: Holder, { holder: me, ask }: LivenessSource): Promise<Liveness> {
  if (holder.kind === 'machine') {
    return me.kind === 'machine' && me.name === holder.name ? 'dead' : 'unknown'
  }
  if (me.kind !== 'workflow' || me.run !== holder.run) return ask(holder.run)
  if (holder.attempt === me.attempt) {
    // The jobs of a matrix are one run: that one of them is over is not said.
    return 'unknown'
  }
  return holder.attempt > me.attempt ? 'alive' : 'dead'
}

const secondsSince = (time: string, { clock }: LivenessSource): number =>
  (Date.parse(clock.now()) - Date.parse(time)) / 1000
