import type { CodeProblem } from '../../../packages/change/change.ts'

/** What a check can find. Warnings are for a person to decide, and do not fail a change. */
export const checkRules = {
  'failed-test': { severity: 'error', summary: 'A test or command fails because of the change.' },
  'still-red': {
    severity: 'warning',
    summary: 'A failing test of the changed files that failed before the change, too.',
  },
  'not-run': { severity: 'error', summary: 'The tests did not run, or show nothing.' },
  patch: { severity: 'error', summary: 'A part of the patch does not apply to its base.' },
  size: { severity: 'error', summary: 'More than a reviewer reads.' },
  path: { severity: 'error', summary: 'A path that is not safe on every system.' },
  tree: {
    severity: 'error',
    summary: 'A link, a submodule, or a path that collides with another.',
  },
  secret: { severity: 'error', summary: 'A text that looks like a key or a password.' },
  'hidden-text': { severity: 'error', summary: 'A text that people do not see and programs read.' },
  syntax: { severity: 'error', summary: 'A file that does not parse, or was left unfinished.' },
  import: { severity: 'error', summary: 'An import that resolves to nothing, or is missing.' },
  tests: { severity: 'error', summary: 'A failing test that the change weakens.' },
  assertion: { severity: 'error', summary: 'Code that takes over tests or their runner.' },
  doubt: {
    severity: 'warning',
    summary: 'A weakened test, code that may answer for its tests, or code that does nothing.',
  },
  protected: { severity: 'warning', summary: 'A file that drafts of the executor never change.' },
  scope: { severity: 'warning', summary: "A file that is not among the task's files." },
  destructive: { severity: 'warning', summary: 'An operation that cannot be undone.' },
  binary: { severity: 'warning', summary: 'A file that is not text: its content was not checked.' },
  mode: { severity: 'warning', summary: 'A file that becomes a program, or stops being one.' },
} as const satisfies Record<string, { severity: 'error' | 'warning'; summary: string }>

export type CheckRule = keyof typeof checkRules

/** A line of 0 stands for the whole file, an empty path for the whole change. */
export interface CheckFinding extends Omit<CodeProblem, 'type'> {
  readonly rule: CheckRule
  readonly severity: 'error' | 'warning'
}

const isRule = (name: string): name is CheckRule => Object.hasOwn(checkRules, name)

/** Whatever the validation calls a fault of a file's text is a `syntax` finding. */
export function findingOf({ type, ...problem }: CodeProblem): CheckFinding {
  const name = type.replaceAll('_', '-')
  const rule = isRule(name) ? name : 'syntax'
  return { ...problem, rule, severity: checkRules[rule].severity }
}

/** A finding on a whole file or, with an empty path, on the whole change. */
export const findingOn = (path: string, rule: CheckRule, message: string): CheckFinding =>
  findingOf({ path, type: rule, message, line: 0, column: 0 })
