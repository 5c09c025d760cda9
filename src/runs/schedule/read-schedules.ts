import { parse } from 'yaml'
import { z } from 'zod'

/** One entry below `on: schedule:` of a workflow. */
export interface Schedule {
  readonly cron: string
  /** IANA name; `UTC` where none is given. */
  readonly timezone: string
}

const shape = z.object({
  on: z.object({
    schedule: z.array(z.object({ cron: z.string(), timezone: z.string().default('UTC') })),
  }),
})

/** The schedules of a workflow's file; none where it has none, or is none. */
export function readSchedules(text: string): readonly Schedule[] {
  try {
    return shape.parse(parse(text)).on.schedule
  } catch {
    return []
  }
}
