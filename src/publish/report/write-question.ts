import type { Attempt, Proposal } from '../../core/domain/run-state.ts'

/** What a person at a terminal reads before deciding: the proposal, the reason, the evidence. */
export function writeQuestion(attempt: Attempt, proposal: Proposal): string {
  const { failure, broken, draft } = attempt
  const what = {
    DEFER: 'Set it aside and try it once more after the others.',
    SKIP: 'Leave it out of this run.',
    ESCALATE: 'Keep the failed attempt for a person and go on with the others.',
    REWRITE: 'Rewrite the task in the roadmap.',
    DECOMPOSE: 'Split the task in the roadmap.',
  }[proposal.strategy]
  const problems = (failure?.problems ?? [])
    .slice(0, 3)
    .map((p) => `${p.path}:${p.line} ${p.message}`)
  const tests = broken.slice(0, 3).map(({ test, message }) => `${test}: ${message.split('\n')[0]}`)
  const files = (draft?.changes ?? []).map(({ action, path }) => `${action} ${path}`)
  const lines = [
    `Proposal: ${proposal.strategy}. ${what}`,
    `Reason: ${proposal.explanation}`,
    ...proposal.tasks.flatMap(({ id, title, details, files }) => [
      `  + ${id}: ${title}`,
      ...details.map((detail) => `      ${detail}`),
      ...(files.length > 0 ? [`      Files: ${files.join(', ')}`] : []),
    ]),
    ...[...problems, ...tests].map((line) => `  · ${line}`),
    files.length === 0 ? '' : `The attempt wrote: ${files.join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}
