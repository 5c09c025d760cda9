/** The question that a person at a terminal reads before deciding. */

import { changesOf } from '../../../packages/change/change.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { writePatch } from '../../core/write-patch.ts'
import { tellRepairs } from '../../recovery/task/tell-repairs.ts'

import { allOrNone } from './write-proposal.ts'

/** The most characters shown of a change. */
const longestPatch = 6_000
const mostOperations = 20

/** Asks about the proposal, else about the destructive operations, which have not been written or run. */
export const writeTerminalQuestion = (attempt: Attempt): string =>
  attempt.proposal === null
    ? askAboutOperations(attempt)
    : askAboutProposal(attempt, attempt.proposal)

const meanings: Readonly<Record<Proposal['strategy'], string>> = {
  DEFER: 'Set it aside and try it once more after the others.',
  SKIP: 'Leave it out of this run.',
  ESCALATE: 'Keep the failed attempt for a person and continue with the others.',
  REWRITE: 'Rewrite the task in the roadmap.',
  DECOMPOSE: 'Split the task in the roadmap.',
}

function askAboutProposal(attempt: Attempt, proposal: Proposal): string {
  const { failure, broken, draft } = attempt
  const problems = (failure?.problems ?? [])
    .slice(0, 3)
    .map(({ path, line, message }) => `${path}:${line} ${message}`)
  const tests = broken.slice(0, 3).map(({ test, message }) => `${test}: ${message.split('\n')[0]}`)
  const written = (draft?.changes ?? []).map(({ action, path }) => `${action} ${path}`)
  return [
    `Proposal: ${proposal.strategy}. ${meanings[proposal.strategy]}`,
    `Reason: ${proposal.explanation}`,
    ...proposal.tasks.flatMap(({ id, title, details, files, model }) => [
      model === undefined ? `  + ${id}: ${title}` : `  + **Model**: ${model}`,
      ...details.map((detail) => `      ${detail}`),
      ...(files.length > 0 ? [`      Files: ${files.join(', ')}`] : []),
    ]),
    ...(proposal.tasks.some(({ together }) => together)
      ? [`They belong together: ${allOrNone}`]
      : []),
    ...tellRepairs(attempt).map((line) => `  tried: ${line}`),
    ...[...problems, ...tests].map((line) => `  · ${line}`),
    ...(written.length === 0 ? [] : [`The attempt wrote: ${written.join(', ')}`]),
  ].join('\n')
}

function askAboutOperations({ destructive, draft }: Attempt): string {
  const more = destructive.length - mostOperations
  return [
    'The change contains destructive operations. Nothing was written or run yet.',
    '',
    ...destructive
      .slice(0, mostOperations)
      .flatMap(({ category, path, line, operation, why }) => [
        `  ${category.padEnd(10)}  ${path}:${line}  ${operation}`,
        `  ${''.padEnd(10)}  ${why}`,
      ]),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    'The change:',
    writePatch(changesOf(draft), longestPatch).trimEnd(),
    '',
    'Approval covers only these operations: the change is then written, tested and committed.',
  ].join('\n')
}
