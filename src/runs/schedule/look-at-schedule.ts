import type { Cron } from 'croner'
import { parse } from 'yaml'
import { z } from 'zod'
import { isBefore, secondsOf } from '../../core/domain/instant.ts'
import type { ScheduleGap } from '../../core/domain/schedule-gap.ts'
import type { ScheduledRuns } from '../../core/ports/discussion.ts'
import type { Ports } from '../../core/ports.ts'
import { lastUntil, readCron } from './cron-times.ts'

/**
 * Finds the runs that this run's schedule missed since its previous one. Reports nothing in doubt: the workflow must
 * have had the same schedule then as now.
 */
export async function lookAtSchedule(
  cron: string,
  runs: ScheduledRuns | null,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<ScheduleGap | null> {
  if (runs === null) return null
  const { base } = await workspace.view()
  const schedulesAt = async (sha: string) => {
    const text = (await workspace.readFiles(sha, [runs.workflow])).get(runs.workflow)
    return readSchedules(text ?? '')
  }
  const schedule = (await schedulesAt(base.sha)).find((each) => each.cron === cron)
  if (schedule === undefined) return null
  const { previous } = runs
  const isThere = previous !== null && (await workspace.contains(base.sha, previous.sha))
  const before = isThere ? await schedulesAt(previous.sha) : []
  const isSame = before.some((each) => each.cron === cron && each.timezone === schedule.timezone)
  return findGap(schedule, runs.began, isSame && previous !== null ? previous.at : null)
}

/**
 * Derives missed runs from the times of two runs: GitHub starts scheduled runs late when it is busy, and skips some.
 * Each run belongs to the last scheduled time before it, so one that is a whole interval late counts for the time
 * after its own.
 */

/** Minutes of GitHub's usual delay, which is not reported. */
const usualMinutes = 30

/** Missed times that are counted, and that are named. */
const mostCounted = 1000
const mostNamed = 3

/**
 * @param began when GitHub created this run, and the previous one: ISO times; `null` without one
 * @returns `null` when everything is ordinary, or the schedule cannot be read
 */
export function findGap(
  schedule: Schedule,
  began: string,
  previous: string | null,
): ScheduleGap | null {
  const { cron, timezone } = schedule
  const isKnown = [began, previous ?? began].every((time) => secondsOf(time) !== null)
  const times = isKnown ? readCron(cron, timezone) : null
  return times === null ? null : gapOf(cron, times, began, previous)
}

function gapOf(
  cron: string,
  times: Cron,
  began: string,
  previous: string | null,
): ScheduleGap | null {
  const own = lastUntil(times, began)
  if (own === null) return null
  const late = (secondsOf(began) ?? 0) - (secondsOf(own) ?? 0)
  const before = previous === null ? null : lastUntil(times, previous)
  const missed = before === null ? [] : between(times, before, own)
  const lateSeconds = late > usualMinutes * 60 ? Math.round(late) : 0
  if (missed.length === 0 && lateSeconds === 0) return null
  const named =
    missed.length > mostNamed ? [...missed.slice(0, mostNamed - 1), ...missed.slice(-1)] : missed
  return { cron, missed: named, missedRuns: missed.length, lateSeconds }
}

function between(times: Cron, from: string, to: string): readonly string[] {
  const found: string[] = []
  let next = times.nextRun(from)?.toISOString()
  while (next !== undefined && isBefore(next, to) && found.length < mostCounted) {
    found.push(next)
    next = times.nextRun(next)?.toISOString()
  }
  return found
}

/** One entry below `on: schedule:` of a workflow. */
interface Schedule {
  readonly cron: string
  /** IANA name; defaults to `UTC`. */
  readonly timezone: string
}

const shape = z.object({
  on: z.object({
    schedule: z.array(z.object({ cron: z.string(), timezone: z.string().default('UTC') })),
  }),
})

/** The schedules in a workflow's file; empty when it has none, or cannot be read. */
export function readSchedules(text: string): readonly Schedule[] {
  try {
    return shape.parse(parse(text)).on.schedule
  } catch {
    return []
  }
}
