import type { ErrorType, Remedy, Tried } from './step-error.ts'

/** A remedy and what it does about this type of error: a cell of the table in docs/reliability.md. */
type Row = readonly [remedy: Remedy, words: string]

const dropped: Row = ['roll_back', 'the attempt ends and its separate folder is discarded']

/**
 * The remedies for each error type, in order; after the last one the task fails with a reason.
 * `test/recovery/remedy-table.test.ts` runs each row through the code that performs it.
 */
export const remedyTable: Readonly<Record<ErrorType, readonly [Row, ...Row[]]>> = {
  syntax_error: [['ask_again', 'ask again with the error and the code around it'], dropped],
  test_failure: [['ask_again', 'ask again with the failures and the code they point to'], dropped],
  model_error: [
    [
      'ask_again',
      'ask again with the problem: an empty answer, the wrong format, a promised file missing',
    ],
    [
      'smaller_scope',
      'ask for one file at a time after a truncated answer; send half the context after a request that was too long',
    ],
    ['back_off', 'after a 5xx: retry with growing delays'],
  ],
  validation: [
    ['ask_again', 'ask again with the problem: a path, a file name that cannot be written, a size'],
    ['smaller_scope', 'show less of files that are too large'],
    ['correct_command', 'correct the command when a program rejects an option'],
  ],
  missing_dependency: [
    ['correct_command', 'correct the command when the program does not exist'],
    ['ask_again', 'ask again when an import cannot be resolved'],
  ],
  file_not_found: [
    ['create_directory', 'create the directory (setup command)'],
    ['correct_command', 'correct the command when a script or folder does not exist'],
  ],
  permission_denied: [
    ['ask_again', 'leave the file out; ask for another place when nothing else would be left'],
    dropped,
  ],
  network: [
    ['back_off', 'retry with growing delays; an installation at most three times in total'],
  ],
  rate_limit: [['back_off', 'retry when the service says, otherwise with growing delays']],
  timeout: [
    ['back_off', 'retry a call or an installation with growing delays'],
    ['smaller_scope', 'send half of the context after a call without data'],
  ],
  git_conflict: [
    [
      'back_off',
      'keep the other commit, save the work as a file, and leave the task to the next run',
    ],
  ],
  unknown: [['give_up', 'give up, with the last lines of output']],
}

/** Per attempt at a task and error type. */
const mostTries = 3

/** The number of replacements that a model may propose for a failed command. */
export const mostCorrections = 2

export const firstRemedy = (type: ErrorType): Remedy => remedyTable[type][0][0]

/** True while the type has a try left and the table lists the remedy for it. */
export function mayTry(
  tried: readonly Pick<Tried, 'type'>[],
  type: ErrorType,
  remedy: Remedy,
): boolean {
  const tries = tried.filter((each) => each.type === type).length
  return tries < mostTries && remedyTable[type].some(([each]) => each === remedy)
}
