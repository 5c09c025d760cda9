import type { Refinement } from '../../core/domain/route.ts'

/** What first answers that failed most often lacked, as the last sentence of a request. */
const reminders: Readonly<Partial<Record<Refinement, string>>> = {
  copy_edits:
    'copy SEARCH lines exactly from the files above, and write each path alone on its line.',
  close_code: 'close every bracket, quote and block of the code that you change.',
  import_known: 'import only files and names that are above, or that you write.',
  stay_in_scope: 'change only the files of this task and their tests.',
  keep_tests: 'all tests of the code that you change must still pass.',
}

/** The reminder of a refinement; empty for none, and for one that is no reminder. */
export function remind(refinement: Refinement | undefined): string {
  const says = refinement && reminders[refinement]
  return says === undefined ? '' : `Remember: ${says}`
}
