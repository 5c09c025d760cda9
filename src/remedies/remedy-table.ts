import type { ErrorType, Remedy, TriedRemedy } from '../domain/step-error.ts'

/**
 * What is tried against an error, in this order; docs/recovery.md has it in words. `roll_back` is what
 * the end of an attempt does in any case: its work is a folder of its own, and is dropped.
 */
const remedyTable: Readonly<Record<ErrorType, readonly [Remedy, ...Remedy[]]>> = {
  syntax_error: ['ask_again', 'roll_back', 'give_up'],
  file_not_found: ['create_directory', 'correct_command', 'ask_again', 'give_up'],
  permission_denied: ['ask_again', 'roll_back', 'give_up'],
  timeout: ['back_off', 'ask_again', 'smaller_scope', 'give_up'],
  rate_limit: ['back_off', 'give_up'],
  model_error: ['ask_again', 'smaller_scope', 'back_off', 'give_up'],
  network: ['back_off', 'give_up'],
  git_conflict: ['back_off', 'roll_back', 'give_up'],
  missing_dependency: ['correct_command', 'ask_again', 'give_up'],
  test_failure: ['ask_again', 'roll_back', 'give_up'],
  validation: ['ask_again', 'smaller_scope', 'correct_command', 'give_up'],
  unknown: ['correct_command', 'give_up'],
}

/** In one attempt at a task, for one type of error. */
const mostTries = 3

/** Commands that a model may put in the place of one that failed. */
export const mostCorrections = 2

export const firstRemedy = (type: ErrorType): Remedy => remedyTable[type][0]

/** True while the type has a try left, and the table names the remedy for it. */
export function mayTry(tried: readonly TriedRemedy[], type: ErrorType, remedy: Remedy): boolean {
  const tries = tried.filter((each) => each.type === type).length
  return tries < mostTries && remedyTable[type].includes(remedy)
}
