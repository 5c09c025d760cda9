import { countMembers } from './count-members.ts'
import { type Call, playApproval, playTask } from './play-tasks.ts'
import { closureOf, readSources, type Source } from './read-sources.ts'

/** A figure of how much one has to know; less is better. */
export interface Face {
  /** Key in faces.json. */
  readonly name: string
  readonly says: string
  readonly value: number
  readonly goal: number
  /** By how much it differs from run to run, as parallel calls have no fixed order. */
  readonly slack: number
}

/** A package, and the most names that it should show the program. */
const doors: readonly (readonly [string, number])[] = [
  ['judge', 25],
  ['roadmap', 40],
  ['task', 26],
  ['change', 25],
  ['diagnosis', 25],
  ['sandbox', 12],
  ['source', 25],
  ['files', 15],
  ['text', 80],
]

/** Each with the folder that it has for itself. */
const subjects: readonly (readonly [string, RegExp, RegExp])[] = [
  ['tool loop', /^(?:tool)?loop|Loop/, /tool/],
  ['routing', /rout(?:e|ing)/i, /rout/],
  ['lanes', /lane/i, /lane/],
  // `groups` alone is what a regular expression matches.
  ['groups', /^group(?!s$)|Group/, /group/],
]

const simulator = /^packages\/github-simulator\//

const wrong =
  /Fail|Error|Problem|Fault|Trouble|Refus|Diagnos|Broken|Reject|Finding|Unusable|Complaint/

/** Reads the sources and plays two tasks and an approval. */
export async function measureFaces(root: string): Promise<readonly Face[]> {
  const sources = await readSources(root)
  const [green, approval] = [await playTask('S1'), await playApproval()]
  // What runs beside a repair differs: the fewest of three count.
  const repairs = [await playTask('S3'), await playTask('S3'), await playTask('S3')]
  const ofRepair = repairs.map((calls) => count(repairOf(calls)))
  return [
    ...measureDoors(sources),
    face(
      'judge.members',
      'members of what the judge shows',
      countMembers(root, 'packages/judge/judge.ts'),
      120,
    ),
    ...measureSources(sources),
    ...measureGreen(green),
    face(
      'repair.files',
      'files from the output of a failing test to the prompt of its repair',
      Math.min(...ofRepair),
      40,
      3,
    ),
    ...measureApproval(approval),
  ]
}

const face = (name: string, says: string, value: number, goal: number, slack = 0): Face => ({
  name,
  says,
  value,
  goal,
  slack,
})

const count = (calls: readonly Call[]): number => new Set(calls.map(({ path }) => path)).size

type Sources = ReadonlyMap<string, Source>

const productOf = (sources: Sources): readonly Source[] =>
  [...sources.values()].filter(({ path }) => path.startsWith('src/'))

function measureDoors(sources: Sources): readonly Face[] {
  const taken = productOf(sources).flatMap(({ imports }) => imports)
  return doors.flatMap(([name, goal]) => {
    const shown = taken.filter(({ from }) => from.startsWith(`packages/${name}/`))
    const names = new Set(shown.flatMap((each) => each.names))
    const files = new Set(shown.map(({ from }) => from))
    return [
      face(`${name}.names`, `names that the program takes from ${name}`, names.size, goal),
      face(`${name}.files`, 'files that it takes them from', files.size, 1),
    ]
  })
}

function measureSources(sources: Sources): readonly Face[] {
  const product = productOf(sources)
  const start = 'src/graph/nodes/attempt/verify-task.ts'
  const needed = closureOf(start, sources, false)
  const inProgram = [...needed].filter((path) => path.startsWith('src/'))
  const imports = product
    .filter(({ path }) => /^src\/graph\/nodes\/[^/]+\//.test(path))
    .map((each) => each.imports.filter(({ isDeferred }) => !isDeferred).length)
    .sort((a, b) => a - b)
  const all = [...sources.values()].filter(({ path }) => !simulator.test(path))
  const shapes = all.flatMap((each) => each.shapes).filter((name) => wrong.test(name))
  const spreads = all.reduce((sum, { literalSpreads }) => sum + literalSpreads, 0)
  return [
    face('verify_task.src', 'files of src/ that verify_task loads', inProgram.length, 70),
    face('verify_task.all', 'the same, with packages', needed.size, 150),
    face(
      'node.imports.median',
      'imports of a node: the median',
      imports[imports.length >> 1] ?? 0,
      11,
    ),
    face('node.imports.most', 'imports of a node: the most', imports.at(-1) ?? 0, 16),
    face('wrong.shapes', 'exported shapes of what went wrong', shapes.length, 9),
    ...subjects.map(([subject, name, inside]) =>
      face(
        `named.${subject}`,
        `files elsewhere that name ${subject}`,
        namedIn(all, name, inside),
        12,
      ),
    ),
    face(
      'lines.known',
      'lines of core, graph and runs',
      linesOf(product, /^src\/(?:core|graph|runs)\//),
      10_500,
    ),
    face('lines.src', 'lines of src/', linesOf(product, /^/), 45_000),
    face(
      'lines.all',
      'lines of src/ and the packages, without the simulator',
      linesOf(all, /^/),
      94_300,
    ),
    face('spreads', 'spreads of literals', spreads, 0),
  ]
}

const namedIn = (product: readonly Source[], name: RegExp, inside: RegExp): number =>
  product.filter(
    ({ path, identifiers }) =>
      !inside.test(path) && [...identifiers].some((each) => name.test(each)),
  ).length

const linesOf = (sources: readonly Source[], where: RegExp): number =>
  sources.reduce((sum, { path, lines }) => (where.test(path) ? sum + lines : sum), 0)

function measureGreen(calls: readonly Call[]): readonly Face[] {
  const inProgram = calls.filter(({ path }) => path.startsWith('src/'))
  const named = (name: string, within: RegExp) =>
    calls.filter((call) => call.name === name && within.test(call.path)).length
  return [
    face('green.src', 'files of src/ that one green task runs', count(inProgram), 190),
    face('green.all', 'the same, with packages', count(calls), 300),
    face(
      'green.listFiles',
      'times that it lists the files of a commit',
      named('listFiles', /git-workspace/),
      4,
    ),
    face(
      'green.detectSuites',
      'times that it looks for test suites',
      named('detectSuites', /detect/),
      2,
    ),
  ]
}

/** From the first reading of a test's output after the change is written, to the next request. */
function repairOf(calls: readonly Call[]): readonly Call[] {
  const written = calls.findIndex(({ name }) => name === 'writeFiles')
  const read = calls.findIndex(({ name }, at) => at > written && name === 'readRun')
  const asked = calls.findIndex(
    ({ path, name }, at) => at > read && path.includes('openai-model') && name === 'complete',
  )
  if (written < 0 || read < 0 || asked < 0) throw new Error('The task was not repaired.')
  return calls.slice(read, asked)
}

function measureApproval(calls: readonly Call[]): readonly Face[] {
  const merged = calls.findIndex(
    ({ path, name }) => path.includes('adapters/octokit-forge') && name === 'merge',
  )
  if (merged < 0) throw new Error('Nothing was merged.')
  const before = calls.slice(0, merged)
  const room = ({ path }: Call) => path.split('/').slice(0, 2).join('/')
  const moves = before.filter((call, at) => {
    const last = before[at - 1]
    return last !== undefined && room(last) !== room(call)
  })
  const bound = before.filter(({ name }) => name === 'proposalHash')
  return [
    face('approve.files', 'files from `/approve` of a proposal to its merge', count(before), 60),
    face('approve.moves', 'moves between rooms on that way', moves.length, 150, 30),
    face('approve.bound', 'times that the proposal is bound on that way', bound.length, 1),
  ]
}
