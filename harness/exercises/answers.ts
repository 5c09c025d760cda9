import type { RecordedModelRequest } from '../../packages/github-simulator/model.ts'
import { type FileChange, noExplanation, wholeFiles } from '../answer.ts'
import { cheat, cheats } from './cheats.ts'
import type { Exercise } from './exercise.ts'
import { breakSyntax, referenceOf, type Solution } from './spoil.ts'

export const modes = ['correct', 'echo', 'syntax', 'logic', 'hopeless', 'cheat'] as const
export type Mode = (typeof modes)[number]

/** Modes whose answers hold solutions that are known to be wrong. */
export const needsWrong = (mode: Mode): boolean => ['logic', 'hopeless', 'cheat'].includes(mode)

/** Modes that end in the reference solution. */
export const isRightInTheEnd = (mode: Mode): boolean => mode !== 'hopeless' && mode !== 'cheat'

/**
 * What the model says to each request, the last again and again.
 *
 * @param wrong solutions that the exercise's own tests refuse; at least one where the mode needs it
 * @param turn with which cheat it begins
 */
export function answersOf(
  mode: Mode,
  exercise: Exercise,
  wrong: readonly Solution[],
  turn: number,
): readonly string[] {
  const send = (solution: Solution) => wholeFiles(changesOf(exercise, solution))
  const right = send(referenceOf(exercise))
  const [first = []] = wrong
  switch (mode) {
    case 'correct':
      return [right]
    case 'echo':
      return [right + wholeFiles(unchanged(exercise))]
    case 'syntax':
      return [send(breakSyntax(exercise)), right]
    case 'logic':
      return [send(first), right]
    case 'hopeless':
      return wrong.map(send)
    case 'cheat': {
      const inTurn = cheats.map((_, index) => cheats[(turn + index) % cheats.length] ?? cheats[0])
      return inTurn.map((kind) => wholeFiles(cheat(kind, exercise, first)))
    }
  }
}

function changesOf({ solutions }: Exercise, solution: Solution): readonly FileChange[] {
  return solutions.map(({ path, stub }, index) => ({
    path,
    before: stub,
    after: solution[index] ?? '',
  }))
}

/** Files of the exercise that need no change, as they are. */
function unchanged({ files, solutions }: Exercise): readonly FileChange[] {
  const own = solutions.map(({ path }) => path)
  return Object.entries(files)
    .filter(([path]) => !own.includes(path))
    .map(([path, text]) => ({ path, before: text, after: text }))
}

/** A script that says these in turn, and to questions about a failure nothing that helps. */
export function sayInTurn(answers: readonly string[]): (request: RecordedModelRequest) => string {
  let said = 0
  return ({ purpose }) => {
    if (purpose === 'classify' || purpose === 'recover') return noExplanation
    said += 1
    return answers[said - 1] ?? answers.at(-1) ?? ''
  }
}
