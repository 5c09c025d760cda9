import type { ErrorType, Remedy, TriedRemedy } from '../../core/domain/step-error.ts'

/** One remedy, and in words what it means for errors of this type: a cell of the table in docs/reliability.md. */
type Row = readonly [remedy: Remedy, words: string]

const dropped: Row = [
  'roll_back',
  'the work, a folder of its own, is dropped at the end of the attempt',
]

/**
 * What is tried against an error, in this order; then it is given up, with a reason.
 * `test/text/diagnosis/remedy-table.test.ts` has each row done by the code that does it.
 */
export const remedyTable: Readonly<Record<ErrorType, readonly [Row, ...Row[]]>> = {
  syntax_error: [['ask_again', 'asked again with the error and the code around it'], dropped],
  test_failure: [
    ['ask_again', 'asked again with the failures and the code they point at'],
    dropped,
  ],
  model_error: [
    [
      'ask_again',
      'asked again with what is wrong: empty, not the form asked for, a promised file missing',
    ],
    [
      'smaller_scope',
      'one file at a time where it was cut off; half of the context where it was too much to read',
    ],
    ['back_off', 'after a 5xx: later and later'],
  ],
  validation: [
    ['ask_again', 'asked again with the problem: a path, a name that cannot be written, a size'],
    ['smaller_scope', 'less is shown of files that are too large'],
    ['correct_command', 'a corrected command, for an option that nobody knows'],
  ],
  missing_dependency: [
    ['correct_command', 'a corrected command, where nobody has a program of the name'],
    ['ask_again', 'asked again, where an import leads nowhere'],
  ],
  file_not_found: [
    ['create_directory', 'the directory is made (setup command)'],
    ['correct_command', 'a corrected command, for a script or a folder that is not there'],
  ],
  permission_denied: [
    ['ask_again', 'left out, and asked for elsewhere where nothing else would be left'],
    dropped,
  ],
  network: [['back_off', 'later and later; an installation three times in all']],
  rate_limit: [['back_off', 'when the service says, else later and later']],
  timeout: [['back_off', 'of a call or an installation: tried again, later and later']],
  git_conflict: [
    [
      'back_off',
      "the other's commit stays, the work is kept as a file, and the task waits for the next run",
    ],
  ],
  unknown: [['give_up', 'given up, with its last words']],
}

/** In one attempt at a task, for one type of error. */
const mostTries = 3

/** Commands that a model may put in the place of one that failed. */
export const mostCorrections = 2

export const firstRemedy = (type: ErrorType): Remedy => remedyTable[type][0][0]

/** True while the type has a try left, and the table names the remedy for it. */
export function mayTry(tried: readonly TriedRemedy[], type: ErrorType, remedy: Remedy): boolean {
  const tries = tried.filter((each) => each.type === type).length
  return tries < mostTries && remedyTable[type].some(([each]) => each === remedy)
}
