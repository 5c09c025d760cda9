/** What a claim says, and whether whoever made it still works. */
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

const claimSchema = z.object({
  /** Of the state; `null` for what belongs to no run. */
  run: z.string().max(200).nullable(),
  holder: holderSchema,
  /** Tells this process from every other. */
  session: z.string().max(100),
  /** ISO 8601, UTC; counts only where nobody can say whether the holder lives. */
  expiresAt: z.iso.datetime(),
})

export type ClaimRecord = Stored<typeof claimSchema>

const lifeMinutes = 20

export const writeClaim = (record: Omit<ClaimRecord, 'expiresAt'>, now: string): string => {
  const expiresAt = new Date(Date.parse(now) + lifeMinutes * 60_000).toISOString()
  return `${JSON.stringify({ ...record, expiresAt })}\n`
}

/** `null` for what is no claim of ours. */
export const readClaimRecord = (text: string): ClaimRecord | null => readStored(claimSchema, text)

/**
 * Whether the holder of a claim works yet. GitHub knows of its runs, whatever the clocks say; the same
 * run in an earlier attempt is over; a machine does one job at a time, so its earlier claims are over.
 */
export async function isHeld(
  record: ClaimRecord | null,
  me: Holder,
  now: string,
  ask: (workflowRun: string) => Promise<Liveness>,
): Promise<boolean> {
  if (record === null) return false
  const { holder, expiresAt } = record
  const isFresh = Date.parse(now) < Date.parse(expiresAt)
  if (holder.kind === 'machine') {
    return !(me.kind === 'machine' && me.name === holder.name) && isFresh
  }
  if (me.kind === 'workflow' && me.run === holder.run) {
    // The jobs of a matrix are one run: that one of them is over is not said.
    return holder.attempt > me.attempt || (holder.attempt === me.attempt && isFresh)
  }
  const liveness = await ask(holder.run)
  return liveness === 'unknown' ? isFresh : liveness === 'alive'
}

/** Longer than two clocks differ. */
const forgottenDays = 2

/**
 * Whether it is sure that nobody works on it any more, so that it can be taken away for good: run out, and
 * its run over as GitHub says; where nobody can say, run out for days.
 */
export async function isOver(
  { holder, expiresAt }: ClaimRecord,
  me: Holder,
  now: string,
  ask: (workflowRun: string) => Promise<Liveness>,
): Promise<boolean> {
  const age = Date.parse(now) - Date.parse(expiresAt)
  if (age < 0) return false
  if (age > forgottenDays * 86_400_000) return true
  if (holder.kind === 'machine') return me.kind === 'machine' && me.name === holder.name
  if (me.kind === 'workflow' && me.run === holder.run) return holder.attempt < me.attempt
  return (await ask(holder.run)) === 'dead'
}

export const describeHolder = ({ holder }: ClaimRecord): string =>
  holder.kind === 'workflow'
    ? `run ${holder.run} of this repository's workflow works on it`
    : 'another machine works on it'
