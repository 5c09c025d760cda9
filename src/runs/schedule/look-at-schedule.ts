import type { ScheduleGap } from '../../core/domain/schedule-gap.ts'
import type { ScheduledRuns } from '../../core/ports/discussion.ts'
import type { Ports } from '../../core/ports.ts'
import { findGap } from './find-gap.ts'
import { readSchedules } from './read-schedules.ts'

/**
 * What the schedule that began this run left out since the one before it. Nothing is said where that is
 * not sure: the workflow must have had the same schedule then as it has now.
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
