/**
 * `npm run exercises -- --dir DIR --mode correct|echo|syntax|logic|hopeless|cheat`: exercises with tests and
 * reference solutions, all in one repository, all red, one task each. DIR holds `exercises/practice/`, in one
 * language. `--count N` plays the first so many, `--seed S` draws the slips; each case adds a line to
 * `--results FILE`, and `--resume` skips those that have one. Ends with 1 when a bound is missed.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { modes } from './exercises/answers.ts'
import { type ExerciseLine, endsWell, keyOf, sumUp } from './exercises/case-line.ts'
import { layOut } from './exercises/lay-out.ts'
import { playExercise } from './exercises/play-exercise.ts'
import { readExercises } from './exercises/read-exercises.ts'
import { openWorkshop } from './exercises/workshop.ts'
import { readArguments, refuse } from './read-arguments.ts'
import { addResult, readResults } from './results-file.ts'
import { longestCase, programCommit, project } from './run-program.ts'
import { isMet, writeSummary } from './summary.ts'

const values = readArguments(import.meta.filename, {
  dir: { type: 'string' },
  mode: { type: 'string' },
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  results: { type: 'string', default: join(project, 'harness/results/exercises.jsonl') },
  resume: { type: 'boolean', default: false },
})
const mode =
  modes.find((name) => name === values.mode) ?? refuse(`--mode is one of ${modes.join(', ')}.`)
const directory = resolve(values.dir ?? refuse('Name the exercises: --dir DIR.'))
const [count = 0, seed = 0] = [values.count, values.seed].map(Number)
if (![count, seed].every(Number.isFinite)) refuse('--count and --seed are numbers.')

const read = await readExercises(directory)
const [first] = read.exercises
if (first === undefined) refuse(`${directory} has no exercises with a reference for each file.`)
const results = resolve(values.results)
const known = new Map(
  (values.resume ? await readResults<ExerciseLine>(results) : []).map((line) => [
    keyOf(line),
    line,
  ]),
)
const passedOver: Record<string, string> = Object.fromEntries(
  read.passedOver.map((name) => [name, 'not a reference for each file']),
)
const lines: ExerciseLine[] = []
const folder = await realpath(await mkdtemp(join(tmpdir(), 'executor-exercises-')))
const program = await programCommit()
try {
  const workshop = await openWorkshop(folder, layOut(read.exercises, read.settings), first.language)
  for (const [index, exercise] of read.exercises.slice(0, count).entries()) {
    const { language, name } = exercise
    const found = known.get(keyOf({ language, name, mode }))
    const line =
      found ??
      (await playExercise(workshop, exercise, {
        ...{ mode, index, seed, program, milliseconds: longestCase },
      }))
    if (typeof line === 'string') passedOver[name] = line
    else await keep(line, line === found)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
const figures = sumUp(mode, lines)
console.log(writeSummary(figures))
for (const [name, reason] of Object.entries(passedOver))
  console.log(`passed over, ${name}: ${reason}`)
for (const line of lines.filter((one) => !endsWell(one))) {
  console.log(`${describe(line)}: ${line.reason || line.told.join('; ')}`)
}
if (!figures.every(isMet)) process.exitCode = 1

async function keep(line: ExerciseLine, isKnown: boolean): Promise<void> {
  if (!isKnown) await addResult(results, line)
  lines.push(line)
  console.error(describe(line))
}

function describe({
  name,
  mode,
  outcome,
  receipt,
  exact,
  requests,
  seconds,
}: ExerciseLine): string {
  const held = exact ? 'the reference' : 'not the reference'
  return `${name} ${mode}: ${outcome}, ${receipt ?? 'no receipt'}, ${held}, ${requests} requests, ${seconds} s`
}
