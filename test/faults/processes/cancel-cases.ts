/**
 * A job that GitHub cancels, and a person's Ctrl-C: SIGINT, then SIGTERM, then SIGKILL. What it waits for
 * at that moment is cut off, its state is saved, and the next process goes on.
 */
import type { ActionWorld } from './action-world.ts'
import { type Courses, goOn, openWorld, sideBySide, type Way } from './kill-cases.ts'
import type { ProcessWorld, Started } from './process-world.ts'

interface Moment {
  readonly name: string
  /** Calls `cancel` when it has come; what has to be prepared before the start is prepared at once. */
  readonly await: (world: World, start: () => Started) => Promise<Started>
}

interface World extends ProcessWorld {
  readonly bench?: ActionWorld['bench']
}

export interface CancelCase {
  readonly way: Way
  readonly moment: Moment
}

/** Seconds that anybody would be waited for; no test lasts so long. */
const forLong = 600

/** Until what was sent has been read. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 300))

/** A request to the model is answered so, and then is the moment. */
const whenAsked =
  (wanted: string, fault: 'streams' | 'limits'): Moment['await'] =>
  async ({ model }, start) => {
    const asked = new Promise<void>((resolve) => {
      model.meet = (key, text) => {
        if (key !== wanted) return undefined
        model.meet = () => undefined
        resolve()
        return fault === 'streams'
          ? { text, fault: { kind: 'slow', seconds: forLong, after: text.length >> 1 } }
          : { fault: { kind: 'status', status: 429, retryAfter: 30 } }
      }
    })
    const process = start()
    await asked
    await aMoment()
    return process
  }

const whenTested: Moment['await'] = async (_, start) => {
  const process = start()
  await process.said('T-2 running the tests')
  await aMoment()
  return process
}

const pulls = { method: 'POST', path: '/repos/{owner}/{repo}/pulls' } as const
const pushes = { method: 'POST', path: '/{owner}/{repo}.git/git-receive-pack' } as const

/** A push hangs, and is done after all when its process has gone. */
const whenPushed: Moment['await'] = async (world, start) => {
  const process = start()
  await new Promise<void>((met) =>
    world.bench?.server.faults.add({
      ...pushes,
      skip: 2,
      effect: { kind: 'delay', seconds: 3, met },
    }),
  )
  return process
}

const whenLimited: Moment['await'] = async (world, start) => {
  const process = start()
  const { server } = world.bench ?? {}
  server?.faults.add({ ...pulls, effect: { kind: 'secondary_limit', retryAfter: '60' } })
  const isLimited = () => server?.requests.some(({ status }) => status === 403)
  while (!isLimited()) await aMoment()
  await aMoment()
  return process
}

const moments: readonly Moment[] = [
  { name: 'while the model speaks', await: whenAsked('draft T-2', 'streams') },
  { name: 'while the model wants to be left alone', await: whenAsked('draft T-2', 'limits') },
  { name: 'while tests run', await: whenTested },
]

const onGitHub: readonly Moment[] = [
  { name: 'while a push hangs', await: whenPushed },
  { name: 'while GitHub wants to be left alone', await: whenLimited },
]

export const cancelCases: readonly CancelCase[] = [
  ...(['cli', 'lanes'] as const).flatMap((way) => moments.map((moment) => ({ way, moment }))),
  ...[...moments, ...onGitHub].map((moment) => ({ way: 'action', moment }) as const),
]

export const describeCancel = ({ way, moment }: CancelCase): string =>
  `${way}: cancelled ${moment.name}`

/** When the runner sends its second signal. */
const grace = 7_500

/** 4: cancelled, to be run again; a cancelled job is no red one. */
const cancelledCodes: Readonly<Record<Way, number>> = { cli: 4, action: 0, tools: 4, lanes: 4 }

export async function checkCancel(
  { way, moment }: CancelCase,
  courses: Courses,
): Promise<readonly string[]> {
  await using opened = await openWorld(way, sideBySide)
  const { world } = opened
  const process = await moment.await(world, world.start)
  const began = performance.now()
  process.cancel()
  const { code, said } = await process.ended
  const milliseconds = Math.round(performance.now() - began)
  const wrong: string[] = []
  if (code !== cancelledCodes[way]) wrong.push(`it ended with ${code}: ${said.slice(-800)}`)
  if (milliseconds > grace) wrong.push(`it took ${milliseconds} ms`)
  return [...wrong, ...(await goOn(world, courses[way], 0, way))]
}
