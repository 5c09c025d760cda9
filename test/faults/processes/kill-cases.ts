/**
 * Whole processes that are killed (SIGKILL) at a request: before anything came of it, or after, when the
 * answer is on its way. The Action goes on on a fresh machine, the command line where it was.
 */
import { processesOf } from '../../e2e/cli/bench.ts'
import { compareEnds, type EndState } from '../end-state.ts'
import { type ActionWorld, openActionWorld } from './action-world.ts'
import { type CliWorld, openCliWorld } from './cli-world.ts'
import type { Calls, Ended, ProcessWorld } from './process-world.ts'

export type Way = 'action' | 'cli' | 'tools' | 'lanes'
type When = 'before' | 'after'

/** The number of a request among those of its kind, in the process that dies of it. */
export interface KillCase {
  readonly way: Way
  readonly step: number
  readonly to: 'github' | 'model' | 'tests'
  readonly at: number
  readonly when: When
  /** What it was when nothing was disturbed. */
  readonly request: string
}

/** How things are after each step, and what was paid for by then. */
export interface Course {
  readonly ends: readonly EndState[]
  readonly paid: readonly number[]
  readonly requests: readonly Ended['requests'][]
  /** Of the first step. */
  readonly calls: Calls
  /** What a process ends with. */
  readonly good: number
}

export interface Courses {
  readonly action: Course
  readonly cli: Course
  /** The command line with `strategy: tools`. */
  readonly tools: Course
  /** The command line with one task at a time: three at a time come to the same end. */
  readonly lanes: Course
}

/** What people do before each process; the second is what the first one waits for. */
const steps: Readonly<Record<Way, readonly ((world: ActionWorld) => Promise<void>)[]>> = {
  action: [async () => {}, (world) => world.say('executor/recovery/T-3', '/approve')],
  cli: [async () => {}],
  tools: [async () => {}],
  lanes: [async () => {}],
}

/** Those of the checkout, which is there before the Action is. */
const isOfCheckout = (request: string): boolean => request.includes(' /ada/engine/')

const isWrite = (request: string): boolean =>
  /^(?:POST|PATCH|PUT|DELETE) \/repos\/|^POST .*git-receive-pack/.test(request)

/** An exchange of git has two or three requests: a fetch dies of its first, a push of what changes something. */
const isWithinGit = (request: string): boolean =>
  /^POST .*git-upload-pack|^GET .*git-receive-pack/.test(request)

/** 3: a task waits for a person. */
const goodCodes: Readonly<Record<Way, number>> = { action: 0, cli: 3, tools: 0, lanes: 3 }

/** @throws Error when an undisturbed process does not end well */
export async function playCourse(way: Way, count = steps[way].length): Promise<Course> {
  const ends: EndState[] = []
  const paid: number[] = []
  const processes: Ended[] = []
  await using opened = await openWorld(way)
  for (const happens of steps[way].slice(0, count)) {
    if (opened.way === 'action') await happens(opened.world)
    const ended = await (opened.way === 'action' ? opened.world.start() : opened.world.start({}))
      .ended
    const { code, said } = ended
    if (code !== goodCodes[way]) throw new Error(`Undisturbed, it ends with ${code}:\n${said}`)
    processes.push(ended)
    ends.push(await opened.world.endOf())
    paid.push(opened.world.model.paid.length)
  }
  const [{ calls } = { calls: { git: [], files: [] } }] = processes
  return {
    ends,
    paid,
    requests: processes.map(({ requests }) => requests),
    calls,
    good: goodCodes[way],
  }
}

/** @param lanes tasks at a time */
export async function openWorld(way: Way, lanes = 1) {
  const work = { withTools: way === 'tools', ...(way === 'lanes' && { lanes }) }
  const opened =
    way === 'action'
      ? ({ way, world: await openActionWorld() } as const)
      : ({ way, world: await openCliWorld(work) } as const)
  return { ...opened, [Symbol.asyncDispose]: () => opened.world[Symbol.asyncDispose]() }
}

/**
 * Every request once before, every write and every question once after; of the second step what writes.
 */
export function killCasesOf(courses: Courses): readonly KillCase[] {
  return (['action', 'cli', 'tools', 'lanes'] as const).flatMap((way) =>
    courses[way].requests.flatMap((requests, step) => {
      const asked = requests.filter((request) => request.startsWith('model '))
      const sent = requests.filter((request) => !request.startsWith('model '))
      const ofGitHub = sent.flatMap((request, at): readonly KillCase[] => {
        if (isOfCheckout(request) || isWithinGit(request)) return []
        if (step > 0 && !isWrite(request)) return []
        const one = { way, step, to: 'github', at, request } as const
        const before = { ...one, when: 'before' } as const
        return isWrite(request) ? [before, { ...one, when: 'after' }] : [before]
      })
      const ofModel = asked.flatMap((request, at): readonly KillCase[] =>
        (['before', 'after'] as const).map((when) => ({
          ...{ way, step, to: 'model', at, request, when },
        })),
      )
      const ofTests = asked.flatMap((request, at): readonly KillCase[] =>
        way !== 'cli' && way !== 'action' && runsTests.test(request)
          ? [{ way, step, to: 'tests', at, request, when: 'after' }]
          : [],
      )
      return [...ofGitHub, ...ofModel, ...ofTests]
    }),
  )
}

/** Questions whose answer makes tests run. */
const runsTests = /^model (?:think T-(?:1 2|2 0|2 2)|draft T-1)$/

export const describeKill = ({ way, step, to, at, when, request }: KillCase): string =>
  `${way}, step ${step + 1}: killed ${to === 'tests' ? 'in the tests' : ''}${when} ${request.replace(/\?.*/, '')} (request ${at})`

/** Tasks at a time, once something goes wrong. */
export const sideBySide = 3

/** Plays it, and says what is wrong in the end. */
export async function checkKill(given: KillCase, courses: Courses): Promise<readonly string[]> {
  const { way, step } = given
  const course = courses[way]
  await using opened = await openWorld(way, sideBySide)
  const { world } = opened
  for (const happens of steps[way].slice(0, step)) {
    if (opened.way === 'action') await happens(opened.world)
    await world.start().ended
  }
  if (opened.way === 'action') await steps[way][step]?.(opened.world)
  const killed =
    opened.way === 'action'
      ? killAction(opened.world, given)
      : given.to === 'tests'
        ? killInTests(opened.world, given)
        : killCli(world, given)
  const { code, said } = await killed
  if (code !== -1) return [`it was not killed, but ended with ${code}: ${said.slice(-500)}`]
  return await goOn(world, course, step, way)
}

function killAction(world: ActionWorld, { to, at, when }: KillCase): Promise<Ended> {
  const process = world.start()
  const { vanish } = process
  if (to === 'model') dieOfModel(world, at, when, vanish)
  else {
    const effect = { kind: 'drop', when, met: vanish } as const
    world.bench.server.faults.add({ path: '*', skip: at, effect })
  }
  return process.ended
}

function killCli(world: ProcessWorld, { at, when }: KillCase): Promise<Ended> {
  const process = world.start()
  dieOfModel(world, at, when, process.vanish)
  return process.ended
}

/** Dies while the tests run that the answer asks for. */
async function killInTests(world: CliWorld, { at }: KillCase): Promise<Ended> {
  const process = world.start()
  const asked = Promise.withResolvers<void>()
  let count = 0
  world.model.meet = () => {
    if (count++ === at) asked.resolve()
    return undefined
  }
  await Promise.race([asked.promise, process.ended])
  await untilTested(world)
  process.vanish()
  return process.ended
}

async function untilTested({ project }: CliWorld): Promise<void> {
  const until = performance.now() + 20_000
  while (!processesOf(project).some((line) => line.startsWith('node --test'))) {
    if (performance.now() > until) throw new Error('No tests began.')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** An answer on its way is paid for; a question that was not taken is not. */
function dieOfModel({ model }: ProcessWorld, at: number, when: When, die: () => void): void {
  let asked = 0
  model.meet = (key) => {
    if (asked++ !== at) return undefined
    model.meet = () => undefined
    if (when === 'after') model.count(key)
    die()
    return null
  }
}

/** Passes until one has nothing to do. */
const mostPasses = 2

/** What is there after the death, and then after the next processes. */
export async function goOn(
  world: ProcessWorld,
  { ends, paid, good }: Course,
  step: number,
  way: Way = 'cli',
): Promise<readonly string[]> {
  const wrong: string[] = []
  const lost = world.model.paid.length - (await world.recorded())
  if (lost > (way === 'lanes' ? sideBySide : 1)) wrong.push(`${lost} answers were lost`)
  let differences: readonly string[] = []
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = await world.start().ended
    if (next.code !== good)
      wrong.push(`the next process ended with ${next.code}: ${next.said.slice(-800)}`)
    differences = compareEnds(ends[step] ?? {}, await world.endOf())
    if (differences.length === 0) break
  }
  const again = world.model.paid.length - (paid[step] ?? 0)
  if (again !== lost)
    wrong.push(`${again} answers were paid for again, and ${lost} were lost: ${world.model.paid}`)
  return [...wrong, ...differences]
}
