import { secondsOf } from '../../core/domain/instant.ts'
import type { ScheduleGap } from '../../core/domain/schedule-gap.ts'

/** The runs that a schedule missed, in a sentence: `The schedule "17 3 * * *" missed 2 runs (…); …`. */
export function describeGap({ cron, missed, missedRuns, lateSeconds }: ScheduleGap): string {
  const late = lateSeconds === 0 ? '' : `began ${describeSeconds(lateSeconds)} late`
  if (missedRuns === 0) return `This run of the schedule "${cron}" ${late}.`
  const many =
    missedRuns === 1 ? '1 run' : `${missedRuns} ${missedRuns < 1000 ? 'runs' : 'runs or more'}`
  const end = late === '' ? '' : `; this one ${late}`
  return `The schedule "${cron}" missed ${many} (${describeTimes(missed, missedRuns)})${end}.`
}

/** `20 and 21 November, 03:17 UTC`. */
function describeTimes(times: readonly string[], count: number): string {
  const [first = '', last = ''] = [times[0], times.at(-1)]
  const describeTime = (time: string) => `${dayOf(time)}, ${clockOf(time)}`
  if (count > times.length) return `from ${describeTime(first)} to ${describeTime(last)} UTC`
  const isDaily = times.every((time) => clockOf(time) === clockOf(first))
  if (!isDaily) return `${inWords(times.map(describeTime))} UTC`
  const [, month = ''] = dayOf(first).split(' ')
  const days = times.map(dayOf)
  const isOneMonth = days.every((day) => day.endsWith(` ${month}`))
  const named = isOneMonth ? days.map((day) => day.replace(` ${month}`, '')) : days
  return `${inWords(named)}${isOneMonth ? ` ${month}` : ''}, ${clockOf(first)} UTC`
}

const clockOf = (time: string): string => time.slice(11, 16)

const dayAndMonth = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const dates = new Intl.DateTimeFormat('en-GB', dayAndMonth)

/** `20 November`. */
const dayOf = (time: string): string => dates.format((secondsOf(time) ?? 0) * 1000)

const inWords = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts)

function describeSeconds(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
