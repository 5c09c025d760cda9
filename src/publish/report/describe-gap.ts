import type { ScheduleGap } from '../../core/domain/schedule-gap.ts'

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/** What a schedule left out, in a sentence: `The schedule "17 3 * * *" missed 2 runs (…); …`. */
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
  if (count > times.length) return `from ${describeTime(first)} to ${describeTime(last)} UTC`
  const isDaily = times.every((time) => clockOf(time) === clockOf(first))
  if (!isDaily) return `${joined(times.map(describeTime))} UTC`
  const isOneMonth = times.every((time) => monthOf(time) === monthOf(first))
  const days = isOneMonth
    ? `${joined(times.map(dayOf))} ${monthOf(first)}`
    : joined(times.map((time) => `${dayOf(time)} ${monthOf(time)}`))
  return `${days}, ${clockOf(first)} UTC`
}

const describeTime = (time: string): string => `${dayOf(time)} ${monthOf(time)}, ${clockOf(time)}`
const clockOf = (time: string): string => time.slice(11, 16)
const dayOf = (time: string): string => String(Number(time.slice(8, 10)))
const monthOf = (time: string): string => months[Number(time.slice(5, 7)) - 1] ?? ''

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

function describeSeconds(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
