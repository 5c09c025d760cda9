/** One exercise as a task of the repository that holds them all. */
import { git } from '../git.ts'
import { runProgram } from '../run-program.ts'
import { answersOf, type Mode, needsWrong, sayInTurn } from './answers.ts'
import type { ExerciseLine } from './case-line.ts'
import type { Exercise } from './exercise.ts'
import { taskId } from './lay-out.ts'
import { referenceOf, type Solution, spoilLogic } from './spoil.ts'
import type { ExerciseWorkshop } from './workshop.ts'

export interface Conditions {
  readonly mode: Mode
  /** Which task of the roadmap it is, from 0. */
  readonly index: number
  readonly seed: number
  readonly program: string
  readonly milliseconds: number
}

/** The case's line, or why there is no such case. */
export async function playExercise(
  workshop: ExerciseWorkshop,
  exercise: Exercise,
  { mode, index, seed, program, milliseconds }: Conditions,
): Promise<ExerciseLine | string> {
  if ((await workshop.tryByHand(exercise, referenceOf(exercise))) !== 'green') {
    return 'the reference is not green by hand'
  }
  const wrong = needsWrong(mode) ? await findWrong(workshop, exercise, mode, seed) : []
  if (needsWrong(mode) && wrong.length === 0) return 'no slip that its tests find'
  const task = taskId(index)
  const { repository, cache } = workshop
  const run = await runProgram({
    ...{ repository, task, cache, milliseconds },
    // Each from the same commit, so that no case depends on another.
    flags: ['--stack', 'none'],
    script: [{ when: {}, answers: [sayInTurn(answersOf(mode, exercise, wrong, index))] }],
  })
  const exact = await holds(repository, `agent/${task}`, exercise)
  const { language, name } = exercise
  return { language, name, mode, ...run, exact, program }
}

const mostTried = 12
const wrongOnes = 3

/** Solutions that the exercise's own tests refuse. */
async function findWrong(
  workshop: ExerciseWorkshop,
  exercise: Exercise,
  mode: Mode,
  seed: number,
): Promise<readonly Solution[]> {
  const found: Solution[] = []
  for (const solution of spoilLogic(exercise, seed).slice(0, mostTried)) {
    if (found.length === (mode === 'hopeless' ? wrongOnes : 1)) break
    if ((await workshop.tryByHand(exercise, solution)) === 'red') found.push(solution)
  }
  return found
}

async function holds(
  repository: string,
  branch: string,
  { solutions }: Exercise,
): Promise<boolean> {
  if ((await git(repository, 'for-each-ref', `refs/heads/${branch}`)) === '') return false
  const held = await Promise.all(
    solutions.map(async ({ path, reference }) => {
      const text = await git(repository, 'show', `${branch}:${path}`)
      return text === reference.replace(/\n$/, '')
    }),
  )
  return held.every(Boolean)
}
