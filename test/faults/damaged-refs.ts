/** A run is killed on a machine that never comes back, and what the repository keeps of it is damaged. */
import { compareEnds, type EndState, endOf } from './end-state.ts'
import { checkLeases, hour, isBug, passNights, run, type Undisturbed } from './memory-cases.ts'
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts'
import { night, type Scenario } from './scenarios.ts'

/** What becomes of a text; `null`: it is gone. */
const damages: Readonly<Record<string, (text: string) => string | null>> = {
  'is gone': () => null,
  'is empty': () => '',
  'is no JSON': () => '{"next": "END", <<<<<<<\n',
  'is JSON of another kind': () =>
    '{"version":3,"progress":{"next":"END"},"tasks":{"results":{"lines":0}}}\n',
  'is cut early': (text) => text.slice(0, Math.floor(text.length / 5)),
  'is cut in the middle': (text) => text.slice(0, Math.floor(text.length / 2)),
  'lacks its last byte': (text) => text.slice(0, -1),
  'has a torn line': (text) => `${text.slice(0, -7)}\n${text.slice(-7)}`,
}

export interface DamagedRef {
  readonly scenario: Scenario
  /** The call of the first night that killed the run. */
  readonly at: number
  /** What was damaged: a file's folder or name, or all leases. */
  readonly place: string
  readonly damage: string
}

const wholeRun = 'runs/*'

const placeOf = (path: string): string => path.replace(/run-[\w-]+/, '*').replace(/\d{4}.*$/, '*')

/** After pushes and publishing in the first night, everything that there is then, damaged in every way. */
export async function casesOfDamage(
  scenario: Scenario,
  { points }: Undisturbed,
  every: number,
): Promise<readonly DamagedRef[]> {
  const night = points[0] ?? []
  const pushes = night.filter(({ call }) => call === 'refs.push')
  const published = night.filter(({ call }) => call === 'workspace.publish')
  const deaths = [...pushes.filter((_, number) => number % every === 0), ...published]
  const cases: DamagedRef[] = []
  for (const { index: at } of deaths) {
    const { place } = await killNight(scenario, at)
    const places = new Set([...place.files.keys()].map(placeOf))
    for (const damaged of [...places, wholeRun, 'claims']) {
      for (const damage of Object.keys(damages))
        cases.push({ scenario, at, place: damaged, damage })
    }
  }
  return cases
}

export const describeDamage = ({ scenario, at, place, damage }: DamagedRef): string =>
  `${scenario.name}: killed after call ${at}, and ${place} ${damage}`

/**
 * Nothing is done by guess: all of the work is there in the end. Only the answers to the task under way
 * may have to be paid for again.
 */
export async function checkDamage(
  { scenario, at, place, damage }: DamagedRef,
  undisturbed: Undisturbed,
): Promise<readonly string[]> {
  const world = await killNight(scenario, at)
  const most = (undisturbed.paid[0] ?? 0) + answersUnderWay(world)
  harm(world, place, damages[damage] ?? (() => null))
  world.clock.advance(hour)
  const { error } = await run(world, night.happens(world))
  const wrong = isBug(error) ? [`a bug: ${error.stack}`] : []
  wrong.push(...(await passNights(world)))
  wrong.push(
    ...compareEnds(withoutNotes(undisturbed.ends[0] ?? {}), withoutNotes(await endOf(world))),
  )
  if (world.paid.length > most)
    wrong.push(`${world.paid.length} answers, not ${most}, were paid for`)
  const isAnswered = isFailureShown(wrong)
  return [...wrong, ...(await checkLeases(world))].filter(
    (each) => !isGone(each) && !isAnswered(each),
  )
}

/** What only the run knew that was lost, and nobody else can tell. */
const gone: readonly { readonly wrong: RegExp; readonly why: string }[] = [
  {
    wrong: /^remarks: (?:-comment [^|]*executor:report(?: \| )?)+\+?$/,
    why: 'A run whose state is lost reports nothing, and the next one only on what it works on itself.',
  },
  {
    wrong: /^pull request #agent\/\S+ \d: (?:-The model's summary: [^|]*\| )?-`\+\d+ −\d+` in /,
    why: 'Work that was pushed and not yet proposed is described from its branch alone.',
  },
  {
    wrong:
      /^(?:message of agent\/\S+: -Executor-Attempt: 2 \| \+Executor-Attempt: 1|pull request #agent\/\S+ \d: -<sub>Run `RUN` · attempt 2 ·[^|]* \| \+<sub>Run `RUN` ·[^|]*)$/,
    why: 'An attempt in a group that the task fell out of has left nothing but its result.',
  },
]

/** A lost journal cannot tell how a change came about, and a restored state repeats some of its steps. */
const withoutNotes = (end: EndState): EndState =>
  Object.fromEntries(
    Object.entries(end).map(([about, words]) => [
      about,
      words.replaceAll(/<details><summary>How the change came about[\s\S]*?<\/details>\n\n/g, ''),
    ]),
  )

const isGone = (wrong: string): boolean => gone.some((each) => each.wrong.test(wrong))

/**
 * The questions about a failed attempt were in the lost state alone. Its branch is there, and the dashboard says so and
 * offers a retry in place of the pull request.
 */
function isFailureShown(wrong: readonly string[]): (each: string) => boolean {
  const shown =
    /^issue #Roadmap dashboard: -(?:[^|]*) \| \+[^|]*: (agent\/(\S+)) holds a failed attempt$/
  const [dashboard = '', branch = '', id = ''] = wrong.flatMap((each) => shown.exec(each) ?? [])
  return (each) =>
    branch !== '' &&
    (each === dashboard ||
      each === `parked: -${id} | +` ||
      new RegExp(`^pull request #${branch} \\d is missing$`).test(each))
}

async function killNight(scenario: Scenario, at: number): Promise<MemoryWorld> {
  const world = createMemoryWorld(scenario, 'fresh machines')
  world.clock.advance(hour)
  await run(world, night.happens(world), { strike: { at, fault: 'killed after' } })
  return world
}

/** To tasks without a verdict, and those that were on their way to other lanes. */
function answersUnderWay({ store: { events }, paid }: MemoryWorld): number {
  const filed = events.flatMap((event) => (event.kind === 'filed' ? [event.result.id] : []))
  const answered = events.filter(({ kind }) => kind === 'answered')
  const left = answered.filter((event) => 'task' in event && !filed.includes(event.task ?? ''))
  return left.length + paid.length - answered.length
}

function harm(
  { place }: MemoryWorld,
  damaged: string,
  damage: (text: string) => string | null,
): void {
  if (damaged === 'claims') {
    const leases = [...place.leases].flatMap(([name, { sha, text }]) => {
      const left = damage(text)
      return left === null ? [] : [[name, { sha: `${sha}-damaged`, text: left }] as const]
    })
    place.leases = new Map(leases)
    return
  }
  const files = [...place.files].flatMap(([path, text]) => {
    const isHit = placeOf(path) === damaged || (damaged === wholeRun && path.startsWith('runs/'))
    const left = isHit ? damage(text) : text
    return left === null ? [] : [[path, left] as const]
  })
  place.files = new Map(files)
}
